import pg from 'pg';
import { Registry } from 'prom-client';

import { EventStoreUnavailable, type EventStore } from '#domain/event-store.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { openReadDatabase, READ_CONNECTIONS } from '#projections/database.ts';
import { KEEP_ALIVE } from '#projections/storage/connections.ts';
import type { Log } from '#projections/follower/lease.ts';
import { migrateReadModels, TablesOfOtherBuild } from '#projections/migrations/migrate-read-models.ts';

import { createAggregates, type Aggregates } from '../command-handler/aggregates.ts';
import { CART_VERSION } from '#domain/cart/cart.ts';
import { STOCK_VERSION } from '#domain/stock/stock.ts';
import { createSnapshots } from '../command-handler/snapshots.ts';
import type { Config } from '../config.ts';
import { eventCodec, type EventCodec } from '../event-store/codec/codec.ts';
import { commitSizes, measuredStore } from '../observability/metrics.ts';
import { postgresSubjectKeys } from '../event-store/postgres/postgres-subject-keys.ts';
import { createSealedRows } from '../event-store/encryption/sealed-rows.ts';
import { openKeyring } from '../event-store/encryption/keyring.ts';
import { LOG_CONNECTIONS, openPostgresEventStore } from '../event-store/postgres/postgres-event-store.ts';
import { schemas } from '../event-store/codec/schemas.ts';
import type { StoredLog } from '../event-store/stored-event.ts';
import { createExecute } from '../command-handler/execute.ts';
import { LOCKED_WITHIN_MS, MOST_LOCKS, streamLockIn } from '../command-handler/stream-lock.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import { CannotStart, getErrorCode } from '../platform/cannot-start.ts';
import { openEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { Resources } from '../platform/resources.ts';
import { createDeadlineClock } from '../platform/postgres/database-clock.ts';
import { despiteLosses, withClient } from '../platform/postgres/postgres-client.ts';
import { migrateShop } from '../migrations/migrate.ts';
import { grantToApplication } from '../migrations/roles.ts';
import { shopDatabase, type ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { tracedStore } from '../observability/tracing/traced-store.ts';
import type { Shop, ShopConfig } from '../shop.ts';

/** A request waits this many ms for a free connection and for an answer on it, and is then answered with 503. */
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 15_000 };

const now = (): Instant => instant(new Date().toISOString());

/** The connections of the pool for requests. */
const REQUESTS = 10;
/** A process opens at most this many connections. */
const CONNECTIONS = REQUESTS + MOST_LOCKS + READ_CONNECTIONS + LOG_CONNECTIONS;
/** Commands and the owner's tools need connections too. The embedded server has this many more than the processes of the shop. */
const SPARE = 68;

/** Of several processes, one runs the projections (`main.ts`). */
const mostConnections = (workers = 1): number => CONNECTIONS * (workers === 1 ? 1 : workers + 1);

const ALLOWED = `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
  - coalesce(current_setting('reserved_connections', true)::integer, 0) as allowed`;

/** Throws `CannotStart` when Postgres allows fewer connections than the processes of this machine may open. */
const expectConnections = async (pool: pg.Pool, workers: number | undefined): Promise<void> => {
  const { rows } = await pool.query<{ allowed: number }>(ALLOWED);
  const [allowed, most] = [rows[0]?.allowed ?? 0, mostConnections(workers)];
  if (most > allowed)
    throw new CannotStart(
      `With WORKERS=${workers ?? 1} the shop opens up to ${most} connections, and Postgres allows ${allowed}: lower WORKERS, or raise max_connections.`,
    );
};

/** The connections are those of the application's role and of the tables' owner; both are the same if there is one role. */
export type Database = { readonly connectionString: string; readonly ownerUrl: string };

/** Returns the database of DATABASE_URL, or the embedded one, which is kept until `opened` is closed. */
export const postgresAt = async (
  {
    databaseUrl,
    databaseMigrationUrl,
    dataDir,
    workers,
  }: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseMigrationUrl' | 'workers'>>,
  opened: Resources,
  log: Log,
): Promise<Database> => {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl, ownerUrl: databaseMigrationUrl ?? databaseUrl };
  const onTrouble = (message: string) => log.error({}, message);
  const { applicationUrl, url } = opened.with(
    await openEmbeddedPostgres({ dataDir, settings: { max_connections: mostConnections(workers) + SPARE }, onTrouble }),
    (postgres) => postgres.close(),
  );
  return { connectionString: applicationUrl, ownerUrl: url };
};

/** Returns the role of the connection. Throws when the connection is refused. */
const findRole = (connectionString: string): Promise<string> =>
  withClient({ connectionString, application_name: 'shop' }, async (client) => {
    const { rows } = await client.query<{ role: string }>('select current_user as role');
    return rows[0]?.role ?? '';
  });

/** Tests whether the role of the connection could change what stands in the log. */
const ownsLog = (connectionString: string): Promise<boolean> =>
  withClient({ connectionString, application_name: 'shop' }, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `select pg_has_role(nspowner, 'member') as owns from pg_namespace where nspname = 'log'`,
    );
    return rows[0]?.owns === true;
  });

/** Runs `enter`. If the database cannot be reached or entered, the error is meant for the person who set the variable. */
const enterable = async <Result>(variable: string, enter: () => Promise<Result>): Promise<Result> => {
  try {
    return await enter();
  } catch (error) {
    if (error instanceof TablesOfOtherBuild) throw new CannotStart(error.message);
    const code = getErrorCode(error) ?? '';
    if (!/^(?:E[A-Z_]+|28\w{3}|3D000|57P03)$/.test(code)) throw error;
    throw new CannotStart(
      `The Postgres of ${variable} cannot be used (${code}): see that it runs and that name, password and database are right.`,
    );
  }
};

const INSUFFICIENT_PRIVILEGE = '42501';

/** Migrates with the only connection there is. A role that owns nothing finds everything migrated, or may not do it. */
const migrateWithOneRole = async (connectionString: string, log: Log): Promise<void> => {
  try {
    await enterable('DATABASE_URL', () => migrateShop(connectionString));
  } catch (error) {
    if (getErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new CannotStart(
      'The database does not have the tables of this release, and the role of DATABASE_URL may not make them: start the command `migrate` with DATABASE_MIGRATION_URL first.',
    );
  }
  if (await ownsLog(connectionString))
    log.info({}, 'The shop owns its tables, so it could rewrite its log: DATABASE_MIGRATION_URL gives them another owner');
};

/** Brings `log` and `shop` up to date as their owner, and grants the application's role its permissions. */
const migrate = async ({ connectionString, ownerUrl }: Database, log: Log): Promise<void> => {
  if (ownerUrl === connectionString) return migrateWithOneRole(connectionString, log);
  await enterable('DATABASE_MIGRATION_URL', () => migrateShop(ownerUrl));
  await grantToApplication(ownerUrl, await enterable('DATABASE_URL', () => findRole(connectionString)));
};

/** Brings all schemas of the database up to date before the shop is started, as the command `migrate`. */
export const migrateDatabase = (database: Database, log: Log): Promise<void> =>
  despiteLosses(async () => {
    await migrate(database, log);
    const read = openReadDatabase({ connectionString: database.connectionString, max: 1 });
    await enterable('DATABASE_URL', () => migrateReadModels(read)).finally(() => read.close());
  }, log);

const openStore = async (
  connectionString: string,
  { eventStoreUrl, streamPrefix = '', answerWithin }: ShopConfig,
  codec: EventCodec,
  registry: Registry,
): Promise<EventStore & StoredLog> => {
  if (eventStoreUrl === undefined)
    return measuredStore(await openPostgresEventStore({ connectionString, codec, onCommit: commitSizes(registry) }), registry);
  // This is the largest library here, so it is loaded only where it is used.
  const { openEventStoreDb } = await import('../event-store/eventstoredb/eventstoredb-event-store.ts');
  try {
    return measuredStore(openEventStoreDb({ connectionString: eventStoreUrl, codec, streamPrefix, answerWithin }), registry);
  } catch {
    // The library's message quotes parts of the address, which may contain a password.
    throw new CannotStart(
      'EVENTSTORE_URL cannot be used: an option in it has a wrong value, it names no user though it is over TLS, or the file of certificates is not there.',
    );
  }
};

/** If an EventStoreDB does not answer or refuses the shop, the error is meant for the person who set the variable. */
const expectToAnswer = async ({ head }: EventStore): Promise<void> => {
  try {
    await head(['product']);
  } catch (error) {
    const why = error instanceof EventStoreUnavailable ? 'it does not answer' : 'it refuses to be read';
    throw new CannotStart(
      `The EventStoreDB of EVENTSTORE_URL cannot be used (${why}): see that it runs and that address, tls, user and password are right.`,
    );
  }
};

const openAggregates = (store: EventStore, db: ShopDatabase, log: Log): Aggregates =>
  createAggregates({
    streams: store,
    snapshots: {
      cart: createSnapshots(db, 'cart_snapshots', CART_VERSION),
      // A perfume in a flash sale has thousands of reservations, all of them in each snapshot.
      stock: createSnapshots(db, 'stock_snapshots', STOCK_VERSION, { every: 1_000 }),
    },
    onTrouble: (error) => log.warn({ error }, 'A snapshot could not be saved'),
  });

const openOnce = async (where: ShopConfig, log: Log): Promise<Shop> => {
  const opened = new Resources();
  try {
    const database = await postgresAt(where, opened, log);
    const { connectionString } = database;
    await migrate(database, log);
    const newPool = (options: pg.PoolConfig): pg.Pool => {
      const pool = new pg.Pool({ connectionString, application_name: 'shop', ...KEEP_ALIVE, ...options });
      // The listener is on each client, not only on the pool: a pool that ends drops its clients before their connections are closed.
      pool.on('connect', (client) => client.on('error', (error) => log.warn({ error: error.message }, 'A connection to Postgres broke')));
      pool.on('error', () => undefined);
      return opened.with(pool, (each) => each.end());
    };
    const pool = newPool({ max: REQUESTS, ...TIMEOUTS });
    await expectConnections(pool, where.workers);
    const locks = newPool({ max: MOST_LOCKS, connectionTimeoutMillis: LOCKED_WITHIN_MS, query_timeout: LOCKED_WITHIN_MS });
    const db = shopDatabase(pool);
    const onIdleError = (error: Error) => log.warn({ error: error.message }, 'An idle connection to the read models broke');
    const read = opened.with(openReadDatabase({ connectionString, onIdleError }), (each) => each.close());
    await enterable('DATABASE_URL', () => migrateReadModels(read));
    const keyring = await openKeyring(pool, where);
    const keys = postgresSubjectKeys(pool, keyring);
    const registry = new Registry();
    const codec = eventCodec({ schemas, keys, now });
    const { tracing } = where;
    const untraced = opened.with(await openStore(connectionString, where, codec, registry), (each) => each.close());
    if (where.eventStoreUrl !== undefined) await expectToAnswer(untraced);
    const store = tracing ? tracedStore(untraced, tracing) : untraced;
    const aggregates = opened.with(openAggregates(store, db, log), (each) => each.close());
    const embedded = [
      ...(where.databaseUrl === undefined ? ['Postgres 18'] : []),
      ...(where.eventStoreUrl === undefined ? ['event store (on Postgres)'] : []),
    ];
    const { load, cached, forget } = aggregates;
    const { dataDir, eventStoreUrl, keyEncryptionKey, previousKeyEncryptionKey, streamPrefix, answerWithin } = where;
    const keysAndLog = {
      eventStoreUrl,
      keyEncryptionKey,
      previousKeyEncryptionKey,
      streamPrefix,
      answerWithin,
    };
    const mutex = keyedMutex({ timeout: where.answerWithin });
    return {
      where: { dataDir, databaseUrl: connectionString, databaseMigrationUrl: database.ownerUrl, ...keysAndLog },
      store,
      read,
      db,
      pool,
      execute: createExecute(store, { aggregates, mutex, lock: streamLockIn(locks, log), timeout: where.answerWithin }),
      load,
      cached,
      keys,
      sealed: createSealedRows(keys),
      forget,
      now,
      deadlineClock: where.deadlineClock ?? createDeadlineClock(db, now, log),
      registry,
      tracing,
      embedded,
      close: opened.close,
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
};

/** Opens the shop and brings all schemas up to date. Throws `CannotStart` for errors that the operator can correct. */
export const openShop = (where: ShopConfig, log: Log): Promise<Shop> => despiteLosses(() => openOnce(where, log), log);
