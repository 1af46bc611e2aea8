import { sql } from 'kysely';

import { logPosition, START, type LogPosition } from '#domain/event-store.ts';
import { LEASE, type Checkpoint } from '#projections/checkpoint.ts';
import { Superseded } from '#projections/failures.ts';

import { inserting, type OutboxRow } from '../mail/outbox.ts';
import type { ShopDatabase } from '../shop-tables.ts';

/** A reaction's place in the log as its holder knows it. */
export type Held = Pick<Checkpoint, 'position' | 'eventId'> & { readonly name: string; readonly holder: string };

export const BEGINNING = { position: START, eventId: '' } as const;

const heldUntil = sql<Date>`clock_timestamp() + ${sql.lit(LEASE)} * interval '1 ms'`;

/** Takes the reaction, when nobody holds it or its holder has been silent for longer than the lease. Otherwise `undefined`. */
export const claim = async (db: ShopDatabase, name: string, holder: string): Promise<Held | undefined> => {
  await db
    .insertInto('reactions')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await db
    .updateTable('reactions')
    .set({ holder, held_until: heldUntil })
    .where('name', '=', name)
    .where(({ eb, or }) => or([eb('holder', 'is', null), eb('holder', '=', holder), eb('held_until', '<', sql<Date>`clock_timestamp()`)]))
    .returning(['position', 'event_id'])
    .executeTakeFirst();
  return row && { name, holder, position: logPosition(BigInt(row.position)), eventId: row.event_id };
};

/** Says that the holder is still there. Throws `Superseded` when it no longer is the holder. */
export const renew = async (db: ShopDatabase, name: string, holder: string): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('reactions')
    .set({ held_until: heldUntil })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Superseded(`${name} was taken over`);
};

/** Lets the next one in without waiting for the lease to end. */
export const release = async (db: ShopDatabase, name: string, holder: string): Promise<void> => {
  await db.updateTable('reactions').set({ holder: null, held_until: null }).where('name', '=', name).where('holder', '=', holder).execute();
};

type Place = { readonly position: LogPosition; readonly eventId: string };

/** Moves the checkpoint to `place`, by compare-and-set on the old position, event and holder. Throws `Superseded` when somebody else has. */
export const move = async (db: ShopDatabase, held: Held, { position, eventId }: Place): Promise<Held> => {
  const { numUpdatedRows } = await db
    .updateTable('reactions')
    .set({ position: String(position), event_id: eventId, held_until: heldUntil })
    .where('name', '=', held.name)
    .where('position', '=', String(held.position))
    .where('event_id', '=', held.eventId)
    .where('holder', '=', held.holder)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Superseded(`${held.name} is no longer at ${held.position}`);
  return { ...held, position, eventId };
};

/** Moves the checkpoint, and puts these mails into the outbox, by one statement. Throws `Superseded` as `move` does: then nothing was put. */
export const moveAndPut = async (
  db: ShopDatabase,
  held: Held,
  { position, eventId }: Place,
  mails: readonly OutboxRow[],
): Promise<Held> => {
  const { rows } = await sql`with moved as (
      update shop.reactions set position = ${String(position)}, event_id = ${eventId}, held_until = ${heldUntil}
      where name = ${held.name} and position = ${String(held.position)} and event_id = ${held.eventId} and holder = ${held.holder}
      returning name
    ), put as (${inserting(mails, sql`exists (select from moved)`)})
    select name from moved`.execute(db);
  if (rows.length === 0) throw new Superseded(`${held.name} is no longer at ${held.position}`);
  return { ...held, position, eventId };
};

/**
 * Runs `work` in the transaction that moves the checkpoint. Throws `Superseded` when somebody else has moved it: then nothing was done. The
 * server ends the transaction of a process that stops in its middle.
 */
export const moving = (db: ShopDatabase, held: Held, place: Place, work: (tx: ShopDatabase) => Promise<void>): Promise<Held> =>
  db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LEASE)}`.execute(tx);
    const moved = await move(tx, held, place);
    await work(tx);
    return moved;
  });
