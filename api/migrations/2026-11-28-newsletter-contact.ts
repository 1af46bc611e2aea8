import { sql, type Kysely } from 'kysely';

/** Rows, because they are personal and must be erasable. Numbered as they arrive, so that lists are paged by the primary key. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.subscribers (
      id bigint generated always as identity primary key,
      email text collate "C" not null unique,
      is_active boolean not null default true,
      created_at timestamptz not null,
      welcomed_at timestamptz
    )`.execute(db);
  await sql`
    create table shop.contact_messages (
      id bigint generated always as identity primary key,
      name text not null,
      email text collate "C" not null,
      phone text not null,
      message text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index contact_messages_of on shop.contact_messages (email)`.execute(db);
};
