import { sql, type Kysely } from 'kysely';

/** Adds the addresses that users keep for checkout; `personal` has their fields, encrypted with the key of the user. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table shop.addresses (
    id uuid primary key default gen_random_uuid(),
    number bigint generated always as identity,
    user_id uuid not null references shop.users on delete cascade,
    personal bytea not null,
    is_default boolean not null,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index addresses_of_user on shop.addresses (user_id, number)`.execute(db);
  await sql`create unique index one_default_address on shop.addresses (user_id) where is_default`.execute(db);
};
