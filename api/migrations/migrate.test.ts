import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { openReadDatabase } from '#projections/database.ts';
import { migrateReadModels } from '#projections/migrations/migrate-read-models.ts';

import { withClient } from '../platform/postgres/postgres-client.ts';
import { emptyDatabase, freshDatabase } from '../testing/database-per-test.ts';
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
    const rename = `update ${schema}.kysely_migration set name = '2026-11-21-log'`;
    await withClient({ connectionString, application_name: 'test' }, (client) => client.query(rename));
    await expect(migrateAll(connectionString)).rejects.toThrow(
      `Schema ${schema} of the database was made by another build of the shop (2026-11-21-log)`,
    );
  }
});

test('a function whose text has changed is replaced', async () => {
  const connectionString = await freshDatabase();
  await withClient({ connectionString, application_name: 'test' }, async (client) => {
    const definition = async () => (await client.query(`select pg_get_functiondef('log.append'::regproc) as text`)).rows;
    const current = await definition();
    await client.query(`alter function log.append volatile cost 7; comment on function log.append is 'hash of an older text'`);
    expect(await definition()).not.toEqual(current);
    await migrateShop(connectionString);
    expect(await definition()).toEqual(current);
  });
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
