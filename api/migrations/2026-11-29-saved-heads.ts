import { sql, type Kysely } from 'kysely';

/** The ends of streams at some time: a log that was cut off or rewritten no longer matches them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.saved_heads (
      stream text collate "C" not null,
      revision integer not null,
      hash text not null,
      saved_at timestamptz not null,
      primary key (stream, revision)
    )`.execute(db);
};
