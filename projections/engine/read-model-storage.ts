import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import type { CheckpointEvent } from './log-rewind.ts';
import type { TableSet } from './table-set.ts';

/** A row of any table; its columns are those of the table's definition. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** Something for each table of a read model, by the projector's name for the table. */
export type ByTable<Of> = ReadonlyMap<string, Of>;

/** What is to be written of a table: rows that are put under their keys (those of a `sums` table are added), and keys whose rows go. */
export type Changes = { readonly upserts: readonly AnyRow[]; readonly deletes: readonly string[] };

/** Up to where a slot has applied the log. Its `epoch` grows when others than its holder change its rows: a retry, a rebuild, an erasure. */
export type Checkpoint = CheckpointEvent & { readonly epoch: number };

/** A slot as it stood when somebody looked: what is written later must find position, event, epoch and holder unchanged. */
export type CheckpointState = Checkpoint & {
  readonly holder: string | null;
  /** Whether its tables are complete. */
  readonly built: boolean;
  /** Streams with a parked event: what follows in them is parked too. */
  readonly blockedStreams: ReadonlySet<StreamName>;
  /** The first of the streams that are queued to be projected anew. */
  readonly queuedStream: StreamName | undefined;
};

/** An event that could not be applied, or that stands behind one in its stream. */
export type ParkedEvent = { readonly event: Recorded; readonly error: string };

/** What is written together, or not at all. */
export type Commit = {
  /** The newest event applied. Without it the slot stays where it is and its epoch grows, so that its holder reads it anew. */
  readonly to?: CheckpointEvent;
  readonly changes: ByTable<Changes>;
  readonly parked: readonly ParkedEvent[];
  /** Events of types that this release does not know. */
  readonly unknown: number;
  /** A parked event that was applied now; it must still be parked. */
  readonly unparked?: LogPosition;
  /** A stream that was projected anew: it leaves the queue, and no event of it is parked but those of `parked`. */
  readonly reprojected?: StreamName;
};

/** How long a holder that gives no sign keeps others out, in milliseconds, by the clock of the storage. */
export const LEASE_MS = 3_000;

/**
 * Where read models are kept: Postgres, or memory in simulations. Calls about one slot that wait for each other do so as transactions that
 * lock its checkpoint do.
 */
export interface ReadModelStorage {
  /** Takes the slot, when nobody holds it or its holder has been silent for longer than the lease. Otherwise `undefined`. */
  claim(tableSet: TableSet, holder: string): Promise<CheckpointState | undefined>;

  /** Says that the holder is still there; answers with the slot's epoch. Throws `Superseded` when somebody else took it. */
  renew(tableSet: TableSet, holder: string): Promise<number>;

  /** Lets the next one in without waiting for the lease to end. */
  release(tableSet: TableSet, holder: string): Promise<void>;

  /** The rows of these keys that there are. Throws `RefusedValues` when a key is none. */
  load(tableSet: TableSet, keys: ByTable<readonly string[]>): Promise<ByTable<readonly AnyRow[]>>;

  /**
   * Writes rows, parked events and checkpoint in one transaction by compare-and-set, and notifies readers of a live slot. Answers with the
   * slot as it is then. Throws `Superseded` when the slot is not as `held` says and `RefusedValues` when a row cannot be stored; then
   * nothing was written.
   */
  commit(tableSet: TableSet, state: CheckpointState, commit: Commit): Promise<CheckpointState>;

  /** Runs `work` in a transaction in which nobody else changes the slot. Throws `Superseded` when there is no such slot. */
  locked<Result>(tableSet: TableSet, work: (state: CheckpointState, storage: ReadModelStorage) => Promise<Result>): Promise<Result>;

  /** Makes the slot's tables anew, empty, with its checkpoint before the first event. Throws `Superseded` as `commit` does. */
  empty(tableSet: TableSet, state: CheckpointState): Promise<CheckpointState>;

  /** Adds what tables only need once their rows are there: indexes, statistics. */
  index(tableSet: TableSet, state: CheckpointState): Promise<void>;

  /**
   * Puts the tables of `next` in the place of the live ones: a reader sees the old rows or the new ones. `catchUp` is called while the live
   * slot is locked, with its position; it brings `next` at least there and answers with `next` as it is then. Versions before the previous
   * one are dropped. Throws `Superseded` when `next` is not as `catchUp` said.
   */
  replaceLive(next: TableSet, catchUp: (live: LogPosition) => Promise<CheckpointState>): Promise<void>;

  /** Gives `work` the same storage on a connection of its own, on which it never waits for others. */
  reserved<Result>(work: (storage: ReadModelStorage) => Promise<Result>): Promise<Result>;
}

/** A slot after a commit. */
export const stateAfter = (state: CheckpointState, { to, parked }: Commit): CheckpointState => ({
  ...state,
  ...(to ?? { epoch: state.epoch + 1 }),
  blockedStreams:
    parked.length === 0 ? state.blockedStreams : new Set([...state.blockedStreams, ...parked.map(({ event }) => event.stream)]),
});
