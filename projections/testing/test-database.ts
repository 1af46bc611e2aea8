import { randomUUID } from 'node:crypto';

import pg from 'pg';

import { openReadDatabase, type ReadDatabase } from '../database.ts';

const given = (variable: string): string => {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run the tests with the configuration in api/testing`);
  return value;
};

/** Returns the URL of the Postgres server of this test run. */
const server = (): string => given('TEST_POSTGRES_URL');

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server() });
  await client.connect();
  await client.query(statement);
  await client.end();
};

export type TestDatabase = ReadDatabase & { readonly connectionString: string };

/** Makes a new database with schema `read`; closing it drops it. */
export const openTestDatabase = async (): Promise<TestDatabase> => {
  const name = `read_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template ${given('TEST_POSTGRES_READ_TEMPLATE')} strategy file_copy`);
  const url = new URL(server());
  url.pathname = `/${name}`;
  const connectionString = url.href;
  const database = openReadDatabase({ connectionString, max: 20 });
  const close = async () => {
    await database.close();
    await onServer(`drop database ${name} with (force)`);
  };
  return { ...database, connectionString, close };
};
