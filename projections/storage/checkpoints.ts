import type pg from 'pg';

import { logPosition, type Revision, type StreamName } from '#domain/event-store.ts';

import { Superseded } from '../follower/failures.ts';
import type { CheckpointEvent } from '../follower/log-rewind.ts';
import { type CheckpointState } from '../engine/read-model-storage.ts';
import { assertUnchanged, LEASE_MS } from '../follower/lease.ts';
import type { TableSet } from '../engine/table-set.ts';

export const PROGRESS_CHANNEL = 'read_progress';

export type Querying = Pick<pg.ClientBase, 'query'>;

export const IS_CHECKPOINT = 'model = $1 and version = $2 and slot = $3';
export const checkpointKey = ({ projector, name }: TableSet): [string, number, string] => [projector.name, projector.version, name];

/** Runs `work` in a transaction. If this process hangs within it, the server ends the transaction after the time of a lease. */
export const inTransaction = async <Result>(client: Querying, work: () => Promise<Result>): Promise<Result> => {
  await client.query(`begin; set local idle_in_transaction_session_timeout = ${LEASE_MS}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // The connection itself may have failed: the first error says more than that of the rollback.
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

export type CheckpointRow = {
  position: bigint;
  event_id: string;
  stream: StreamName | null;
  revision: Revision | null;
  epoch: number;
  holder: string | null;
  built: boolean;
};

export const CHECKPOINT_COLUMNS = 'position, event_id, stream, revision, epoch, holder, built_at is not null as built';

export const readCheckpointEvent = ({
  position,
  event_id,
  stream,
  revision,
}: Pick<CheckpointRow, 'position' | 'event_id' | 'stream' | 'revision'>): CheckpointEvent => ({
  position: logPosition(position),
  eventId: event_id,
  stream: stream ?? undefined,
  revision: revision ?? undefined,
});

export const ensureCheckpoint = async (db: Querying, tableSet: TableSet): Promise<void> => {
  await db.query(
    `insert into read.checkpoints (model, version, slot, tables) values ($1, $2, $3, $4)
     on conflict (model, version, slot) do update set tables = excluded.tables where read.checkpoints.tables <> excluded.tables`,
    [...checkpointKey(tableSet), tableSet.tables.map(({ bareName }) => bareName)],
  );
};

/**
 * Reads parked and queued streams in a separate statement. In the statement that waits for the lock of the checkpoint, a subquery would see
 * other tables as they were before the wait: a new epoch, but without the queued stream that it announces.
 */
export const checkpointState = async (db: Querying, tableSet: TableSet, row: CheckpointRow): Promise<CheckpointState> => {
  const { rows } = await db.query<{ stalled: StreamName[]; queued: StreamName | null }>(
    `select array(select distinct stream from read.parked where ${IS_CHECKPOINT}) as stalled,
       (select min(stream) from read.reprojections where ${IS_CHECKPOINT}) as queued`,
    checkpointKey(tableSet),
  );
  const { epoch, holder, built } = row;
  return {
    ...readCheckpointEvent(row),
    epoch,
    holder,
    built,
    queuedStream: rows[0]?.queued ?? undefined,
    blockedStreams: new Set(rows[0]?.stalled),
  };
};

/** Locks the checkpoint until the transaction ends. Throws `Superseded` when there is none. */
export const lockCheckpoint = async (client: Querying, tableSet: TableSet): Promise<CheckpointState> => {
  const { rows } = await client.query<CheckpointRow>(
    `select ${CHECKPOINT_COLUMNS} from read.checkpoints where ${IS_CHECKPOINT} for update`,
    checkpointKey(tableSet),
  );
  const [row] = rows;
  if (!row) throw new Superseded(`${tableSet.projector.name} v${tableSet.projector.version} has no ${tableSet.name} tables any more`);
  return checkpointState(client, tableSet, row);
};

/** Locks the checkpoint and throws `Superseded` when it is not as expected. */
export const lockExpected = async (client: Querying, tableSet: TableSet, state: CheckpointState): Promise<CheckpointState> => {
  const locked = await lockCheckpoint(client, tableSet);
  assertUnchanged(state, locked);
  return locked;
};

/** Returns SQL that notifies readers of the row `moved`: `<model> <version> <position> <epoch> <1 if events are parked, else 0>`. */
export const notifySql = (parked: string): string =>
  `pg_notify('${PROGRESS_CHANNEL}', concat_ws(' ', model, version, position, epoch, (${parked})::integer))`;

export const HAS_PARKED = `exists (select from read.parked where (parked.model, parked.version, parked.slot) = (moved.model, moved.version, moved.slot)`;

export const notifyReaders = (client: Querying, model: string, version: number): Promise<unknown> =>
  client.query(`select ${notifySql(`${HAS_PARKED})`)} from read.checkpoints moved where (model, version, slot) = ($1, $2, 'live')`, [
    model,
    version,
  ]);
