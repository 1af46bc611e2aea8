import { sql, type Kysely } from 'kysely';

/** As those of carts: any row may be deleted any time. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table shop.stock_snapshots (like shop.cart_snapshots including all)`.execute(db);
};
