import type { ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';

/**
 * The stream names the shopper. The events have no personal text.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type WishlistEvent =
  | { type: 'WishAdded'; data: { productId: ProductId; addedAt: Instant } }
  | { type: 'WishRemoved'; data: { productId: ProductId; removedAt: Instant } }
  /** A visitor signed in: `products`, oldest first, are those that the user's list did not have. */
  | { type: 'WishesMerged'; data: { from: ShopperId; products: readonly ProductId[]; mergedAt: Instant } };
