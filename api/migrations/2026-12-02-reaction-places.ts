import { sql, type Kysely } from 'kysely';

/** Adds stream and revision of the checkpoint's event, and where the reaction began: existing ones with the log. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table shop.reactions
      add column stream text collate "C",
      add column revision integer,
      add column started_at numeric(20) not null default 0`.execute(db);
};
