import { sql, type Kysely } from 'kysely';

/**
 * Mail to be sent: one row per cause, for ever, so that no mail is caused twice. Its content is encrypted, and deleted once it is sent. The
 * mail catcher stores what it receives in `caught_mail`.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.outbox (
      id uuid primary key default gen_random_uuid(),
      cause text collate "C" not null unique,
      content bytea,
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'parked')),
      attempts smallint not null default 0,
      next_attempt_at timestamptz not null,
      last_error text,
      created_at timestamptz not null,
      sent_at timestamptz,
      check (content is not null or state = 'sent')
    )`.execute(db);
  await sql`create index outbox_waiting on shop.outbox (next_attempt_at) where state = 'waiting'`.execute(db);
  await sql`create index outbox_parked on shop.outbox (created_at) where state = 'parked'`.execute(db);
  await sql`
    create table shop.caught_mail (
      id bigint generated always as identity primary key,
      message_id text not null unique,
      recipient text not null,
      sender text not null,
      subject text not null,
      text text not null,
      html text not null,
      source text not null,
      date timestamptz not null
    )`.execute(db);
};
