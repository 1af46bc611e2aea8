import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { expect, inject, test } from 'vitest';

import { openReadDatabase } from '#projections/database.ts';
import { migrateReadModels } from '#projections/migrate.ts';

import { migrations, migrateShop } from './migrate.ts';

test('every migration in the folder is made, in the order of their dates', async () => {
  const files = await readdir(import.meta.dirname);
  const named = files.filter((file) => /^\d{4}-/.test(file)).map((file) => file.replace(/\.ts$/, ''));
  expect(Object.keys(migrations).toSorted()).toEqual(named.toSorted());
});

/** The connection string of a database with nothing in it. */
const emptyDatabase = async (): Promise<string> => {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  await server.query(`create database ${name} template template0`);
  await server.end();
  url.pathname = `/${name}`;
  return url.href;
};

const migrateAll = async (connectionString: string): Promise<void> => {
  await migrateShop(connectionString);
  const read = openReadDatabase({ connectionString, max: 1 });
  try {
    await migrateReadModels(read);
  } finally {
    await read.close();
  }
};

test("processes that start at once on an empty database do not get in each other's way", { timeout: 60_000 }, async () => {
  for (let round = 0; round < 4; round += 1) {
    const connectionString = await emptyDatabase();
    await Promise.all(Array.from({ length: 6 }, () => migrateAll(connectionString)));
  }
});
