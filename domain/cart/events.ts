import type { OrderId, ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';

/** The line has name and price of the time when the shopper last added the perfume. */
export type CartLine = { readonly productId: ProductId; readonly name: string; readonly price: Paise; readonly quantity: number };

export type LineQuantity = { readonly productId: ProductId; readonly quantity: number };

/** The quantity of a visitor's line for which a merge had no room in the user's cart. */
export type LineWithoutRoom = LineQuantity & { readonly name: string };

/**
 * The stream of a cart is `cart-<shopper>`. Quantities are those after every limit was applied, so that a changed limit does not change
 * past carts. No event of a cart contains personal data.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type CartEvent =
  | { type: 'ItemAdded'; data: CartLine & { addedAt: Instant } }
  | { type: 'QuantityChanged'; data: LineQuantity & { changedAt: Instant } }
  | { type: 'ItemRemoved'; data: { productId: ProductId; removedAt: Instant } }
  /** Closes a visitor's cart at sign-in: it takes no more commands, and its lines are merged into the cart of `into`. */
  | { type: 'CartClosed'; data: { into: ShopperId; closedAt: Instant } }
  /**
   * This event is recorded in the user's cart: `lines` were merged from the cart of the visitor `from`, which was closed at `closedAt`. The
   * rest is in `noRoomFor`, which is absent if all fitted, and from events that are older than the field.
   */
  | {
      type: 'CartsMerged';
      data: {
        from: ShopperId;
        into: ShopperId;
        lines: readonly CartLine[];
        noRoomFor?: readonly LineWithoutRoom[];
        closedAt: Instant;
        mergedAt: Instant;
      };
    }
  /** This event is recorded after an order was placed; `lines` are the quantities removed from the cart for it. */
  | { type: 'OrderedItemsTaken'; data: { order: OrderId; lines: readonly LineQuantity[]; placedAt: Instant; takenAt: Instant } };
