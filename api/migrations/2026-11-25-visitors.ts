import { sql, type Kysely } from 'kysely';

/**
 * Which user a visitor turned out to be. What a visitor wrote stays in the log under the visitor's key, so whoever erases the user has
 * to know them. `claimed_at` is null until all that they had ordered is the user's.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.visitors (
      visitor_id uuid primary key,
      user_id uuid not null references shop.users on delete cascade,
      signed_in_at timestamptz not null,
      claimed_at timestamptz
    )`.execute(db);
  await sql`create index visitors_of_user on shop.visitors (user_id)`.execute(db);
};
