import { sql, type Kysely } from 'kysely';

/** Adds the orders that a session opened by a mailed link. Only a hash of the link's token is stored, so that reading the table opens nothing. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table shop.opened_orders (
    session bytea not null references shop.sessions on delete cascade,
    order_id uuid not null,
    until timestamptz not null,
    token_hash bytea not null,
    primary key (session, order_id)
  )`.execute(db);
};
