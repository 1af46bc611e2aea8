import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import { messageOf, RefusedValues } from './failures.ts';
import { Fold } from './fold.ts';
import { placeOf } from './log-rewind.ts';
import type { Slot } from './table-set.ts';
import type { Held, Parking, ReadModelStorage } from './read-model-storage.ts';

const LONGEST_ERROR = 2_000;
const BEHIND = 'An earlier event of its stream is parked';

/** Whether an event is parked for what stands before it, and not for itself. */
export const isBehind = ({ error }: Parking): boolean => error === BEHIND;

/** A parked event. The message may quote the event, and with it the very character that the database refuses. */
export const parkingOf = (event: Recorded, error: unknown): Parking => ({
  event,
  error: messageOf(error instanceof RefusedValues ? error.cause : error)
    .replaceAll('\0', '')
    .slice(0, LONGEST_ERROR),
});

/** What came of applying events. */
export type Applied = { readonly parkings: readonly Parking[]; readonly unknown: number };

const NOTHING: Applied = { parkings: [], unknown: 0 };
const both = (one: Applied, other: Applied): Applied => ({
  parkings: [...one.parkings, ...other.parkings],
  unknown: one.unknown + other.unknown,
});

/** The events after this position: what was delivered before is not applied again. */
const newerThan = (position: LogPosition, page: readonly Recorded[]): readonly Recorded[] => {
  const [first] = page;
  return first && first.position > position ? page : page.filter((event) => event.position > position);
};

/**
 * Applies the log to a slot: events are folded in memory and committed together with the checkpoint. Workers and rebuilds differ only in
 * how many events they take before they commit.
 */
export class Applier {
  readonly #fold: Fold;
  #stalled: Set<StreamName>;
  #parkings: Parking[] = [];
  #last: Recorded | undefined;
  #taken = 0;
  #committing: Promise<Applied> = Promise.resolve(NOTHING);

  constructor(
    readonly storage: ReadModelStorage,
    readonly slot: Slot,
    /** The slot as it was last written. */
    public held: Held,
  ) {
    this.#fold = new Fold(slot.projector);
    this.#stalled = new Set(held.stalled);
  }

  /** How many events were taken since the last commit. */
  get taken(): number {
    return this.#taken;
  }

  /** Up to where events were taken. */
  get position(): LogPosition {
    return this.#last?.position ?? this.held.position;
  }

  /** Folds events, once the rows that they read are loaded. Those that fail, and those behind them in their streams, will be parked. */
  async take(page: readonly Recorded[]): Promise<void> {
    const events = newerThan(this.position, page);
    const moving = this.#stalled.size === 0 ? events : events.filter(({ stream }) => !this.#stalled.has(stream));
    const unknown = this.#fold.unknownKeys(moving);
    if (unknown.size > 0) this.#fold.learn(unknown, await this.storage.load(this.slot, unknown));
    for (const event of events) this.#apply(event);
    this.#last = events.at(-1) ?? this.#last;
    this.#taken += events.length;
  }

  #apply(event: Recorded): void {
    if (this.#stalled.size > 0 && this.#stalled.has(event.stream)) return this.#park(event, BEHIND);
    try {
      this.#fold.apply(event);
    } catch (error) {
      this.#park(event, error);
    }
  }

  #park(event: Recorded, error: unknown): void {
    this.#parkings.push(parkingOf(event, error));
    this.#stalled.add(event.stream);
  }

  /**
   * Begins to commit what was taken, once the commit before is written; its caller may take more meanwhile. Throws what the commit before
   * threw: then `forget` must be called before anything else.
   */
  async beginCommit(): Promise<void> {
    await this.#committing;
    this.#committing = this.#commit();
    // Whoever waits for it next is given the error.
    this.#committing.catch(() => {});
  }

  async #commit(): Promise<Applied> {
    if (!this.#last || this.#taken === 0) return NOTHING;
    const to = placeOf(this.#last);
    const parkings = this.#parkings;
    const { changes, unknown } = this.#fold.take();
    this.#parkings = [];
    this.#taken = 0;
    this.held = await this.storage.commit(this.slot, this.held, { to, changes, parkings, unknown });
    return { parkings, unknown };
  }

  /** Commits what was taken. Throws as `beginCommit` does. */
  async commit(): Promise<Applied> {
    await this.beginCommit();
    return this.#committing;
  }

  /** Goes back to what was last written: what was taken since does not count. */
  async forget(): Promise<void> {
    await this.#committing.catch(() => {});
    this.#committing = Promise.resolve(NOTHING);
    this.#fold.forget();
    this.#stalled = new Set(this.held.stalled);
    this.#parkings = [];
    this.#last = undefined;
    this.#taken = 0;
  }

  /**
   * Takes and commits events. When a row is refused they are committed in two halves, and these again, until the event that it came from
   * stands alone and is parked. Throws `Superseded` when the slot is not as `held` says.
   */
  async apply(page: readonly Recorded[]): Promise<Applied> {
    try {
      await this.take(page);
      return await this.commit();
    } catch (error) {
      await this.forget();
      if (!(error instanceof RefusedValues)) throw error;
      const events = newerThan(this.held.position, page);
      const half = events.length >> 1;
      if (half > 0) return both(await this.apply(events.slice(0, half)), await this.apply(events.slice(half)));
      for (const event of events) this.#park(event, error);
      this.#last = events[0];
      this.#taken = events.length;
      return this.commit();
    }
  }
}
