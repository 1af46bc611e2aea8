import { sql, type Kysely } from 'kysely';

/**
 * `users.roles` has what the staff's events have decided, next to the session's user, so that rights cost a request no further read. The
 * accounts of before get theirs at the next start (accounts/first-accounts.ts).
 */
const STAFF = [
  `alter table shop.users add roles text[] not null default '{}'`,
  `create table shop.staff_rights (
    only_row boolean primary key default true check (only_row),
    revision integer not null
  )`,
  `insert into shop.staff_rights (revision) values (-1)`,
  /** The row goes when the invitation is over. Only the hash of the link's token is stored. */
  `create table shop.staff_invitations (
    id uuid primary key,
    address_hash bytea not null unique,
    subject text collate "C" not null,
    personal bytea not null,
    token_hash bytea not null unique,
    expires_at timestamptz not null
  )`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STAFF) await sql.raw(statement).execute(db);
};
