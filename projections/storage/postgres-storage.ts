import pg from 'pg';

import { logPosition, START, type LogPosition, type StreamName } from '#domain/event-store.ts';

import { RefusedValues, Superseded } from '../follower/failures.ts';
import {
  stateAfter,
  type AnyRow,
  type ByTable,
  type Commit,
  type CheckpointState,
  type ReadModelStorage,
} from '../engine/read-model-storage.ts';
import { postgresLeases } from '../follower/postgres-leases.ts';
import { quoteIdentifier, createTableSet, type TableSet, type StoredTable } from '../engine/table-set.ts';
import {
  CHECKPOINT_COLUMNS,
  ensureCheckpoint,
  checkpointState,
  inTransaction,
  checkpointKey,
  lockExpected,
  lockCheckpoint,
  notifyReaders,
  IS_CHECKPOINT,
  type CheckpointRow,
  type Querying,
} from './checkpoints.ts';
import { onConnection, unlimited } from './connections.ts';
import { commitStatement } from './commit-statement.ts';
import { completeTable, createTable, selectRows, renameTable } from './table-sql.ts';

/** These SQLSTATE classes mean that the values of a row cause the error: data exception, constraint violation, program limit exceeded. */
const CAUSED_BY_VALUES = new Set(['22', '23', '54']);

/** Runs a query. Throws `RefusedValues` when the values cause the error. */
const refusing = async <Result>(query: Promise<Result>): Promise<Result> => {
  try {
    return await query;
  } catch (error) {
    if (error instanceof pg.DatabaseError && CAUSED_BY_VALUES.has(error.code?.slice(0, 2) ?? '')) throw new RefusedValues(error);
    throw error;
  }
};

/** The rename waits this many ms, longer than `deadlock_timeout`, after which a blocking autovacuum is cancelled. */
const RENAME_WITHIN = 1_500;
const ATTEMPTS = 10;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const isLockRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED);

const leases = postgresLeases<CheckpointRow>('read.checkpoints', ['model', 'version', 'slot'], CHECKPOINT_COLUMNS);

class PostgresStorage implements ReadModelStorage {
  readonly #db: Querying;

  constructor(
    readonly pool: pg.Pool,
    /** The storage uses this connection exclusively. */
    readonly client?: pg.PoolClient,
  ) {
    this.#db = client ?? pool;
  }

  async claim(tableSet: TableSet, holder: string): Promise<CheckpointState | undefined> {
    await ensureCheckpoint(this.#db, tableSet);
    const row = await leases.claim((query) => this.#db.query(query), checkpointKey(tableSet), holder);
    return row && checkpointState(this.#db, tableSet, row);
  }

  /** On another connection, so that it does not wait for what the holder is doing. */
  renew(tableSet: TableSet, holder: string): Promise<number> {
    return leases.renew((query) => this.pool.query(query), checkpointKey(tableSet), holder);
  }

  release(tableSet: TableSet, holder: string): Promise<void> {
    return leases.release((query) => this.pool.query(query), checkpointKey(tableSet), holder);
  }

  async load(tableSet: TableSet, keys: ByTable<readonly string[]>): Promise<ByTable<readonly AnyRow[]>> {
    const loaded = new Map<string, readonly AnyRow[]>();
    for (const table of tableSet.tables) {
      const wanted = keys.get(table.name) ?? [];
      if (wanted.length > 0) loaded.set(table.name, await this.#rows(table, wanted));
    }
    return loaded;
  }

  async #rows(table: StoredTable, keys: readonly string[]): Promise<readonly AnyRow[]> {
    const query = { name: `load ${table.bareName}`, text: selectRows(table), values: [keys] };
    return (await refusing(this.#db.query<AnyRow>(query))).rows;
  }

  async commit(tableSet: TableSet, state: CheckpointState, commit: Commit): Promise<CheckpointState> {
    const { rowCount } = await refusing(this.#db.query(commitStatement(tableSet, state, commit)));
    if (rowCount === 0) throw new Superseded(`${tableSet.projector.name} is no longer at ${state.position}, or has another holder`);
    return stateAfter(state, commit);
  }

  async parkedStreams(tableSet: TableSet): Promise<readonly StreamName[]> {
    const query = `select stream from read.parked where ${IS_CHECKPOINT} group by stream order by min(position)`;
    return (await this.#db.query<{ stream: StreamName }>(query, checkpointKey(tableSet))).rows.map(({ stream }) => stream);
  }

  async firstParked(tableSet: TableSet, stream: StreamName): Promise<LogPosition | undefined> {
    const query = `select position from read.parked where ${IS_CHECKPOINT} and stream = $4 order by position limit 1`;
    const { rows } = await this.#db.query<{ position: bigint }>(query, [...checkpointKey(tableSet), stream]);
    return rows[0] && logPosition(rows[0].position);
  }

  locked<Result>(tableSet: TableSet, work: (state: CheckpointState, storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return this.#inTransaction(async (client) => work(await lockCheckpoint(client, tableSet), new PostgresStorage(this.pool, client)));
  }

  async empty(tableSet: TableSet, state: CheckpointState): Promise<CheckpointState> {
    await this.#inTransaction(async (client) => {
      await lockExpected(client, tableSet, state);
      for (const table of tableSet.tables) {
        await client.query(`drop table if exists ${table.sqlName}`);
        await client.query(createTable(table, tableSet));
      }
      await client.query(`delete from read.parked where ${IS_CHECKPOINT}`, checkpointKey(tableSet));
      await client.query(`delete from read.reprojections where ${IS_CHECKPOINT}`, checkpointKey(tableSet));
      await client.query(
        `update read.checkpoints set position = 0, event_id = '', stream = null, revision = null, unknown_events = 0 where ${IS_CHECKPOINT}`,
        checkpointKey(tableSet),
      );
    });
    return {
      ...state,
      position: START,
      eventId: '',
      stream: undefined,
      revision: undefined,
      blockedStreams: new Set(),
      queuedStream: undefined,
    };
  }

  /** Indexes take long, so each statement runs outside a transaction, after a check that this process still holds the lease. */
  async index(tableSet: TableSet, state: CheckpointState): Promise<void> {
    for (const statement of tableSet.tables.flatMap((table) => completeTable(table, tableSet))) {
      await this.#inTransaction((client) => lockExpected(client, tableSet, state));
      await this.#db.query(unlimited(statement));
    }
  }

  #inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const onClient = (client: pg.PoolClient) => inTransaction(client, () => work(client));
    return this.client ? onClient(this.client) : onConnection(this.pool, onClient);
  }

  async replaceLive(next: TableSet, catchUp: (live: LogPosition) => Promise<CheckpointState>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await onConnection(this.pool, (client) => replace(client, next, catchUp));
      } catch (error) {
        // A long query reads the old tables, or a worker's commit has locked them and waits for the checkpoint, which is locked here. The
        // rollback lets these continue, and everything that waits for this transaction.
        if (!isLockRefused(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  reserved<Result>(work: (storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return onConnection(this.pool, (client) => work(new PostgresStorage(this.pool, client)));
  }
}

const replace = (client: pg.PoolClient, next: TableSet, catchUp: (live: LogPosition) => Promise<CheckpointState>): Promise<void> =>
  inTransaction(client, async () => {
    const live = createTableSet(next.projector, 'live');
    await ensureCheckpoint(client, live);
    // No process can move the live checkpoint from here on, so `next` lacks a few events at most.
    const { position } = await lockCheckpoint(client, live);
    await lockExpected(client, next, await catchUp(position));
    await client.query(`set local lock_timeout = ${RENAME_WITHIN}`);
    for (const [index, table] of next.tables.entries()) {
      const old = live.tables[index];
      for (const statement of old ? renameTable(table, old) : []) await client.query(statement);
    }
    await inherit(client, next);
    await retireOldVersions(client, next);
  });

/** Moves checkpoint, parked events and queue from `next` to `live`. The new epoch makes the holder read the checkpoint again. */
const inherit = async (client: pg.PoolClient, { projector: { name, version } }: TableSet): Promise<void> => {
  const who = [name, version];
  await client.query(`delete from read.parked where model = $1 and version = $2 and slot = 'live'`, who);
  await client.query(`delete from read.reprojections where model = $1 and version = $2 and slot = 'live'`, who);
  await client.query(`update read.parked set slot = 'live' where model = $1 and version = $2 and slot = 'next'`, who);
  // The worker reprojects streams that were queued in the last moment.
  await client.query(`update read.reprojections set slot = 'live' where model = $1 and version = $2 and slot = 'next'`, who);
  await client.query(
    `update read.checkpoints live
     set position = next.position, event_id = next.event_id, stream = next.stream, revision = next.revision,
         unknown_events = next.unknown_events, epoch = live.epoch + 1, built_at = now(), moved_at = now()
     from read.checkpoints next
     where (live.model, live.version, live.slot) = ($1, $2, 'live') and (next.model, next.version, next.slot) = ($1, $2, 'next')`,
    who,
  );
  await client.query(`delete from read.checkpoints where model = $1 and version = $2 and slot = 'next'`, who);
  await notifyReaders(client, name, version);
};

/** Drops the tables of all versions before the previous one, which is kept for a rollback of the release. */
const retireOldVersions = async (client: pg.PoolClient, { projector: { name, version } }: TableSet): Promise<void> => {
  const { rows } = await client.query<{ tables: string[] }>(
    `delete from read.checkpoints where model = $1 and version < coalesce(
       (select max(version) from read.checkpoints where model = $1 and version < $2 and slot = 'live' and built_at is not null), $2)
     returning tables`,
    [name, version],
  );
  for (const table of rows.flatMap(({ tables }) => tables)) await client.query(`drop table if exists read.${quoteIdentifier(table)}`);
};

export const postgresStorage = (pool: pg.Pool): ReadModelStorage => new PostgresStorage(pool);
