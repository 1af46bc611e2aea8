import { sql, type Kysely } from 'kysely';

/** Raised by an erasure: mails that a reaction made before are not queued. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table shop.reactions add column epoch integer not null default 0`.execute(db);
};
