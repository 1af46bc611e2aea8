import { sql, type Kysely } from 'kysely';

/** Adds the types that a reaction handles in the newest release that has run it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table shop.reactions add column handles text[] not null default '{}'`.execute(db);
};
