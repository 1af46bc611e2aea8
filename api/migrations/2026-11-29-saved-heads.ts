import { sql, type Kysely } from 'kysely';

/** Where streams ended at some time, kept beside the log: a log that was cut off or written anew does not end so any more. */
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
