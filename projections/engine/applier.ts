import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import { errorMessage, RefusedValues } from './failures.ts';
import { Fold } from './fold.ts';
import { asCheckpointEvent } from './log-rewind.ts';
import type { TableSet } from './table-set.ts';
import type { CheckpointState, ParkedEvent, ReadModelStorage } from './read-model-storage.ts';

const LONGEST_ERROR = 2_000;
const BEHIND = 'An earlier event of its stream is parked';

/** Whether an event is parked for what stands before it, and not for itself. */
export const isBlockedByEarlier = ({ error }: ParkedEvent): boolean => error === BEHIND;

/** A parked event. The message may quote the event, and with it the very character that the database refuses. */
export const parkedEvent = (event: Recorded, error: unknown): ParkedEvent => ({
  event,
  error: errorMessage(error instanceof RefusedValues ? error.cause : error)
    .replaceAll('\0', '')
    .slice(0, LONGEST_ERROR),
});

/** What came of applying events. */
export type Applied = { readonly parked: readonly ParkedEvent[]; readonly unknown: number };

const NOTHING: Applied = { parked: [], unknown: 0 };
const both = (one: Applied, other: Applied): Applied => ({
  parked: [...one.parked, ...other.parked],
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
  #parked: ParkedEvent[] = [];
  #last: Recorded | undefined;
  #taken = 0;
  #committing: Promise<Applied> = Promise.resolve(NOTHING);

  constructor(
    readonly storage: ReadModelStorage,
    readonly tableSet: TableSet,
    /** The slot as it was last written. */
    public state: CheckpointState,
  ) {
    this.#fold = new Fold(tableSet.projector);
    this.#stalled = new Set(state.blockedStreams);
  }

  /** How many events were taken since the last commit. */
  get pending(): number {
    return this.#taken;
  }

  /** Up to where events were taken. */
  get position(): LogPosition {
    return this.#last?.position ?? this.state.position;
  }

  /** Folds events, once the rows that they read are loaded. Those that fail, and those behind them in their streams, will be parked. */
  async take(page: readonly Recorded[]): Promise<void> {
    const events = newerThan(this.position, page);
    const moving = this.#stalled.size === 0 ? events : events.filter(({ stream }) => !this.#stalled.has(stream));
    const unknown = this.#fold.missingKeys(moving);
    if (unknown.size > 0) this.#fold.load(unknown, await this.storage.load(this.tableSet, unknown));
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
    this.#parked.push(parkedEvent(event, error));
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
    const to = asCheckpointEvent(this.#last);
    const parked = this.#parked;
    const { changes, unknown } = this.#fold.takeChanges();
    this.#parked = [];
    this.#taken = 0;
    this.state = await this.storage.commit(this.tableSet, this.state, { to, changes, parked, unknown });
    return { parked, unknown };
  }

  /** Commits what was taken. Throws as `beginCommit` does. */
  async commit(): Promise<Applied> {
    await this.beginCommit();
    return this.#committing;
  }

  /** Goes back to what was last written: what was taken since does not count. */
  async reset(): Promise<void> {
    await this.#committing.catch(() => {});
    this.#committing = Promise.resolve(NOTHING);
    this.#fold.reset();
    this.#stalled = new Set(this.state.blockedStreams);
    this.#parked = [];
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
      await this.reset();
      if (!(error instanceof RefusedValues)) throw error;
      const events = newerThan(this.state.position, page);
      const half = events.length >> 1;
      if (half > 0) return both(await this.apply(events.slice(0, half)), await this.apply(events.slice(half)));
      for (const event of events) this.#park(event, error);
      this.#last = events[0];
      this.#taken = events.length;
      return this.commit();
    }
  }
}
