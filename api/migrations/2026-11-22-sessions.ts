import { sql, type Kysely } from 'kysely';

/** Of a visitor or a user. Only the hash of its token is stored, so that reading this table gives no access. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.sessions (
      token_hash bytea primary key,
      visitor_id uuid,
      user_id uuid references shop.users on delete cascade,
      created_at timestamptz not null,
      seen_at timestamptz not null,
      check ((visitor_id is null) <> (user_id is null))
    )`.execute(db);
  await sql`create index sessions_of_user on shop.sessions (user_id) where user_id is not null`.execute(db);
  await sql`create index sessions_by_last_visit on shop.sessions (seen_at)`.execute(db);

  // Unlogged: counters start again after a crash. Keys are hashes.
  await sql`create unlogged table shop.rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`.execute(
    db,
  );
};
