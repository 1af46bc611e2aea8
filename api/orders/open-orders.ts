import type { Shop } from '../open-shop.ts';
import { shopDatabase } from '../shop-tables.ts';
import { orderIdsIn, type OrderIds } from './order-ids.ts';
import { orderNumbersIn, type OrderNumbers } from './order-numbers.ts';

/** What orders need of schema `shop`. */
export type Orders = {
  readonly idOf: OrderIds;
  readonly numbers: OrderNumbers;
  /** What to call a member of the staff: by name, or by e-mail address; nothing when the account is gone. */
  readonly nameOf: (userId: string) => Promise<string | undefined>;
};

/** Reads the key of the order ids. Does not own the pool. */
export const openOrders = async ({ pool }: Pick<Shop, 'pool'>): Promise<Orders> => {
  const db = shopDatabase(pool);
  return {
    idOf: await orderIdsIn(db),
    numbers: orderNumbersIn({ pool }),
    nameOf: async (userId) => {
      const user = await db.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirst();
      return user && (user.name || user.email);
    },
  };
};
