import { sql, type Kysely } from 'kysely';

/** Adds what a reaction follows, and the types that it handles in the newest release that has run it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table shop.reactions add column categories text[] not null default '{}',
    add column handles text[] not null default '{}'`.execute(db);
};
