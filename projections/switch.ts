import type pg from 'pg';

import type { Feed } from '#domain/event-store.ts';

import { applyWithin } from './apply.ts';
import { inTransaction, lockCheckpoint, lockHeld, NOTIFY_PROGRESS, type Held } from './checkpoint.ts';
import { pagesOf } from './pages.ts';
import { quoted, renameTable, slotOf, type Slot } from './slot.ts';

/**
 * How long the switch waits for queries that are reading the old tables, in milliseconds, while new ones wait behind it. Longer than
 * Postgres' `deadlock_timeout` of a second, after which it ends an autovacuum that stands in the way: until then that only goes on.
 */
const PATIENCE = 1_500;
const ATTEMPTS = 10;
const LOCK_NOT_AVAILABLE = '55P03';

const renameAll = async (client: pg.ClientBase, next: Slot, live: Slot): Promise<void> => {
  for (const [index, table] of next.tables.entries()) {
    const old = live.tables[index];
    if (!old) continue;
    for (const statement of renameTable(table, old)) await client.query(statement);
  }
};

/** The live slot takes over where the next one stands. The new epoch makes its holder read it anew. */
const inherit = async (client: pg.ClientBase, { name, version }: Slot['projector']): Promise<void> => {
  const who = [name, version];
  await client.query(`delete from read.parked where model = $1 and version = $2 and slot = 'live'`, who);
  await client.query(`update read.parked set slot = 'live' where model = $1 and version = $2 and slot = 'next'`, who);
  await client.query(
    `update read.checkpoints live
     set position = next.position, event_id = next.event_id, unknown_events = next.unknown_events, tables = live.tables,
         epoch = live.epoch + 1, built_at = now(), moved_at = now()
     from read.checkpoints next
     where (live.model, live.version, live.slot) = ($1, $2, 'live') and (next.model, next.version, next.slot) = ($1, $2, 'next')`,
    who,
  );
  await client.query(`delete from read.checkpoints where model = $1 and version = $2 and slot = 'next'`, who);
  await client.query(`select ${NOTIFY_PROGRESS} from read.checkpoints moved where model = $1 and version = $2 and slot = 'live'`, who);
};

const switchOnce = (client: pg.ClientBase, next: Slot, feed: Feed, held: Held): Promise<void> =>
  inTransaction(client, async () => {
    const live = slotOf(next.projector, 'live');
    // Nobody moves the live slot from here on, so what it has and the next one lacks is these few events at most.
    const { position } = await lockCheckpoint(client, live);
    await lockHeld(client, next, held);
    let now = held;
    if (position > now.position) {
      for await (const page of pagesOf(feed, now.position, next.projector.categories, position)) {
        now = (await applyWithin(client, next, now, page, 'oneByOne')).held;
      }
    }
    await client.query(`set local lock_timeout = ${PATIENCE}`);
    await renameAll(client, next, live);
    await inherit(client, next.projector);
  });

const isLockNotAvailable = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;

/**
 * Puts the next slot in the place of the live one, in one transaction: a reader sees the old rows or the new ones, and never a
 * position lower than one seen before. Throws `Superseded` when the next slot is not as `held` says.
 */
export const switchSlots = async (client: pg.ClientBase, next: Slot, feed: Feed, held: Held): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await switchOnce(client, next, feed, held);
    } catch (error) {
      // A long query reads the old tables. Giving way lets those through that have queued up behind us.
      if (!isLockNotAvailable(error) || attempt === ATTEMPTS) throw error;
    }
  }
};

/** Drops the tables of versions before the previous one, which stays for a release that is rolled back. */
export const retireOldVersions = async (client: pg.ClientBase, { name, version }: Slot['projector']): Promise<void> => {
  const { rows } = await client.query<{ version: number; tables: string[] }>(
    `select version, tables from read.checkpoints
     where model = $1 and version < coalesce(
       (select max(version) from read.checkpoints where model = $1 and version < $2 and slot = 'live' and built_at is not null), $2)`,
    [name, version],
  );
  for (const old of rows) {
    for (const table of old.tables) await client.query(`drop table if exists read.${quoted(table)}`);
    await client.query('delete from read.checkpoints where model = $1 and version = $2', [name, old.version]);
  }
};
