import { sql, type Kysely } from 'kysely';

/**
 * Erasures, of which `finished_at` is null until nothing of the user is left. A row stays for ever, without name and address, so that data
 * restored from an old backup are erased again. And an index for the security log by kind.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.erasures (
      user_id uuid primary key,
      subjects text[] not null,
      recipient bytea not null,
      asked_at timestamptz not null,
      finished_at timestamptz
    )`.execute(db);
  await sql`create index erasures_unfinished on shop.erasures (asked_at) where finished_at is null`.execute(db);
  await sql`create index security_log_of_kind on shop.security_log (kind, id)`.execute(db);
};
