import { sql, type Kysely } from 'kysely';

/**
 * For the index of the desk's search. The extension comes with Postgres; the right to create objects in the database is enough to install
 * it. Not in schema `read`, which may be dropped.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create extension if not exists pg_trgm schema public`.execute(db);
};
