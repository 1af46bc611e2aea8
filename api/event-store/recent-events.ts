import { logPosition, type Category, type LogPosition, type Recorded } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import type { EventCodec } from './codec.ts';
import { categoryOf, type StoredEvent } from './stored-event.ts';

/** So many events are kept, of so many characters together: what is appended in a moment of a rush. */
const MOST = { events: 500, weight: 500_000 };
/**
 * What was given to be appended, or what one follower has opened, is handed to others for so long, in ms: most come to it within two
 * gatherings of a rush.
 */
export const OPEN_FOR = 250;
/** After another process has appended, the log itself is asked for so long, in ms. */
const ALONE_AFTER = 1_000;
/** What was appended longer ago is not handed out: followers have long had it, and the log may have been put back meanwhile. */
const RECENT_FOR = 2_000;

/** An event as the log has it now, and as it was given at a moment of `performance.now`, before its key was looked up. */
export type Appended = { readonly stored: StoredEvent; readonly given?: DomainEvent | undefined; readonly givenAt?: number };

type Kept = {
  readonly stored: StoredEvent;
  readonly category: Category;
  readonly weight: number;
  opened: Recorded | undefined;
  openedAt: number;
};

const weightOf = ({ data, metadata }: StoredEvent): number => data.length + metadata.length;

/**
 * The end of the log as this process has appended it, for followers in it: none of it is read back, nor opened for who comes to it at once,
 * and for those who come later once for all who come about the same time. Of categories that nobody here follows nothing is kept. Positions
 * in the log have no gaps, so it is known what there is between the first and the last; where another process has appended in between it
 * begins anew, and who asks for what is not known is not answered.
 */
export class RecentEvents {
  readonly #followed = new Set<Category>();
  /** In the order of the log: all of the categories followed whose positions are after the first of these and not after the second. */
  #kept: Kept[] = [];
  #after: LogPosition | undefined;
  #until: LogPosition | undefined;
  #weight = 0;
  /** Committed behind a gap that another append of this process is about to fill. */
  #ahead: readonly Appended[] = [];
  #aloneFrom = 0;
  #recentUntil = 0;

  constructor(
    readonly codec: Pick<EventCodec, 'open' | 'given'>,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes what was appended by one commit: in the order of the log, and without a gap. */
  add(appended: readonly Appended[]): void {
    const [first] = appended;
    if (!first) return;
    if (this.now() > this.#recentUntil) this.#clear();
    this.#recentUntil = this.now() + RECENT_FOR;
    const fits = this.#until === undefined || first.stored.position === this.#until + 1n;
    if (!fits && this.#ahead.length === 0) {
      this.#ahead = appended;
      return;
    }
    if (!fits) this.#clear();
    for (const each of appended) this.#keep(each);
    const ahead = this.#ahead;
    this.#ahead = [];
    if (fits && ahead.length > 0) this.add(ahead);
    this.#dropOldest();
  }

  /** Another process has appended: there may be more than is kept, and nobody knows where. */
  othersAppended(): void {
    this.#clear();
    this.#ahead = [];
    this.#aloneFrom = this.now() + ALONE_AFTER;
  }

  /** The events of these categories after a position; undefined when the log has to be asked. */
  after(position: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]> | undefined {
    if (!categories.every((category) => this.#followed.has(category))) return this.#follow(categories);
    if (this.#after === undefined || position < this.#after || this.now() < this.#aloneFrom || this.now() > this.#recentUntil)
      return undefined;
    const later = this.#kept.slice(1 + this.#kept.findLastIndex(({ stored }) => stored.position <= position));
    const wanted = later.filter(({ category }) => categories.includes(category)).slice(0, limit);
    return wanted.length === 0 ? undefined : this.#open(wanted);
  }

  /** From now on, since until now nothing of these was kept. */
  #follow(categories: readonly Category[]): undefined {
    for (const category of categories) this.#followed.add(category);
    this.#clear();
  }

  async #open(wanted: readonly Kept[]): Promise<readonly Recorded[]> {
    const now = this.now();
    const closed = wanted.filter(({ opened, openedAt }) => opened === undefined || now - openedAt > OPEN_FOR);
    const opened = await this.codec.open(closed.map(({ stored }) => stored));
    for (const [index, kept] of closed.entries()) {
      kept.opened = opened[index];
      kept.openedAt = now;
    }
    return wanted.map(({ stored, opened: event }) => {
      if (!event) throw new Error(`The event at ${stored.position} was not opened`);
      return event;
    });
  }

  #keep({ stored, given, givenAt = 0 }: Appended): void {
    this.#after ??= logPosition(stored.position - 1n);
    this.#until = stored.position;
    const category = categoryOf(stored.stream);
    if (!this.#followed.has(category)) return;
    const weight = weightOf(stored);
    const opened = given && this.codec.given(stored, given);
    this.#kept.push({ stored, category, weight, opened, openedAt: givenAt });
    this.#weight += weight;
  }

  #clear(): void {
    this.#kept = [];
    this.#after = undefined;
    this.#until = undefined;
    this.#weight = 0;
  }

  #dropOldest(): void {
    let dropped = 0;
    for (const { stored, weight } of this.#kept) {
      if (this.#kept.length - dropped <= MOST.events && this.#weight <= MOST.weight) break;
      this.#after = stored.position;
      this.#weight -= weight;
      dropped++;
    }
    if (dropped > 0) this.#kept = this.#kept.slice(dropped);
  }
}
