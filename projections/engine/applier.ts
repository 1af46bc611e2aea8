import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import { RefusedValues, errorMessage } from '../follower/failures.ts';
import { Fold } from './fold.ts';
import { asCheckpointEvent } from '../follower/log-rewind.ts';
import type { TableSet } from './table-set.ts';
import type { CheckpointState, ParkedEvent, ReadModelStorage } from './read-model-storage.ts';

const LONGEST_ERROR = 2_000;
const BLOCKED = 'An earlier event of its stream is parked';

/** Returns whether the event was parked only because an earlier event of its stream is parked. */
export const isBlockedByEarlier = ({ error }: ParkedEvent): boolean => error === BLOCKED;

/** Removes NUL characters from the message: it may quote the event, and Postgres refuses them in texts. */
export const parkedEvent = (event: Recorded, error: unknown): ParkedEvent => ({
  event,
  error: errorMessage(error instanceof RefusedValues ? error.cause : error)
    .replaceAll('\0', '')
    .slice(0, LONGEST_ERROR),
});

/** The result has the parked events, and the number of events whose type this release does not know. */
export type Applied = { readonly parked: readonly ParkedEvent[]; readonly unknown: number };

const NOTHING: Applied = { parked: [], unknown: 0 };
const both = (one: Applied, other: Applied): Applied => ({
  parked: [...one.parked, ...other.parked],
  unknown: one.unknown + other.unknown,
});

/** Leaves out events that were applied before and are delivered again. */
const newerThan = (position: LogPosition, page: readonly Recorded[]): readonly Recorded[] =>
  page.filter((event) => event.position > position);

/** Folds events in memory and commits them with the checkpoint. Workers and rebuilds differ only in how many they commit at once. */
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
    public state: CheckpointState,
  ) {
    this.#fold = new Fold(tableSet.projector);
    this.#stalled = new Set(state.blockedStreams);
  }

  /** Counts the events taken since the last commit. */
  get pending(): number {
    return this.#taken;
  }

  get position(): LogPosition {
    return this.#last?.position ?? this.state.position;
  }

  /** Folds events. An event that fails is parked, with all later ones of its stream. */
  async take(page: readonly Recorded[]): Promise<void> {
    const events = newerThan(this.position, page);
    const unknown = this.#fold.missingKeys(events.filter(({ stream }) => !this.#stalled.has(stream)));
    if (unknown.size > 0) this.#fold.load(unknown, await this.storage.load(this.tableSet, unknown));
    for (const event of events) this.#apply(event);
    this.#last = events.at(-1) ?? this.#last;
    this.#taken += events.length;
  }

  #apply(event: Recorded): void {
    if (this.#stalled.has(event.stream)) return this.#park(event, BLOCKED);
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
   * Commits what was taken, after the previous commit; the caller may take more meanwhile. Throws the error of the previous commit; the
   * caller must then call `reset` first.
   */
  async beginCommit(): Promise<void> {
    await this.#committing;
    this.#committing = this.#commit();
    // This avoids an unhandled rejection: the next await of `#committing` throws the error.
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

  async commit(): Promise<Applied> {
    await this.beginCommit();
    return this.#committing;
  }

  /** Drops everything that is not committed and continues from the last commit. */
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
   * Applies a page. If the storage refuses a row, the page is halved until the event that causes it is alone and parked. Throws
   * `Superseded` when another process has changed the checkpoint.
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
