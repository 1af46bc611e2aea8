import type { Revision } from '../event-store.ts';
import { orderId, type OrderId, type ShopperId } from '../shared/ids.ts';
import { uuidFromHash } from '../shared/uuid.ts';

/** HMAC-SHA-256 of the text under a key of the shop, in hex. */
export type KeyedHash = (text: string) => string;

/**
 * The order that this version of a shopper's cart is, however often and from wherever its checkout is asked for: the stream
 * of that name takes one creation, so one version of a cart cannot become two orders (decisions, section 3).
 *
 * The domain has no secret, so the handler brings the hash. Its key makes the id as hard to guess as 122 random bits; it has to be
 * as old as the shop, for with another key the same cart would become another order.
 */
export const orderIdOf = (shopper: ShopperId, cartRevision: Revision, keyedHash: KeyedHash): OrderId => {
  const hex = keyedHash(`order of cart-${shopper} at ${cartRevision}`);
  if (!/^[0-9a-f]{32}/.test(hex)) throw new Error('A keyed hash is at least 32 hex digits');
  return orderId(uuidFromHash(hex));
};
