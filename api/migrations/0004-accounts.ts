import { sql, type Kysely } from 'kysely';

const STATEMENTS = [
  /** Null until the session is used again, in sessions from before. */
  `alter table shop.sessions add column device text, add column address text`,

  /** The second factor is active since then; null while it is not. */
  `alter table shop.users add column totp_since timestamptz`,
  /** `personal` has the seed, encrypted with the key of the account. `last_step` is the time step of the last code that was accepted. */
  `create table shop.second_factors (
    user_id uuid primary key references shop.users on delete cascade,
    personal bytea not null,
    last_step bigint not null default 0
  )`,
  `create table shop.recovery_codes (
    user_id uuid not null references shop.second_factors on delete cascade,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  /** A sign-in that waits for the code of the second factor. */
  `create table shop.login_tokens (
    token_hash bytea primary key,
    user_id uuid not null references shop.users on delete cascade,
    how text not null,
    tries smallint not null default 0,
    expires_at timestamptz not null
  )`,
  `create index login_tokens_of_user on shop.login_tokens (user_id)`,

  /** A new address that waits for its code; `personal` has it, encrypted with the key of the account. */
  `create table shop.email_changes (
    user_id uuid primary key references shop.users on delete cascade,
    address_hash bytea not null,
    personal bytea not null,
    code_hash bytea not null,
    tries smallint not null default 0,
    sent_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  /** Addresses that an account had before. The token is that of the link that takes one back. */
  `create table shop.former_emails (
    token_hash bytea primary key,
    user_id uuid not null references shop.users on delete cascade,
    personal bytea not null,
    changed_at timestamptz not null
  )`,
  `create index former_emails_of_user on shop.former_emails (user_id)`,
];

/** Adds what the account page needs: devices of sessions, the second factor, changes of the e-mail address. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
