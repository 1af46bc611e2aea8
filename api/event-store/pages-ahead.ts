import type { Category, LogPosition } from '#domain/event-store.ts';

/** Which page of the log. */
export type Asked = { readonly after: LogPosition; readonly limit: number; readonly categories: readonly Category[] };

/** A page that is being made, and which one follows it: undefined when it is not full, and so may hold more by and by. */
export type Begun<Page> = { readonly page: Promise<Page>; readonly next: Promise<Asked | undefined> };

type Entry<Page> = Begun<Page> & { readonly asked: Asked; isFollowed: boolean };

const isSame = (one: Asked, other: Asked): boolean =>
  one.after === other.after && one.limit === other.limit && one.categories.join() === other.categories.join();

/** The pages of a log in turn, of which the next ones are begun before they are asked for. */
export class PagesAhead<Page> {
  readonly #begin: (asked: Asked) => Begun<Page>;
  readonly #ahead: number;
  #line: Entry<Page>[] = [];

  /** `ahead`: how many. */
  constructor(begin: (asked: Asked) => Begun<Page>, ahead: number) {
    this.#begin = begin;
    this.#ahead = ahead;
  }

  /** Throws what makes it impossible to have the page now. What failed before it was asked for is tried once more. */
  async page(asked: Asked): Promise<Page> {
    const early = this.#line.shift();
    const entry = early && (await this.#isGood(early, asked)) ? early : this.#anew(asked);
    this.#follow(this.#line.at(-1) ?? entry);
    return entry.page;
  }

  /** Only a full page is the same whenever it was made. */
  async #isGood(early: Entry<Page>, asked: Asked): Promise<boolean> {
    if (!isSame(early.asked, asked)) return false;
    const [next] = await Promise.all([early.next, early.page]).catch(() => []);
    return next !== undefined;
  }

  #anew(asked: Asked): Entry<Page> {
    this.#line = [];
    return this.#entry(asked);
  }

  #entry(asked: Asked): Entry<Page> {
    const entry = { asked, isFollowed: false, ...this.#begin(asked) };
    // Told to whoever asks for it.
    entry.page.catch(() => {});
    entry.next.catch(() => {});
    return entry;
  }

  /** Begins the page after this one, and those after it, while there is room. */
  #follow(entry: Entry<Page>): void {
    const line = this.#line;
    if (entry.isFollowed || line.length >= this.#ahead) return;
    entry.isFollowed = true;
    const go = (next: Asked | undefined): void => {
      if (!next || line !== this.#line) return;
      const following = this.#entry(next);
      line.push(following);
      this.#follow(following);
    };
    entry.next.then(go, () => {});
  }
}
