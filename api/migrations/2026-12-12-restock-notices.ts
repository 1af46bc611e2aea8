import { sql, type Kysely } from 'kysely';

/** Rows, because they are personal and must be erasable. Numbered in the order in which they are told. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.restock_notices (
      id bigint generated always as identity primary key,
      product_id text collate "C" not null,
      email text collate "C" not null,
      waiting_since integer,
      created_at timestamptz not null,
      unique (email, product_id)
    )`.execute(db);
  await sql`create index restock_notices_of on shop.restock_notices (product_id, id)`.execute(db);
  await sql`
    create table shop.restock_levels (
      product_id text collate "C" primary key,
      level jsonb
    )`.execute(db);
};
