import type { Category, LogPosition, Recorded } from '#domain/event-store.ts';
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
 * and for those who come later once for all who come about the same time. Positions in the log have no gaps, so what is kept has none either;
 * where another process has appended in between it begins anew, and who asks for what is not kept is not answered.
 */
export class RecentEvents {
  #kept: Kept[] = [];
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
    const end = this.#kept.at(-1)?.stored.position;
    const fits = end === undefined || first.stored.position === end + 1n;
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
    const [first] = this.#kept;
    if (!first || position + 1n < first.stored.position || this.now() < this.#aloneFrom || this.now() > this.#recentUntil) return undefined;
    const later = this.#kept.slice(Number(position - first.stored.position) + 1);
    const wanted = later.filter(({ category }) => categories.includes(category)).slice(0, limit);
    return wanted.length === 0 ? undefined : this.#open(wanted);
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
    const weight = weightOf(stored);
    const opened = given && this.codec.given(stored, given);
    this.#kept.push({ stored, category: categoryOf(stored.stream), weight, opened, openedAt: givenAt });
    this.#weight += weight;
  }

  #clear(): void {
    this.#kept = [];
    this.#weight = 0;
  }

  #dropOldest(): void {
    let dropped = 0;
    for (const { weight } of this.#kept) {
      if (this.#kept.length - dropped <= MOST.events && this.#weight <= MOST.weight) break;
      this.#weight -= weight;
      dropped++;
    }
    if (dropped > 0) this.#kept = this.#kept.slice(dropped);
  }
}
