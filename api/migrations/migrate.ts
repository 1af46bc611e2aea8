import { createHash } from 'node:crypto';
import { Kysely, sql } from 'kysely';
import pg from 'pg';

import { ensureSchema, migrateToLatest } from '#projections/migrations/migrate-read-models.ts';
import { createDialect } from '#projections/storage/connections.ts';

import { APPEND_FUNCTION } from '../event-store/postgres/append-function.ts';
import { AT_START } from '../platform/postgres/postgres-client.ts';
import * as baseline from './0001-baseline.ts';

/** Migrations run in the order of their numbers. They are imported, because the bundled server has no folder of migrations. */
export const migrations = { '0001-baseline': baseline };

/** The key of an advisory lock, so that concurrent processes replace functions one after another. */
const REPLACING = 7_240_614;

/** Replaces `log.append` when its text has changed: a comment on the function is the hash of its text. */
const replaceFunctions = (db: Kysely<unknown>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${REPLACING})`.execute(tx);
    const { rows } = await sql<{ hash: string | null }>`
      select obj_description(oid, 'pg_proc') as hash from pg_proc where pronamespace = 'log'::regnamespace and proname = 'append'`.execute(
      tx,
    );
    const hash = createHash('sha256').update(APPEND_FUNCTION).digest('hex');
    if (rows[0]?.hash === hash) return;
    // With other arguments the old one would stay beside the new one. Rights are granted at every start.
    await sql`drop function if exists log.append`.execute(tx);
    await sql.raw(APPEND_FUNCTION).execute(tx);
    await sql`comment on function log.append is ${sql.lit(hash)}`.execute(tx);
  });

/**
 * Migrates the schemas `log` and `shop`, whose data cannot be recomputed, so that no migration may drop any. Many processes may call this
 * at once. Throws the error of the failed migration; those before it stay applied. `until` is the last migration to run, for an empty
 * database.
 */
export const migrateShop = async (connectionString: string, until?: string): Promise<void> => {
  const pool = new pg.Pool({ ...AT_START, connectionString, max: 1 });
  // Without listeners, the error of a connection that breaks between two queries would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: createDialect(pool) });
  try {
    await ensureSchema(db, 'log');
    const wanted = Object.entries(migrations).filter(([name]) => until === undefined || name <= until);
    await migrateToLatest(db, 'shop', Object.fromEntries(wanted));
    await replaceFunctions(db);
  } finally {
    await db.destroy();
  }
};
