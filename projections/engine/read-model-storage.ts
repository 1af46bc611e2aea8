import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import type { CheckpointStorage } from '../follower/lease.ts';
import type { CheckpointEvent } from '../follower/log-rewind.ts';
import type { TableSet } from './table-set.ts';

export type AnyRow = Readonly<Record<string, unknown>>;

/** The map has a value for each table of a read model, by the projector's name of the table. */
export type ByTable<Of> = ReadonlyMap<string, Of>;

/** The changes of a table are rows to insert or replace (in a `sums` table: to add), and keys of rows to delete. */
export type RowChanges = { readonly upserts: readonly AnyRow[]; readonly deletes: readonly string[] };

/** `epoch` is raised when a process without the lease changes the rows: a retry, a rebuild, an erasure. */
export type Checkpoint = CheckpointEvent & { readonly epoch: number };

/** The checkpoint is kept as it was read. A commit succeeds only if position, event, epoch and holder are still the same. */
export type CheckpointState = Checkpoint & {
  readonly holder: string | null;
  readonly built: boolean;
  /** These streams have a parked event, so that their later events are parked too. */
  readonly blockedStreams: ReadonlySet<StreamName>;
  /** This stream is the first that is queued for reprojection. */
  readonly queuedStream: StreamName | undefined;
};

/** The event failed, or it follows a failed event of its stream. */
export type ParkedEvent = { readonly event: Recorded; readonly error: string };

/** A commit is written in one transaction. */
export type Commit = {
  /** If it is missing, the position stays and the epoch is raised, so that the holder reads the checkpoint again. */
  readonly to?: CheckpointEvent;
  readonly changes: ByTable<RowChanges>;
  readonly parked: readonly ParkedEvent[];
  /** Counts the events whose type this release does not know. */
  readonly unknown: number;
  /** This parked event was applied; the commit fails if it is no longer parked. */
  readonly unparked?: LogPosition;
  /** This stream was reprojected: it leaves the queue, and only the events in `parked` stay parked. */
  readonly reprojected?: StreamName;
};

/**
 * Postgres, or memory in simulations. Calls on the same tables wait for each other. `commit` also notifies readers if the tables are live,
 * and throws `RefusedValues` when a row cannot be stored; then nothing was written.
 */
export interface ReadModelStorage extends CheckpointStorage<TableSet, CheckpointState, Commit> {
  /** Loads the rows with these keys. Throws `RefusedValues` when a key is not valid. */
  load(tableSet: TableSet, keys: ByTable<readonly string[]>): Promise<ByTable<readonly AnyRow[]>>;

  /** Returns the streams with parked events, first the one that was parked first. */
  parkedStreams(tableSet: TableSet): Promise<readonly StreamName[]>;

  firstParked(tableSet: TableSet, stream: StreamName): Promise<LogPosition | undefined>;

  /** Runs `work` in a transaction that locks the checkpoint. Throws `Superseded` when there is none. */
  locked<Result>(tableSet: TableSet, work: (state: CheckpointState, storage: ReadModelStorage) => Promise<Result>): Promise<Result>;

  /** Creates the tables again, empty, and moves the checkpoint before the first event. Throws `Superseded` as `commit` does. */
  empty(tableSet: TableSet, state: CheckpointState): Promise<CheckpointState>;

  /** Creates indexes and statistics, after the rows are written. */
  index(tableSet: TableSet, state: CheckpointState): Promise<void>;

  /**
   * Replaces the live tables by `next` in one transaction. `catchUp` is called with the position of the live tables while their checkpoint
   * is locked; it brings `next` at least to that position and returns its checkpoint. Drops versions before the previous one. Throws
   * `Superseded` when `next` is not at the checkpoint that `catchUp` returned.
   */
  replaceLive(next: TableSet, catchUp: (live: LogPosition) => Promise<CheckpointState>): Promise<void>;

  /** Runs `work` with a storage on a connection of its own, so that it never waits for a free one. */
  reserved<Result>(work: (storage: ReadModelStorage) => Promise<Result>): Promise<Result>;
}

export const stateAfter = (state: CheckpointState, { to, parked }: Commit): CheckpointState => ({
  ...state,
  ...(to ?? { epoch: state.epoch + 1 }),
  blockedStreams:
    parked.length === 0 ? state.blockedStreams : new Set([...state.blockedStreams, ...parked.map(({ event }) => event.stream)]),
});
