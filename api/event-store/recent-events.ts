import type { Category, LogPosition, Recorded } from '#domain/event-store.ts';
import type { EventCodec } from './codec.ts';
import { categoryOf, type StoredEvent } from './stored-event.ts';

/** So many events are kept, of so many characters together: what is appended in a moment of a rush. */
const MOST = { events: 500, weight: 500_000 };
/** What one follower has opened is handed to others for so long, in ms: most come to it within two gatherings of a rush. */
export const OPEN_FOR = 250;
/** After another process has appended, the log itself is asked for so long, in ms. */
const ALONE_AFTER = 1_000;
/** What was appended longer ago is not handed out: followers have long had it, and the log may have been put back meanwhile. */
const RECENT_FOR = 2_000;

type Kept = {
  readonly stored: StoredEvent;
  readonly category: Category;
  readonly weight: number;
  opened: Recorded | undefined;
  openedAt: number;
};

const weightOf = ({ data, metadata }: StoredEvent): number => data.length + metadata.length;

/**
 * The end of the log as this process has appended it, for followers in it: none of it is read back, and each event is opened once for those
 * who come to it about the same time. Positions in the log have no gaps, so what is kept has none either; where another process has
 * appended in between it begins anew, and who asks for what is not kept is not answered.
 */
export class RecentEvents {
  #kept: Kept[] = [];
  #weight = 0;
  /** Committed behind a gap that another append of this process is about to fill. */
  #ahead: readonly StoredEvent[] = [];
  #aloneFrom = 0;
  #recentUntil = 0;

  constructor(
    readonly codec: Pick<EventCodec, 'open'>,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes what was appended by one commit: in the order of the log, and without a gap. */
  add(appended: readonly StoredEvent[]): void {
    const [first] = appended;
    if (!first) return;
    if (this.now() > this.#recentUntil) this.#clear();
    this.#recentUntil = this.now() + RECENT_FOR;
    const end = this.#kept.at(-1)?.stored.position;
    const fits = end === undefined || first.position === end + 1n;
    if (!fits && this.#ahead.length === 0) {
      this.#ahead = appended;
      return;
    }
    if (!fits) this.#clear();
    for (const stored of appended) this.#keep(stored);
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

  #keep(stored: StoredEvent): void {
    const weight = weightOf(stored);
    this.#kept.push({ stored, category: categoryOf(stored.stream), weight, opened: undefined, openedAt: 0 });
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
