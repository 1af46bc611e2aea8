import { sql, type Kysely } from 'kysely';

/** Each reaction's checkpoint and lease, and failed events to be retried. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.reactions (
      name text collate "C" primary key,
      position numeric(20) not null default 0,
      event_id text not null default '',
      holder text,
      held_until timestamptz
    ) with (fillfactor = 10)`.execute(db);
  await sql`
    create table shop.postponed_reactions (
      reaction text collate "C" not null references shop.reactions,
      stream text collate "C" not null,
      position numeric(20) not null,
      attempts integer not null,
      next_attempt_at timestamptz not null,
      error text not null,
      primary key (reaction, stream, position)
    )`.execute(db);
};
