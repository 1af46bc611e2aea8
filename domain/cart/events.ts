import type { OrderId, ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';

/** A line of a cart, with name and price at the time when the shopper last added the perfume. */
export type CartLine = { readonly productId: ProductId; readonly name: string; readonly price: Paise; readonly quantity: number };

export type LineQuantity = { readonly productId: ProductId; readonly quantity: number };

/**
 * A cart's id is its shopper's: its stream is `cart-<shopper>`. Quantities are results, after every limit, so that a changed limit does not
 * change carts of the past. No event of a cart contains personal data.
 *
 * Stored for ever: a field may be added as optional, never renamed or retyped.
 */
export type CartEvent =
  /** Adds `quantity` of this perfume. */
  | { type: 'ItemAdded'; data: CartLine & { addedAt: Instant } }
  /** Sets the line's quantity. */
  | { type: 'QuantityChanged'; data: LineQuantity & { changedAt: Instant } }
  | { type: 'ItemRemoved'; data: { productId: ProductId; removedAt: Instant } }
  /** A visitor's cart at sign-in: it takes no more commands, and its lines are merged into the cart of `into`. */
  | { type: 'CartClosed'; data: { into: ShopperId; closedAt: Instant } }
  /** In the user's cart: `lines` were merged from the cart of the visitor `from`, which was closed at `closedAt`. */
  | { type: 'CartsMerged'; data: { from: ShopperId; into: ShopperId; lines: readonly CartLine[]; closedAt: Instant; mergedAt: Instant } }
  /** An order was placed; `lines` are the quantities removed from the cart for it. */
  | { type: 'OrderedItemsTaken'; data: { order: OrderId; lines: readonly LineQuantity[]; placedAt: Instant; takenAt: Instant } };
