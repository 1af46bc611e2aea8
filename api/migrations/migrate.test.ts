import { readdir } from 'node:fs/promises';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';

import { openReadDatabase } from '#projections/database.ts';
import { migrateReadModels, migrateToLatest, migrations as readMigrations } from '#projections/migrations/migrate-read-models.ts';

import { createDialect } from '#projections/storage/connections.ts';
import { APPEND_FUNCTION, APPEND_NAME } from '../event-store/postgres/append-function.ts';
import { placedBy } from '../orders/testing/placing.ts';
import { withClient } from '../platform/postgres/postgres-client.ts';
import { emptyDatabase, freshDatabase } from '../testing/database-per-test.ts';
import { openShopForTest } from '../testing/test-shop.ts';
import { migrations, migrateShop } from './migrate.ts';

test('every migration in the folder is run, in the order of the numbers', async () => {
  const files = await readdir(import.meta.dirname);
  const named = files.filter((file) => /^\d{4}-/.test(file)).map((file) => file.replace(/\.ts$/, ''));
  expect(Object.keys(migrations)).toEqual(named.toSorted());
});

const migrateAll = async (connectionString: string): Promise<void> => {
  await migrateShop(connectionString);
  const read = openReadDatabase({ connectionString, max: 1 });
  try {
    await migrateReadModels(read);
  } finally {
    await read.close();
  }
};

test('a database of an older build is refused', async () => {
  const connectionString = await emptyDatabase();
  await migrateAll(connectionString);
  for (const schema of ['read', 'shop']) {
    const rename = `update ${schema}.kysely_migration set name = '2026-11-21-log' where name like '0001-%'`;
    await withClient({ connectionString, application_name: 'test' }, (client) => client.query(rename));
    await expect(migrateAll(connectionString)).rejects.toThrow(
      `Schema ${schema} of the database was made by another build of the shop (2026-11-21-log)`,
    );
  }
});

/** Migrates as the next release does: it adds a column that has a default, and a table. */
const migrateAsNextRelease = async (connectionString: string): Promise<void> => {
  const next = (statement: string) => ({ up: async (db: Kysely<unknown>) => void (await sql.raw(statement).execute(db)) });
  const db = new Kysely<unknown>({ dialect: createDialect(new pg.Pool({ connectionString, max: 1 })) });
  try {
    const inShop = next('alter table shop.users add column nickname text; create table shop.added (id integer)');
    await migrateToLatest(db, 'shop', { ...migrations, '0099-next': inShop });
    await migrateToLatest(db, 'read', { ...readMigrations, '0099-next': next('alter table read.checkpoints add column colour text') });
  } finally {
    await db.destroy();
  }
};

test('a release starts and sells beside the next one, which has added to the tables', async () => {
  const databaseUrl = await freshDatabase();
  const before = await openShopForTest({ databaseUrl, projecting: true });
  await migrateAsNextRelease(databaseUrl);
  await withClient({ connectionString: databaseUrl, application_name: 'next' }, async (next) => {
    const otherFunction = APPEND_FUNCTION.replaceAll(APPEND_NAME, 'append_next');
    await next.query(otherFunction);
    const startedAgain = await openShopForTest({ databaseUrl, projecting: true });
    for (const shop of [before, startedAgain]) expect((await placedBy(shop, 'meera')).id).toMatch(/^[0-9a-f-]{36}$/);
    const { rows } = await next.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'log'::regnamespace order by name`,
    );
    expect(rows.map(({ name }) => name)).toEqual([APPEND_NAME, 'append_next'].toSorted());
  });
});

test('a migration of the next release without all of ours is of another build', async () => {
  const connectionString = await freshDatabase();
  await migrateAsNextRelease(connectionString);
  await withClient({ connectionString, application_name: 'test' }, (client) =>
    client.query(`delete from shop.kysely_migration where name = '0001-sealed-baseline'`),
  );
  await expect(migrateShop(connectionString)).rejects.toThrow('was made by another build of the shop (0099-next)');
});

test('a migration that waits for a lock fails after a while, before others wait long behind it', async () => {
  const connectionString = await freshDatabase();
  await withClient({ connectionString, application_name: 'a long query' }, async (client) => {
    await client.query('begin; select from shop.users');
    await expect(migrateAsNextRelease(connectionString)).rejects.toThrow('canceling statement due to lock timeout');
    await client.query('rollback');
  });
  await migrateAsNextRelease(connectionString);
});

test('processes that start at once migrate an empty database one after another', async () => {
  for (let round = 0; round < 2; round += 1) {
    const connectionString = await emptyDatabase();
    await Promise.all(Array.from({ length: 4 }, () => migrateAll(connectionString)));
  }
});

test('a process starts while another renames tables, as a rebuild does', async () => {
  const connectionString = await emptyDatabase();
  await migrateAll(connectionString);
  await withClient({ connectionString, application_name: 'rebuild' }, async (rebuild) => {
    const renamed = async (name: string, to: string): Promise<void> => {
      const statements = Array.from({ length: 30 }, (_, n) => `alter table read.${name}${n} rename to ${to}${n};`);
      await rebuild.query(statements.join(' '));
    };
    await rebuild.query(Array.from({ length: 30 }, (_, n) => `create table read.live${n} (id integer);`).join(' '));
    let starting = true;
    const renaming = (async () => {
      while (starting) {
        await renamed('live', 'next');
        await renamed('next', 'live');
      }
    })();
    const starts = await Promise.allSettled(Array.from({ length: 10 }, () => migrateAll(connectionString)));
    starting = false;
    await renaming;
    expect(starts.filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});
