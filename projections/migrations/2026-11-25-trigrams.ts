import { sql, type Kysely } from 'kysely';

/**
 * What the search of the orders desk is indexed by. It comes with Postgres, and whoever may create things in a database may create
 * this. Not in schema `read`, which may be dropped.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create extension if not exists pg_trgm schema public`.execute(db);
};
