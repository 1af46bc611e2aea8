import type pg from 'pg';

import { logPosition, type LogPosition, type StreamName } from '#domain/event-store.ts';

import { Superseded } from './failures.ts';
import type { Slot } from './slot.ts';

/** Up to where a slot has applied the log. Its `epoch` grows when others than its holder change its rows: a retry, a rebuild. */
export type Checkpoint = { readonly position: LogPosition; readonly eventId: string; readonly epoch: number };

/** A slot as its holder knows it. */
export type Held = Checkpoint & {
  readonly holder: string;
  /** Whether its tables are complete. */
  readonly built: boolean;
  /** Streams with a parked event: what follows in them is parked too. */
  readonly parked: ReadonlySet<StreamName>;
};

/** How long a holder that gives no sign keeps others out, in milliseconds. The clock is the database's. */
export const LEASE = 3_000;

export const PROGRESS_CHANNEL = 'read_progress';

/** SQL that tells where a row of `read.checkpoints` stands: `<model> <version> <position> <epoch> <1 when events are parked, else 0>`. */
export const NOTIFY_PROGRESS = `pg_notify('${PROGRESS_CHANNEL}', concat_ws(' ', model, version, position, epoch,
  (exists (select 1 from read.parked where (parked.model, parked.version, parked.slot) = (moved.model, moved.version, 'live')))::integer))`;

type Querying = Pick<pg.ClientBase, 'query'>;

const THIS = 'model = $1 and version = $2 and slot = $3';
const whoIs = ({ projector, name }: Slot): [string, number, string] => [projector.name, projector.version, name];

/** Makes the slot's row if there is none. */
export const ensureCheckpoint = async (db: Querying, slot: Slot): Promise<void> => {
  await db.query(
    `insert into read.checkpoints (model, version, slot, tables) values ($1, $2, $3, $4)
     on conflict (model, version, slot) do update set tables = excluded.tables where read.checkpoints.tables <> excluded.tables`,
    [...whoIs(slot), slot.tables.map(({ bareName }) => bareName)],
  );
};

type Locked = Checkpoint & { readonly holder: string | null; readonly built: boolean };
type Claimed = { position: bigint; event_id: string; epoch: number; built: boolean };

/** Takes the slot, when nobody holds it or its holder has been silent for longer than the lease. Otherwise `undefined`. */
export const claim = async (db: Querying, slot: Slot, holder: string): Promise<Held | undefined> => {
  const { rows } = await db.query<Claimed>(
    `update read.checkpoints set holder = $4, held_until = clock_timestamp() + $5 * interval '1 ms'
     where ${THIS} and (holder is null or holder = $4 or held_until < clock_timestamp())
     returning position, event_id, epoch, built_at is not null as built`,
    [...whoIs(slot), holder, LEASE],
  );
  const [row] = rows;
  if (!row) return undefined;
  const stalled = await db.query<{ stream: StreamName }>(`select distinct stream from read.parked where ${THIS}`, whoIs(slot));
  return {
    position: logPosition(row.position),
    eventId: row.event_id,
    epoch: row.epoch,
    built: row.built,
    holder,
    parked: new Set(stalled.rows.map(({ stream }) => stream)),
  };
};

/** Says that the holder is still there. Throws `Superseded` when it no longer is the holder. */
export const renew = async (db: Querying, slot: Slot, holder: string): Promise<void> => {
  const { rowCount } = await db.query(
    `update read.checkpoints set held_until = clock_timestamp() + $5 * interval '1 ms' where ${THIS} and holder = $4`,
    [...whoIs(slot), holder, LEASE],
  );
  if (rowCount === 0) throw new Superseded(`${slot.projector.name} was taken over`);
};

/** Lets the next one in without waiting for the lease to end. */
export const release = async (db: Querying, slot: Slot, holder: string): Promise<void> => {
  await db.query(`update read.checkpoints set holder = null, held_until = null where ${THIS} and holder = $4`, [...whoIs(slot), holder]);
};

/** Locks the row until the transaction ends. */
export const lockCheckpoint = async (client: Querying, slot: Slot): Promise<Locked> => {
  const { rows } = await client.query<Claimed & { holder: string | null }>(
    `select position, event_id, epoch, holder, built_at is not null as built from read.checkpoints where ${THIS} for update`,
    whoIs(slot),
  );
  const [row] = rows;
  if (!row) throw new Superseded(`${slot.projector.name} v${slot.projector.version} has no ${slot.name} slot any more`);
  return { position: logPosition(row.position), eventId: row.event_id, epoch: row.epoch, holder: row.holder, built: row.built };
};

/** Locks the row and makes sure that it is as its holder believes it to be. Throws `Superseded` otherwise. */
export const lockHeld = async (client: Querying, slot: Slot, held: Held): Promise<void> => {
  const { position, eventId, epoch, holder } = await lockCheckpoint(client, slot);
  if (position !== held.position || eventId !== held.eventId || epoch !== held.epoch || holder !== held.holder)
    throw new Superseded(`${slot.projector.name} was moved to ${position} by ${holder ?? 'another process'}`);
};

type Move = { readonly position: LogPosition; readonly eventId: string; readonly unknown: number };

/**
 * Moves the checkpoint by compare-and-set on the old position and event, renews the lease, and tells who listens, all when the
 * transaction commits. Throws `Superseded` when it is not where `held` says.
 */
export const moveCheckpoint = async (client: Querying, slot: Slot, held: Held, { position, eventId, unknown }: Move): Promise<void> => {
  const { rowCount } = await client.query(
    `with moved as (
       update read.checkpoints
       set position = $7, event_id = $8, unknown_events = unknown_events + $9, moved_at = now(),
           held_until = clock_timestamp() + $10 * interval '1 ms'
       where ${THIS} and position = $4 and event_id = $5 and holder = $6
       returning *
     )
     select case when slot = 'live' then ${NOTIFY_PROGRESS} end from moved`,
    [...whoIs(slot), held.position, held.eventId, held.holder, position, eventId, unknown, LEASE],
  );
  if (rowCount === 0) throw new Superseded(`${slot.projector.name} is no longer at ${held.position}`);
};

/**
 * The parts of one statement that move the checkpoint as `moveCheckpoint` does (`moved` has a row then), and tell who listens. It stays
 * where it is when it is not as `held` says, or when somebody has locked it at this moment: waiting for them with rows in hand would have
 * both wait for each other.
 */
export const movingIfFree = (slot: Slot, held: Held, { position, eventId, unknown }: Move, parameter: (value: unknown) => string) => {
  const [model, version, name] = whoIs(slot).map(parameter);
  const found = `position = ${parameter(held.position)} and event_id = ${parameter(held.eventId)}`;
  const mine = `epoch = ${parameter(held.epoch)} and holder = ${parameter(held.holder)}`;
  const here = `model = ${model} and version = ${version} and slot = ${name}`;
  return {
    move: [
      `free as (select from read.checkpoints where ${here} and ${found} and ${mine} for update skip locked)`,
      `moved as (
         update read.checkpoints
         set position = ${parameter(position)}, event_id = ${parameter(eventId)}, unknown_events = unknown_events + ${parameter(unknown)},
             moved_at = now(), held_until = clock_timestamp() + ${parameter(LEASE)} * interval '1 ms'
         where ${here} and exists (select from free)
         returning *
       )`,
    ],
    tell: `select case when slot = 'live' then ${NOTIFY_PROGRESS} end from moved`,
  };
};

/** Begins a transaction that the server ends when this process stops in its middle, so that it blocks nobody for longer than a lease. */
export const begin = async (client: Querying): Promise<void> => {
  await client.query(`begin; set local idle_in_transaction_session_timeout = ${LEASE}`);
};

/** Runs `work` in such a transaction. */
export const inTransaction = async <Result>(client: Querying, work: () => Promise<Result>): Promise<Result> => {
  await begin(client);
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
