import { sql, type Kysely } from 'kysely';

/**
 * Events are written at the end of their table. Vacuumed for what was only added, the table would offer what little is free on each of
 * its pages: an event then reads, and after a checkpoint logs as a whole, a page of its own anywhere in an old log.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table log.events set (autovacuum_vacuum_insert_threshold = -1)`.execute(db);
};
