import { sql, type Kysely } from 'kysely';

/** The keys of people's personal data in the log. The row of an erased subject stays, so that it never gets another key. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create schema if not exists shop`.execute(db);
  await sql`
    create table shop.subject_keys (
      subject text collate "C" primary key,
      key bytea,
      created_at timestamptz not null default now(),
      erased_at timestamptz,
      check ((key is null) = (erased_at is not null))
    )`.execute(db);
};
