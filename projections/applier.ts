import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import { messageOf, RefusedValues } from './failures.ts';
import { Fold } from './fold.ts';
import { placeOf } from './rewound.ts';
import type { Slot } from './slot.ts';
import type { Held, Parking, ReadModelStorage } from './storage.ts';

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

  /** `remembered`: rows of a table that stay in memory for the events that follow. */
  constructor(
    readonly storage: ReadModelStorage,
    readonly slot: Slot,
    /** The slot as it is. */
    public held: Held,
    remembered?: number,
  ) {
    this.#fold = new Fold(slot.projector, remembered);
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

  /** Folds events, once the rows that they read are there; those that fail, and those behind them in their streams, are to be parked. */
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
   * Begins to commit what was taken, once what was committed before is written. Throws what that threw; after an error nothing that was
   * taken counts, and `held` is what was last written.
   */
  async begin(): Promise<void> {
    await this.settled();
    if (!this.#last || this.#taken === 0) return;
    const { changes, unknown } = this.#fold.take();
    const parkings = this.#parkings;
    const to = placeOf(this.#last);
    this.#parkings = [];
    this.#taken = 0;
    this.#committing = this.storage.commit(this.slot, this.held, { to, changes, parkings, unknown }).then((held) => {
      this.held = held;
      return { parkings, unknown };
    });
    this.#committing.catch(() => {});
  }

  /** Waits until what is being committed is written. */
  async settled(): Promise<Applied> {
    try {
      return await this.#committing;
    } catch (error) {
      this.#forget();
      throw error;
    } finally {
      this.#committing = Promise.resolve(NOTHING);
    }
  }

  /** Waits until nothing is being committed, whatever becomes of it; what was taken since does not count. */
  async abandon(): Promise<void> {
    await this.settled().catch(() => {});
    this.#forget();
  }

  /** Commits what was taken. Throws `Superseded` and `RefusedValues`, and then nothing that was taken counts. */
  async commit(): Promise<Applied> {
    await this.begin();
    return this.settled();
  }

  #forget(): void {
    this.#fold.forget();
    this.#stalled = new Set(this.held.stalled);
    this.#parkings = [];
    this.#last = undefined;
    this.#taken = 0;
  }

  /**
   * Takes and commits a page. When a row is refused, its events are committed one by one, so that the one it came from is found and
   * parked. Throws `Superseded` when the slot is not as `held` says.
   */
  async apply(page: readonly Recorded[]): Promise<Applied> {
    try {
      await this.take(page);
      return await this.commit();
    } catch (error) {
      this.#forget();
      if (!(error instanceof RefusedValues)) throw error;
    }
    let applied = NOTHING;
    for (const event of newerThan(this.held.position, page)) applied = both(applied, await this.#applyOne(event));
    return applied;
  }

  async #applyOne(event: Recorded): Promise<Applied> {
    try {
      await this.take([event]);
      return await this.commit();
    } catch (error) {
      this.#forget();
      if (!(error instanceof RefusedValues)) throw error;
      this.#park(event, error);
      this.#last = event;
      this.#taken = 1;
      return this.commit();
    }
  }
}
