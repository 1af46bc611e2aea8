import { sql, type Kysely } from 'kysely';

/** Rows, not events: secrets and personal data must be erasable. The unique index on the normalised address identifies an account. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.users (
      id uuid primary key default gen_random_uuid(),
      email text collate "C" not null unique,
      name text not null,
      phone text not null,
      password_hash text,
      provisioned_hash text,
      registration uuid not null default gen_random_uuid(),
      verified_at timestamptz,
      is_admin boolean not null default false,
      is_auditor boolean not null default false,
      disabled boolean not null default false,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table shop.identities (
      issuer text collate "C" not null,
      subject text collate "C" not null,
      user_id uuid not null references shop.users on delete cascade,
      created_at timestamptz not null,
      primary key (issuer, subject),
      unique (user_id, issuer)
    )`.execute(db);
  await sql`
    create table shop.codes (
      user_id uuid primary key references shop.users on delete cascade,
      code_hash bytea not null,
      tries smallint not null default 0,
      sent_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create table shop.password_resets (
      token_hash bytea primary key,
      user_id uuid not null references shop.users on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index password_resets_of_user on shop.password_resets (user_id)`.execute(db);
  await createSecurityLog(db);
};

/** Rows are only added: an intruder could otherwise cover their traces. */
const createSecurityLog = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.security_log (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      kind text not null,
      subject text,
      address text,
      request_id text,
      detail jsonb not null default '{}'
    )`.execute(db);
  await sql`create index security_log_of_subject on shop.security_log (subject, id) where subject is not null`.execute(db);
  await sql`
    create function shop.refuse_change() returns trigger language plpgsql as $refuse$
    begin
      raise exception 'rows of %.% are only ever added', tg_table_schema, tg_table_name;
    end $refuse$`.execute(db);
  await sql`
    create trigger only_added before update or delete or truncate on shop.security_log
    for each statement execute function shop.refuse_change()`.execute(db);
};
