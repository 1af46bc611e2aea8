import { sql, type Kysely } from 'kysely';

const STATEMENTS = [
  /** The list of customers ends with the accounts that have not ordered, newest first. */
  `create index users_newest on shop.users (created_at desc, id desc) where verified_at is not null and not disabled`,
  /** Mails to an account's former addresses are erased with those to its own, which is `recipient`. */
  `alter table shop.erasures add former_recipients bytea[] not null default '{}'`,
  /** Nothing reads these two. The release before writes them, so a later release removes them. */
  `alter table shop.email_changes alter address_hash drop not null`,
  `alter table shop.addresses alter created_at drop not null`,
];

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
