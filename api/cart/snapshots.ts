import type { StreamName } from '#domain/event-store.ts';
import { CART_VERSION } from '#domain/cart/cart.ts';

import type { Snapshots } from '../command-handler/aggregates.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** The newest of each cart. Those of another version of `Cart` are not found. */
export const cartSnapshots = (db: ShopDatabase): Snapshots => ({
  find: async (stream: StreamName) => {
    const row = await db
      .selectFrom('cart_snapshots')
      .select(['revision', 'hash', 'state'])
      .where('stream', '=', stream)
      .where('version', '=', CART_VERSION)
      .executeTakeFirst();
    return row && { state: row.state, head: { revision: row.revision, hash: row.hash } };
  },
  save: async (stream, { state, head }) => {
    const row = { version: CART_VERSION, ...head, state: JSON.stringify(state) };
    await db
      .insertInto('cart_snapshots')
      .values({ stream, ...row })
      .onConflict((conflict) => conflict.column('stream').doUpdateSet(row))
      .execute();
  },
});
