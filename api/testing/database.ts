import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The connection string of a new database with all schemas in it and no rows; it goes when the run of the tests ends. */
export const freshDatabase = async (): Promise<string> => {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  await server.query(`create database ${name} template ${inject('postgresTemplate')}`);
  await server.end();
  url.pathname = `/${name}`;
  return url.href;
};
