import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

import { migrateToLatest } from '#projections/migrate.ts';

import * as log from './2026-11-21-log.ts';
import * as subjectKeys from './2026-11-21-subject-keys.ts';
import * as accounts from './2026-11-22-accounts.ts';
import * as outbox from './2026-11-22-outbox.ts';
import * as sessions from './2026-11-22-sessions.ts';
import * as cartSnapshots from './2026-11-23-cart-snapshots.ts';
import * as orders from './2026-11-24-orders.ts';

/** By name, in the order in which they are made. Listed, not found in a folder: the server also runs from a bundle, which has no folder. */
export const migrations = {
  '2026-11-21-log': log,
  '2026-11-21-subject-keys': subjectKeys,
  '2026-11-22-accounts': accounts,
  '2026-11-22-outbox': outbox,
  '2026-11-22-sessions': sessions,
  '2026-11-23-cart-snapshots': cartSnapshots,
  '2026-11-24-orders': orders,
};

/**
 * Brings the schemas `log` and `shop` up to date: facts and rows that are the truth, so nothing is ever dropped here. Safe in many
 * processes at once: they take turns. Throws the error of the migration that failed; the ones before it stay made.
 */
export const migrateShop = async (connectionString: string): Promise<void> => {
  const pool = new pg.Pool({ connectionString, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`create schema if not exists shop`.execute(db);
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    await migrateToLatest(new Migrator({ db, provider, migrationTableSchema: 'shop' }));
  } finally {
    await db.destroy();
  }
};
