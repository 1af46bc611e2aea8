import type { Shop } from '../shop.ts';
import { orderIdsIn, type OrderIds } from './order-ids.ts';
import { orderNumbersIn, type OrderNumbers } from './order-numbers.ts';

/** What orders need from the schema `shop`: the key of order ids, reserved numbers, and staff names. */
export type Orders = {
  readonly idOf: OrderIds;
  readonly numbers: OrderNumbers;
  /** Name or else e-mail address of a member of staff; undefined if the account is deleted. */
  readonly nameOf: (userId: string) => Promise<string | undefined>;
};

/** Reads the key of the order ids. The caller closes the pool. */
export const openOrders = async ({ db }: Pick<Shop, 'db'>): Promise<Orders> => {
  return {
    idOf: await orderIdsIn(db),
    numbers: orderNumbersIn({ db }),
    nameOf: async (userId) => {
      const user = await db.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirst();
      return user && (user.name || user.email);
    },
  };
};
