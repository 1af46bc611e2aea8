import type { Revision } from '../event-store.ts';
import { orderId, type OrderId, type ShopperId } from '../shared/ids.ts';
import { uuidFromHash } from '../shared/uuid.ts';

/** HMAC-SHA-256 of the text under a key of the shop, in hex. */
export type KeyedHash = (text: string) => string;

/**
 * The order id of this version of a shopper's cart, the same for every repeated checkout: the order's stream accepts one creation, so one
 * version of a cart cannot become two orders.
 *
 * The domain has no secret, so the handler passes the hash function. Its key makes the id as hard to guess as 122 random bits; the key must
 * never change, since with another key the same cart would become another order.
 */
export const orderIdOf = (shopper: ShopperId, cartRevision: Revision, keyedHash: KeyedHash): OrderId => {
  const hex = keyedHash(`order of cart-${shopper} at ${cartRevision}`);
  if (!/^[0-9a-f]{32}/.test(hex)) throw new Error('A keyed hash is at least 32 hex digits');
  return orderId(uuidFromHash(hex));
};
