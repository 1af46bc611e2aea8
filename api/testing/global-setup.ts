import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

import { openReadDatabase } from '#projections/database.ts';
import { migrateReadModels } from '#projections/migrations/migrate-read-models.ts';

import { startEventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { startRealEventStoreDb } from '../event-store/eventstoredb/testing/real-eventstoredb.ts';
import { openEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { migrateShop } from '../migrations/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** This server serves the run; the database in it stays empty. */
    postgresUrl: string;
    /** This database has every schema and no rows, and is copied. */
    postgresTemplate: string;
  }
}

/** With these settings nothing waits for the disk, and no hundreds of databases are vacuumed. */
const UNSAFE_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: 400 };

/** The proof of a password costs both sides more than the rest of a connection. */
const TRUST = 'host all all 127.0.0.1/32 trust\n';

/** The first template has the tables of the read models, the second has all tables. */
const READ_TEMPLATE = 'template_read';
const TEMPLATE = 'template_shop';

const makeTemplates = async (server: string, dataDir: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await writeFile(path.join(dataDir, 'postgres/pg_hba.conf'), TRUST);
  await client.query('select pg_reload_conf()');
  const make = async (template: string): Promise<string> => {
    await client.query(`create database ${template}`);
    const url = new URL(server);
    url.pathname = `/${template}`;
    return url.href;
  };
  const migrate = async (connectionString: string): Promise<void> => {
    const read = openReadDatabase({ connectionString, max: 1 });
    await migrateReadModels(read);
    await read.close();
  };
  await migrate(await make(READ_TEMPLATE));
  const whole = await make(TEMPLATE);
  await migrateShop(whole);
  await migrate(whole);
  await client.end();
};

/**
 * Sets EVENTSTORE_URL for `npm run test:eventstoredb`: to a container's where it is not set and a Docker engine answers, and to the double's
 * with `-- --double`. Returns what stops it again.
 */
const startEventStoreDb = async (): Promise<() => unknown> => {
  const wanted = process.env['TEST_LOG'];
  if (wanted === undefined) return () => undefined;
  if (wanted === 'double') {
    const double = await startEventStoreDbDouble();
    process.env['EVENTSTORE_URL'] = double.connectionString;
    return double.close;
  }
  const real = await startRealEventStoreDb();
  if (!real)
    throw new Error('Set EVENTSTORE_URL to the EventStoreDB to test on, such as esdb://127.0.0.1:2113?tls=false, or add -- --double');
  process.env['EVENTSTORE_URL'] = real.connectionString;
  return real.stop;
};

/**
 * Starts one Postgres for the run, by the first project that needs it: `postgresUrl` for these tests, TEST_POSTGRES_* for folders that do
 * not know this one.
 */
export default async function setUp({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  provide('postgresTemplate', TEMPLATE);
  const running = process.env['TEST_POSTGRES_URL'];
  if (running) {
    provide('postgresUrl', running);
    return undefined;
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ruhani-tests-'));
  const postgres = await openEmbeddedPostgres({ dataDir, settings: UNSAFE_SETTINGS });
  await makeTemplates(postgres.url, dataDir);
  provide('postgresUrl', postgres.url);
  process.env['TEST_POSTGRES_URL'] = postgres.url;
  process.env['TEST_POSTGRES_READ_TEMPLATE'] = READ_TEMPLATE;
  const stopEventStoreDb = await startEventStoreDb();
  return async () => {
    await stopEventStoreDb();
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
