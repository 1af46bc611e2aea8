import { sql, type Kysely } from 'kysely';

/** What long histories of carts came to: worth a read of the log each, so any row may be deleted any day. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.cart_snapshots (
      stream text primary key,
      version integer not null,
      revision integer not null,
      hash text not null,
      state json not null
    )`.execute(db);
};
