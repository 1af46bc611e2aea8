import type pg from 'pg';

import { logPosition, type Revision, type StreamName } from '#domain/event-store.ts';

import { Superseded } from '../engine/failures.ts';
import type { CheckpointEvent } from '../engine/log-rewind.ts';
import { LEASE_MS, type CheckpointState } from '../engine/read-model-storage.ts';
import type { TableSet } from '../engine/table-set.ts';

export const PROGRESS_CHANNEL = 'read_progress';

export type Querying = Pick<pg.ClientBase, 'query'>;

export const THIS = 'model = $1 and version = $2 and slot = $3';
export const keyOf = ({ projector, name }: TableSet): [string, number, string] => [projector.name, projector.version, name];

/** Runs `work` in a transaction that the server ends when this process stops in its middle, so that it blocks nobody for longer than a lease. */
export const inTransaction = async <Result>(client: Querying, work: () => Promise<Result>): Promise<Result> => {
  await client.query(`begin; set local idle_in_transaction_session_timeout = ${LEASE_MS}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // The connection may be what failed: the first error tells more than that its rollback failed as well.
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

/** Runs `work` on a connection of the pool, which is thrown away when that fails: it may stand in the middle of a transaction. */
export const onConnection = async <Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect();
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
};

/** A row of `read.checkpoints`. */
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

/** Where a checkpoint stands. */
export const checkpointEventIn = ({ position, event_id, stream, revision }: CheckpointRow): CheckpointEvent => ({
  position: logPosition(position),
  eventId: event_id,
  stream: stream ?? undefined,
  revision: revision ?? undefined,
});

/** Makes the slot's row if there is none. */
export const ensureCheckpoint = async (db: Querying, tableSet: TableSet): Promise<void> => {
  await db.query(
    `insert into read.checkpoints (model, version, slot, tables) values ($1, $2, $3, $4)
     on conflict (model, version, slot) do update set tables = excluded.tables where read.checkpoints.tables <> excluded.tables`,
    [...keyOf(tableSet), tableSet.tables.map(({ bareName }) => bareName)],
  );
};

/**
 * What else belongs to the slot is asked by a statement of its own: one that has waited for the lock of the checkpoint sees the row as it is
 * now, and other tables as they were before it waited, so that an epoch would come without the queue that it stands for.
 */
export const stateOf = async (db: Querying, tableSet: TableSet, row: CheckpointRow): Promise<CheckpointState> => {
  const { rows } = await db.query<{ stalled: StreamName[]; queued: StreamName | null }>(
    `select array(select distinct stream from read.parked where ${THIS}) as stalled,
       (select min(stream) from read.reprojections where ${THIS}) as queued`,
    keyOf(tableSet),
  );
  const { epoch, holder, built } = row;
  return {
    ...checkpointEventIn(row),
    epoch,
    holder,
    built,
    queuedStream: rows[0]?.queued ?? undefined,
    blockedStreams: new Set(rows[0]?.stalled),
  };
};

/** Locks the slot until the transaction ends. Throws `Superseded` when it is not there. */
export const lockCheckpoint = async (client: Querying, tableSet: TableSet): Promise<CheckpointState> => {
  const { rows } = await client.query<CheckpointRow>(
    `select ${CHECKPOINT_COLUMNS} from read.checkpoints where ${THIS} for update`,
    keyOf(tableSet),
  );
  const [row] = rows;
  if (!row) throw new Superseded(`${tableSet.projector.name} v${tableSet.projector.version} has no ${tableSet.name} slot any more`);
  return stateOf(client, tableSet, row);
};

/** Locks the slot and makes sure that it is as its holder believes it to be. Throws `Superseded` otherwise. */
export const lockExpected = async (client: Querying, tableSet: TableSet, state: CheckpointState): Promise<CheckpointState> => {
  const locked = await lockCheckpoint(client, tableSet);
  const { position, eventId, epoch, holder } = locked;
  if (position !== state.position || eventId !== state.eventId || epoch !== state.epoch || holder !== state.holder)
    throw new Superseded(`${tableSet.projector.name} was moved to ${position} by ${holder ?? 'another process'}`);
  return locked;
};

/** SQL that notifies readers of where `moved` stands: `<model> <version> <position> <epoch> <1 when events are parked, else 0>`. */
export const notifying = (parked: string): string =>
  `pg_notify('${PROGRESS_CHANNEL}', concat_ws(' ', model, version, position, epoch, (${parked})::integer))`;

export const PARKED = `exists (select from read.parked where (parked.model, parked.version, parked.slot) = (moved.model, moved.version, moved.slot)`;

/** Notifies readers of where the live slot stands. */
export const notifyReaders = (client: Querying, model: string, version: number): Promise<unknown> =>
  client.query(`select ${notifying(`${PARKED})`)} from read.checkpoints moved where (model, version, slot) = ($1, $2, 'live')`, [
    model,
    version,
  ]);
