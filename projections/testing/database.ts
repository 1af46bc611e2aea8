import { randomUUID } from 'node:crypto';

import pg from 'pg';

import { openReadDatabase, type ReadDatabase } from '../database.ts';
import { migrateReadModels } from '../migrate.ts';

/** The Postgres of this run of the tests. */
const server = (): string => {
  const url = process.env['TEST_POSTGRES_URL'];
  if (!url) throw new Error('TEST_POSTGRES_URL is not set: run the tests with the configuration in api/testing');
  return url;
};

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server() });
  await client.connect();
  await client.query(statement);
  await client.end();
};

export type TestDatabase = ReadDatabase & { readonly connectionString: string };

/** A database of its own with schema `read` in it; closing it drops it. */
export const openTestDatabase = async (): Promise<TestDatabase> => {
  const name = `read_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name}`);
  const url = new URL(server());
  url.pathname = `/${name}`;
  const connectionString = url.href;
  const database = openReadDatabase({ connectionString, max: 20 });
  await migrateReadModels(database);
  const close = async () => {
    await database.close();
    await onServer(`drop database ${name} with (force)`);
  };
  return { ...database, connectionString, close };
};
