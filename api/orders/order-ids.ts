import { createHmac } from 'node:crypto';

import type { Revision } from '#domain/event-store.ts';
import { deriveOrderId, type KeyedHash } from '#domain/order/checkout.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/** Returns the order id for this version of a shopper's cart (see `deriveOrderId`), the same in every process. */
export type OrderIds = (shopper: ShopperId, cartRevision: Revision) => OrderId;

export const orderIdsUnder = (key: Buffer): OrderIds => {
  const keyedHash: KeyedHash = (text) => createHmac('sha256', key).update(text).digest('hex');
  return (shopper, cartRevision) => deriveOrderId(shopper, cartRevision, keyedHash);
};

/** Derives order ids from the key created with the shop's tables, not from SESSION_SECRET, which may change. */
export const createOrderIds = async (db: ShopDatabase): Promise<OrderIds> => {
  const { key } = await db.selectFrom('keys').select('key').where('name', '=', 'order ids').executeTakeFirstOrThrow();
  return orderIdsUnder(key);
};
