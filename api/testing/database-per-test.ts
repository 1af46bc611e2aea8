import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

const databaseFrom = async (template: string): Promise<string> => {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  await server.query(`create database ${name} template ${template} strategy file_copy`);
  await server.end();
  url.pathname = `/${name}`;
  return url.href;
};

/** Makes a new database with all schemas and no rows, which lasts until the test run ends. */
export const freshDatabase = (): Promise<string> => databaseFrom(inject('postgresTemplate'));

/** Makes a new database with all that this one has. Nobody may be connected to it. */
export const copyDatabase = (databaseUrl: string): Promise<string> => databaseFrom(new URL(databaseUrl).pathname.slice(1));

export const emptyDatabase = (): Promise<string> => databaseFrom('template0');
