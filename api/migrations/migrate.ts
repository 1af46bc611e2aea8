import { Kysely, Migrator } from 'kysely';
import pg from 'pg';

import { ensureSchema, migrateToLatest } from '#projections/migrations/migrate-read-models.ts';
import { dialectOn } from '#projections/storage/connections.ts';

import { AT_START } from '../platform/postgres/postgres-client.ts';
import * as log from './2026-11-21-log.ts';
import * as subjectKeys from './2026-11-21-subject-keys.ts';
import * as accounts from './2026-11-22-accounts.ts';
import * as outbox from './2026-11-22-outbox.ts';
import * as sessions from './2026-11-22-sessions.ts';
import * as cartSnapshots from './2026-11-23-cart-snapshots.ts';
import * as orders from './2026-11-24-orders.ts';
import * as visitors from './2026-11-25-visitors.ts';
import * as outboxOrder from './2026-11-26-outbox-order.ts';
import * as reactions from './2026-11-26-reactions.ts';
import * as idempotency from './2026-11-27-idempotency.ts';
import * as newsletterContact from './2026-11-28-newsletter-contact.ts';
import * as erasure from './2026-11-29-erasure.ts';
import * as savedHeads from './2026-11-29-saved-heads.ts';
import * as caughtMailSources from './2026-11-30-caught-mail-sources.ts';
import * as logAtItsEnd from './2026-12-01-log-at-its-end.ts';
import * as reactionPlaces from './2026-12-02-reaction-places.ts';
import * as rollingHash from './2026-12-05-rolling-hash.ts';
import * as wrappedKeys from './2026-12-06-wrapped-keys.ts';
import * as keysOfVisitors from './2026-12-07-keys-of-visitors.ts';
import * as reactionEpochs from './2026-12-08-reaction-epochs.ts';
import * as answersAboutOrders from './2026-12-09-answers-about-orders.ts';
import * as testGateway from './2026-12-10-test-gateway.ts';
import * as stockSnapshots from './2026-12-11-stock-snapshots.ts';
import * as restockNotices from './2026-12-12-restock-notices.ts';

/** In the order in which they run. Imported, because the bundled server has no folder of migrations. */
export const migrations = {
  '2026-11-21-log': log,
  '2026-11-21-subject-keys': subjectKeys,
  '2026-11-22-accounts': accounts,
  '2026-11-22-outbox': outbox,
  '2026-11-22-sessions': sessions,
  '2026-11-23-cart-snapshots': cartSnapshots,
  '2026-11-24-orders': orders,
  '2026-11-25-visitors': visitors,
  '2026-11-26-outbox-order': outboxOrder,
  '2026-11-26-reactions': reactions,
  '2026-11-27-idempotency': idempotency,
  '2026-11-28-newsletter-contact': newsletterContact,
  '2026-11-29-erasure': erasure,
  '2026-11-29-saved-heads': savedHeads,
  '2026-11-30-caught-mail-sources': caughtMailSources,
  '2026-12-01-log-at-its-end': logAtItsEnd,
  '2026-12-02-reaction-places': reactionPlaces,
  '2026-12-05-rolling-hash': rollingHash,
  '2026-12-06-wrapped-keys': wrappedKeys,
  '2026-12-07-keys-of-visitors': keysOfVisitors,
  '2026-12-08-reaction-epochs': reactionEpochs,
  '2026-12-09-answers-about-orders': answersAboutOrders,
  '2026-12-10-test-gateway': testGateway,
  '2026-12-11-stock-snapshots': stockSnapshots,
  '2026-12-12-restock-notices': restockNotices,
};

/**
 * Migrates the schemas `log` and `shop`, whose data cannot be recomputed: no migration drops any. Many processes may call this at once.
 * Throws the error of the failed migration; those before it stay applied. `until`, for an empty database: the last migration to run.
 */
export const migrateShop = async (connectionString: string, until?: string): Promise<void> => {
  const pool = new pg.Pool({ ...AT_START, connectionString, max: 1 });
  // Without listeners the error of a connection that breaks between two queries would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: dialectOn(pool) });
  try {
    await ensureSchema(db, 'shop');
    const wanted = Object.entries(migrations).filter(([name]) => until === undefined || name <= until);
    const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(wanted)) };
    await migrateToLatest(new Migrator({ db, provider, migrationTableSchema: 'shop' }));
  } finally {
    await db.destroy();
  }
};
