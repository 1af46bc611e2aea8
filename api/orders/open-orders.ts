import { findUser } from '../accounts/user.ts';
import type { Shop } from '../shop.ts';
import { createBeforeErasure, type BeforeErasure } from './before-erasure.ts';
import { createOrderIds, type OrderIds } from './order-ids.ts';
import { openOrderNumbers, type OrderNumbers } from './order-numbers.ts';

/** Orders need this from the schema `shop`: the key of order ids, reserved numbers, erasures, and staff names. */
export type Orders = {
  readonly idOf: OrderIds;
  readonly numbers: OrderNumbers;
  readonly beforeErasure: BeforeErasure;
  /** Returns the name or else the e-mail address of a member of staff; undefined if the account is deleted. */
  readonly nameOf: (userId: string) => Promise<string | undefined>;
};

/** Reads the key of the order ids. The caller closes the pool. */
export const openOrders = async ({ db, sealed }: Pick<Shop, 'db' | 'sealed'>): Promise<Orders> => {
  return {
    idOf: await createOrderIds(db),
    numbers: openOrderNumbers({ db }),
    beforeErasure: createBeforeErasure(db),
    nameOf: async (userId) => {
      const user = await findUser({ db, sealed }, userId);
      return user && (user.name || user.email);
    },
  };
};
