import { sql, type Kysely } from 'kysely';

/**
 * Which user each visitor has signed in as: a visitor's data in the log stay under the visitor's key, so an erasure of the user must find
 * them. `claimed_at` is null until all the visitor's orders are the user's.
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
