import type { OrderId, ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/instant.ts';
import type { Paise } from '../shared/money.ts';

/** A perfume in a cart, with its name and price as they were when the shopper last added it. */
export type CartLine = { readonly productId: ProductId; readonly name: string; readonly price: Paise; readonly quantity: number };

export type LineQuantity = { readonly productId: ProductId; readonly quantity: number };

/**
 * A cart is named by its shopper and has no other id: its stream is `cart-<shopper>`. Quantities are outcomes, after every limit, so
 * that a limit that changes later does not change what carts held before. No event of a cart tells of a person.
 *
 * Stored for ever: a field may be added as optional, never renamed or retyped.
 */
export type CartEvent =
  /** `quantity` more of this perfume. */
  | { type: 'ItemAdded'; data: CartLine & { addedAt: Instant } }
  /** `quantity` in all of this perfume. */
  | { type: 'QuantityChanged'; data: LineQuantity & { changedAt: Instant } }
  | { type: 'ItemRemoved'; data: { productId: ProductId; removedAt: Instant } }
  /** A visitor's cart at sign-in: it takes nothing more, and its lines go over into the cart of `into`. */
  | { type: 'CartClosed'; data: { into: ShopperId; closedAt: Instant } }
  /** In the user's cart: `lines` is what came over from the visitor `from`, whose cart was closed at `closedAt`. */
  | { type: 'CartsMerged'; data: { from: ShopperId; into: ShopperId; lines: readonly CartLine[]; closedAt: Instant; mergedAt: Instant } }
  /** An order was placed, and what it holds is no longer in the cart; `lines` is how many of each left it. */
  | { type: 'OrderedItemsTaken'; data: { order: OrderId; lines: readonly LineQuantity[]; placedAt: Instant; takenAt: Instant } };
