import { hash } from 'node:crypto';

import pg from 'pg';

import { logPosition, START, type LogPosition, type Revision, type StreamName } from '#domain/event-store.ts';

import { RefusedValues, Superseded } from '../engine/failures.ts';
import { identityOf, type Place } from '../engine/log-rewind.ts';
import { loading, writings, type Parameter } from './table-sql.ts';
import { completeTable, createTable, quoted, renameTable, slotOf, type Slot, type SlotTable } from '../engine/table-set.ts';
import {
  heldAfter,
  LEASE,
  type AnyRow,
  type ByTable,
  type Changes,
  type Commit,
  type Held,
  type ReadModelStorage,
} from '../engine/read-model-storage.ts';

export const PROGRESS_CHANNEL = 'read_progress';

type Querying = Pick<pg.ClientBase, 'query'>;

const THIS = 'model = $1 and version = $2 and slot = $3';
const keyOf = ({ projector, name }: Slot): [string, number, string] => [projector.name, projector.version, name];

/** SQLSTATE classes that the values of a row bring about: data exception, constraint violation, program limit exceeded. */
const CAUSED_BY_VALUES = new Set(['22', '23', '54']);

/** Runs a query. Throws `RefusedValues` where it is the values themselves that the database refuses. */
const refusing = async <Result>(query: Promise<Result>): Promise<Result> => {
  try {
    return await query;
  } catch (error) {
    if (error instanceof pg.DatabaseError && CAUSED_BY_VALUES.has(error.code?.slice(0, 2) ?? '')) throw new RefusedValues(error);
    throw error;
  }
};

/** Runs `work` in a transaction that the server ends when this process stops in its middle, so that it blocks nobody for longer than a lease. */
export const inTransaction = async <Result>(client: Querying, work: () => Promise<Result>): Promise<Result> => {
  await client.query(`begin; set local idle_in_transaction_session_timeout = ${LEASE}`);
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
export const placeIn = ({ position, event_id, stream, revision }: CheckpointRow): Place => ({
  position: logPosition(position),
  eventId: event_id,
  stream: stream ?? undefined,
  revision: revision ?? undefined,
});

/** Makes the slot's row if there is none. */
export const ensureCheckpoint = async (db: Querying, slot: Slot): Promise<void> => {
  await db.query(
    `insert into read.checkpoints (model, version, slot, tables) values ($1, $2, $3, $4)
     on conflict (model, version, slot) do update set tables = excluded.tables where read.checkpoints.tables <> excluded.tables`,
    [...keyOf(slot), slot.tables.map(({ bareName }) => bareName)],
  );
};

/**
 * What else belongs to the slot is asked by a statement of its own: one that has waited for the lock of the checkpoint sees the row as it is
 * now, and other tables as they were before it waited, so that an epoch would come without the queue that it stands for.
 */
const heldOf = async (db: Querying, slot: Slot, row: CheckpointRow): Promise<Held> => {
  const { rows } = await db.query<{ stalled: StreamName[]; queued: StreamName | null }>(
    `select array(select distinct stream from read.parked where ${THIS}) as stalled,
       (select min(stream) from read.reprojections where ${THIS}) as queued`,
    keyOf(slot),
  );
  const { epoch, holder, built } = row;
  return {
    ...placeIn(row),
    epoch,
    holder,
    built,
    queued: rows[0]?.queued ?? undefined,
    stalled: new Set(rows[0]?.stalled),
  };
};

/** Locks the slot until the transaction ends. Throws `Superseded` when it is not there. */
export const lockSlot = async (client: Querying, slot: Slot): Promise<Held> => {
  const { rows } = await client.query<CheckpointRow>(
    `select ${CHECKPOINT_COLUMNS} from read.checkpoints where ${THIS} for update`,
    keyOf(slot),
  );
  const [row] = rows;
  if (!row) throw new Superseded(`${slot.projector.name} v${slot.projector.version} has no ${slot.name} slot any more`);
  return heldOf(client, slot, row);
};

/** Locks the slot and makes sure that it is as its holder believes it to be. Throws `Superseded` otherwise. */
export const lockHeld = async (client: Querying, slot: Slot, held: Held): Promise<Held> => {
  const locked = await lockSlot(client, slot);
  const { position, eventId, epoch, holder } = locked;
  if (position !== held.position || eventId !== held.eventId || epoch !== held.epoch || holder !== held.holder)
    throw new Superseded(`${slot.projector.name} was moved to ${position} by ${holder ?? 'another process'}`);
  return locked;
};

/** SQL that notifies readers of where `moved` stands: `<model> <version> <position> <epoch> <1 when events are parked, else 0>`. */
const notifying = (parked: string): string =>
  `pg_notify('${PROGRESS_CHANNEL}', concat_ws(' ', model, version, position, epoch, (${parked})::integer))`;

const PARKED = `exists (select from read.parked where (parked.model, parked.version, parked.slot) = (moved.model, moved.version, moved.slot)`;

/** Notifies readers of where the live slot stands. */
export const notifyOf = (client: Querying, model: string, version: number): Promise<unknown> =>
  client.query(`select ${notifying(`${PARKED})`)} from read.checkpoints moved where (model, version, slot) = ($1, $2, 'live')`, [
    model,
    version,
  ]);

const NOTHING: Changes = { put: [], gone: [] };

/**
 * One statement that moves the checkpoint by compare-and-set and writes everything else, or does neither: `moved` locks the checkpoint
 * before any row is touched, since what writes rows first asks whether it has moved.
 */
const committing = (slot: Slot, held: Held, commit: Commit): pg.QueryConfig => {
  const { to, changes, parkings, unknown, unparked, reprojected } = commit;
  const values: unknown[] = [];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const [model, version, name] = keyOf(slot).map(parameter);
  const here = `(model, version, slot) = (${model}, ${version}, ${name})`;
  const isMoved = 'exists (select from moved)';
  const move = to
    ? `position = ${parameter(to.position)}, event_id = ${parameter(to.eventId)}, stream = ${parameter(to.stream)}, revision = ${parameter(to.revision)},
       held_until = clock_timestamp() + ${parameter(LEASE)} * interval '1 ms'`
    : 'epoch = epoch + 1';
  const isUnparked = unparked === undefined ? 'false' : `${here} and position = ${parameter(unparked)}`;
  const moved = `moved as (
    update read.checkpoints set ${move}, unknown_events = unknown_events + ${parameter(unknown)}, moved_at = now()
    where ${here} and position = ${parameter(held.position)} and event_id = ${parameter(held.eventId)} and epoch = ${parameter(held.epoch)}
      and holder is not distinct from ${parameter(held.holder)}
      ${unparked === undefined ? '' : `and exists (select from read.parked where ${isUnparked})`}
    returning *)`;
  const writes = slot.tables.flatMap((table) => writings(table, changes.get(table.name) ?? NOTHING, parameter, isMoved));
  const positions = () => `${parameter(parkings.map(({ event }) => event.position))}::numeric[]`;
  if (parkings.length > 0)
    writes.push(`insert into read.parked (model, version, slot, position, stream, event_id, error)
      select ${model}, ${version}, ${name}, * from unnest(${positions()},
        ${parameter(parkings.map(({ event }) => event.stream))}::text[], ${parameter(parkings.map(({ event }) => identityOf(event)))}::text[],
        ${parameter(parkings.map(({ error }) => error))}::text[])
      where ${isMoved} on conflict (model, version, slot, position) do update set error = excluded.error`);
  if (unparked !== undefined) writes.push(`delete from read.parked where ${isUnparked} and ${isMoved}`);
  if (reprojected !== undefined) {
    const ofStream = `${here} and stream = ${parameter(reprojected)} and ${isMoved}`;
    writes.push(
      `delete from read.reprojections where ${ofStream}`,
      `delete from read.parked where ${ofStream} and position <> all(${positions()})`,
    );
  }
  const notified = slot.name === 'live' ? notifying(parkings.length > 0 ? 'true' : `${PARKED} and not (${isUnparked}))`) : '1';
  const text = `with ${[moved, ...writes.map((write, index) => `write_${index} as (${write})`)].join(', ')} select ${notified} from moved`;
  // Named by its text, of which there are a few for each slot: each is planned once a connection.
  return { name: hash('sha256', text, 'base64url'), text, values };
};

/** How long the tables of a slot may be waited for while it takes the place of another, in ms: beyond `deadlock_timeout`, which ends an autovacuum in the way. */
const RENAME_WITHIN = 1_500;
const ATTEMPTS = 10;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const isLockRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED);

/** Read models in Postgres, schema `read`. */
class PostgresStorage implements ReadModelStorage {
  readonly #db: Querying;

  constructor(
    readonly pool: pg.Pool,
    /** A connection that others do not use at the same time. */
    readonly client?: pg.PoolClient,
  ) {
    this.#db = client ?? pool;
  }

  async claim(slot: Slot, holder: string): Promise<Held | undefined> {
    await ensureCheckpoint(this.#db, slot);
    const { rows } = await this.#db.query<CheckpointRow>(
      `update read.checkpoints set holder = $4, held_until = clock_timestamp() + $5 * interval '1 ms'
       where ${THIS} and (holder is null or holder = $4 or held_until < clock_timestamp())
       returning ${CHECKPOINT_COLUMNS}`,
      [...keyOf(slot), holder, LEASE],
    );
    return rows[0] && heldOf(this.#db, slot, rows[0]);
  }

  async renew(slot: Slot, holder: string): Promise<number> {
    // Beside what the holder is doing, not after it.
    const { rows } = await this.pool.query<{ epoch: number }>(
      `update read.checkpoints set held_until = clock_timestamp() + $5 * interval '1 ms' where ${THIS} and holder = $4 returning epoch`,
      [...keyOf(slot), holder, LEASE],
    );
    if (!rows[0]) throw new Superseded(`${slot.projector.name} was taken over`);
    return rows[0].epoch;
  }

  async release(slot: Slot, holder: string): Promise<void> {
    await this.pool.query(`update read.checkpoints set holder = null, held_until = null where ${THIS} and holder = $4`, [
      ...keyOf(slot),
      holder,
    ]);
  }

  async load(slot: Slot, keys: ByTable<readonly string[]>): Promise<ByTable<readonly AnyRow[]>> {
    const loaded = new Map<string, readonly AnyRow[]>();
    for (const table of slot.tables) {
      const wanted = keys.get(table.name) ?? [];
      if (wanted.length > 0) loaded.set(table.name, await this.#rows(table, wanted));
    }
    return loaded;
  }

  async #rows(table: SlotTable, keys: readonly string[]): Promise<readonly AnyRow[]> {
    const query = { name: `load ${table.bareName}`, text: loading(table), values: [keys] };
    return (await refusing(this.#db.query<AnyRow>(query))).rows;
  }

  async commit(slot: Slot, held: Held, commit: Commit): Promise<Held> {
    const { rowCount } = await refusing(this.#db.query(committing(slot, held, commit)));
    if (rowCount === 0) throw new Superseded(`${slot.projector.name} is no longer at ${held.position}, or has another holder`);
    return heldAfter(held, commit);
  }

  locked<Result>(slot: Slot, work: (held: Held, storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return this.#inTransaction(async (client) => work(await lockSlot(client, slot), new PostgresStorage(this.pool, client)));
  }

  async empty(slot: Slot, held: Held): Promise<Held> {
    await this.#inTransaction(async (client) => {
      await lockHeld(client, slot, held);
      for (const table of slot.tables) {
        await client.query(`drop table if exists ${table.sqlName}`);
        await client.query(createTable(table, slot));
      }
      await client.query(`delete from read.parked where ${THIS}`, keyOf(slot));
      await client.query(`delete from read.reprojections where ${THIS}`, keyOf(slot));
      await client.query(
        `update read.checkpoints set position = 0, event_id = '', stream = null, revision = null, unknown_events = 0 where ${THIS}`,
        keyOf(slot),
      );
    });
    return { ...held, position: START, eventId: '', stream: undefined, revision: undefined, stalled: new Set(), queued: undefined };
  }

  /** Each statement takes long, hence outside of a transaction, once it is sure that the tables are still those of this holder. */
  async index(slot: Slot, held: Held): Promise<void> {
    for (const statement of slot.tables.flatMap((table) => completeTable(table, slot))) {
      await this.#inTransaction((client) => lockHeld(client, slot, held));
      await this.#db.query(statement);
    }
  }

  #inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const onClient = (client: pg.PoolClient) => inTransaction(client, () => work(client));
    return this.client ? onClient(this.client) : onConnection(this.pool, onClient);
  }

  async replaceLive(next: Slot, catchUp: (live: LogPosition) => Promise<Held>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await onConnection(this.pool, (client) => replace(client, next, catchUp));
      } catch (error) {
        // A long query reads the old tables, or a worker's commit has locked them and waits for the checkpoint, which is locked here. Giving
        // way lets them through, and those that have queued up behind us.
        if (!isLockRefused(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  reserved<Result>(work: (storage: ReadModelStorage) => Promise<Result>): Promise<Result> {
    return onConnection(this.pool, (client) => work(new PostgresStorage(this.pool, client)));
  }
}

const replace = (client: pg.PoolClient, next: Slot, catchUp: (live: LogPosition) => Promise<Held>): Promise<void> =>
  inTransaction(client, async () => {
    const live = slotOf(next.projector, 'live');
    await ensureCheckpoint(client, live);
    // Nobody moves the live slot from here on, so what it has and the next one lacks is a few events at most.
    const { position } = await lockSlot(client, live);
    await lockHeld(client, next, await catchUp(position));
    await client.query(`set local lock_timeout = ${RENAME_WITHIN}`);
    for (const [index, table] of next.tables.entries()) {
      const old = live.tables[index];
      for (const statement of old ? renameTable(table, old) : []) await client.query(statement);
    }
    await inherit(client, next);
    await retireOldVersions(client, next);
  });

/** The live slot takes over where the next one stands. The new epoch makes its holder read it anew. */
const inherit = async (client: pg.PoolClient, { projector: { name, version } }: Slot): Promise<void> => {
  const who = [name, version];
  await client.query(`delete from read.parked where model = $1 and version = $2 and slot = 'live'`, who);
  await client.query(`delete from read.reprojections where model = $1 and version = $2 and slot = 'live'`, who);
  await client.query(`update read.parked set slot = 'live' where model = $1 and version = $2 and slot = 'next'`, who);
  // What was queued at the last moment is for the worker.
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
  await notifyOf(client, name, version);
};

/** Drops the tables of versions before the previous one, which stays for a release that is rolled back. */
const retireOldVersions = async (client: pg.PoolClient, { projector: { name, version } }: Slot): Promise<void> => {
  const { rows } = await client.query<{ tables: string[] }>(
    `delete from read.checkpoints where model = $1 and version < coalesce(
       (select max(version) from read.checkpoints where model = $1 and version < $2 and slot = 'live' and built_at is not null), $2)
     returning tables`,
    [name, version],
  );
  for (const table of rows.flatMap(({ tables }) => tables)) await client.query(`drop table if exists read.${quoted(table)}`);
};

export const postgresStorage = (pool: pg.Pool): ReadModelStorage => new PostgresStorage(pool);
