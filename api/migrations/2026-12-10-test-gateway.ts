import { sql, type Kysely } from 'kysely';

/** The links of the embedded test gateway, each with its payments and their refunds. Empty where payments are real. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.test_payment_links (
      id text collate "C" primary key,
      serial bigint generated always as identity unique,
      reference text collate "C" not null,
      reference_id text collate "C" not null unique,
      number text not null,
      amount bigint not null,
      status text not null,
      return_to text not null,
      expires_at timestamptz,
      created_at timestamptz not null,
      payments jsonb not null default '[]'
    )`.execute(db);
  await sql`create index test_payment_links_by_payment on shop.test_payment_links using gin (payments jsonb_path_ops)`.execute(db);
};
