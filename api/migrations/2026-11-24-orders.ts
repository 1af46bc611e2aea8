import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/**
 * All order numbers ever used, and the key from which order ids are made: with another one a cart that was checked out before would become
 * a second order. It is made here since migrations run once, whichever process starts first.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.keys (
      name text primary key,
      key bytea not null check (octet_length(key) = 32),
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`insert into shop.keys (name, key) values ('order ids', ${randomBytes(32)})`.execute(db);
  await sql`
    create trigger only_added before update or delete or truncate on shop.keys
    for each statement execute function shop.refuse_change()`.execute(db);

  await sql`create table shop.order_numbers (number text collate "C" primary key)`.execute(db);
};
