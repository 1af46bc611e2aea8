import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { Snapshots } from './aggregates.ts';

/** Stores the newest snapshot of each stream in Postgres. Snapshots of another version of the state are not found. */
export const createSnapshots = (
  db: ShopDatabase,
  table: 'cart_snapshots' | 'stock_snapshots',
  version: number,
  options: Pick<Snapshots, 'every'> = {},
): Snapshots => ({
  ...options,
  find: async (stream) => {
    const row = await db
      .selectFrom(table)
      .select(['revision', 'hash', 'state'])
      .where('stream', '=', stream)
      .where('version', '=', version)
      .executeTakeFirst();
    return row && { state: row.state, head: { revision: row.revision, hash: row.hash } };
  },
  save: async (stream, { state, head }) => {
    const row = { version, ...head, state: JSON.stringify(state) };
    await db
      .insertInto(table)
      .values({ stream, ...row })
      .onConflict((conflict) => conflict.column('stream').doUpdateSet(row))
      .execute();
  },
});
