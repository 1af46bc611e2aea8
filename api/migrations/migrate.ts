import { Kysely, sql } from 'kysely';
import pg from 'pg';

import { ensureSchema, migrateToLatest } from '#projections/migrations/migrate-read-models.ts';
import { createDialect } from '#projections/storage/connections.ts';

import { APPEND_FUNCTION, APPEND_NAME } from '../event-store/postgres/append-function.ts';
import { AT_START } from '../platform/postgres/postgres-client.ts';
import * as baseline from './0001-sealed-baseline.ts';
import * as openedOrders from './0002-opened-orders.ts';
import * as addresses from './0003-addresses.ts';
import * as accounts from './0004-accounts.ts';
import * as staff from './0005-staff.ts';
import * as customers from './0006-customers.ts';
import * as logCheckpoints from './0007-log-checkpoints.ts';
import * as taxDocumentProofs from './0008-tax-document-proofs.ts';

/** Migrations run in the order of their numbers. They are imported, because the bundled server has no folder of migrations. */
export const migrations = {
  '0001-sealed-baseline': baseline,
  '0002-opened-orders': openedOrders,
  '0003-addresses': addresses,
  '0004-accounts': accounts,
  '0005-staff': staff,
  '0006-customers': customers,
  '0007-log-checkpoints': logCheckpoints,
  '0008-tax-document-proofs': taxDocumentProofs,
};

/** The key of an advisory lock, so that concurrent processes create the function one after another. */
const CREATING = 7_240_614;

/** Creates the function that this release appends with, if it is missing. Rights are granted at every start. */
const ensureAppendFunction = (db: Kysely<unknown>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${CREATING})`.execute(tx);
    const { rows } = await sql`select from pg_proc where pronamespace = 'log'::regnamespace and proname = ${APPEND_NAME}`.execute(tx);
    if (rows.length === 0) await sql.raw(APPEND_FUNCTION).execute(tx);
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
    await ensureAppendFunction(db);
  } finally {
    await db.destroy();
  }
};
