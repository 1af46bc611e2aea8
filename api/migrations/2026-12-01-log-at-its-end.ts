import { sql, type Kysely } from 'kysely';

/**
 * Events are written at the end of their table. A vacuum after inserts would offer the little free space on old pages: an event would then
 * read a random page, and log it as a whole after a checkpoint.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table log.events set (autovacuum_vacuum_insert_threshold = -1)`.execute(db);
};
