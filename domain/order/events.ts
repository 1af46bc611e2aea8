import type { ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/instant.ts';
import type { Paise } from '../shared/money.ts';
import type { OrderNumber } from './order-number.ts';
import type { ShippingAddress } from './shipping.ts';

export const paymentMethods = ['COD', 'Prepaid'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** A perfume as it was sold: whatever becomes of it in the catalogue, the order keeps this. */
export type OrderLine = {
  readonly productId: ProductId;
  readonly name: string;
  readonly details: string;
  /** Address of its first picture; empty when it had none. */
  readonly picture: string;
  readonly unitPrice: Paise;
  readonly quantity: number;
};

export type Checkout = {
  readonly shopper: ShopperId;
  readonly lines: readonly OrderLine[];
  readonly shippingAddress: ShippingAddress;
  readonly giftWrap: boolean;
  readonly giftMessage: string;
};

/**
 * `shippingAddress`, `giftMessage`, `note` and `reason` tell of a person, and `shopper` beside them says of whom: the owner of the
 * order at that moment, with whose key they are stored (decisions, section 6). Free text counts as personal, since nobody knows what
 * is written there; it is empty where nothing was.
 *
 * Stored for ever: a field may be added as optional, never renamed or retyped.
 */
export type OrderEvent =
  /** A checkout. Once more for the same cart when it was cancelled before it was placed: the order then begins afresh. */
  | { type: 'OrderCreated'; data: Checkout & { createdAt: Instant } }
  /** The same cart checked out again, not placed yet: with the address and gift options of now, at the prices of now. */
  | { type: 'OrderRevised'; data: Checkout & { revisedAt: Instant } }
  | { type: 'OrderPlaced'; data: { number: OrderNumber; method: PaymentMethod; placedAt: Instant } }
  | { type: 'OrderConfirmed'; data: { shopper: ShopperId; note: string; confirmedAt: Instant } }
  | { type: 'OrderShipped'; data: { shopper: ShopperId; note: string; shippedAt: Instant } }
  | { type: 'OrderDelivered'; data: { shopper: ShopperId; note: string; deliveredAt: Instant } }
  | { type: 'OrderCancelled'; data: { shopper: ShopperId; reason: string; cancelledAt: Instant } }
  | { type: 'OrderReturned'; data: { shopper: ShopperId; reason: string; returnedAt: Instant } }
  /** The visitor `from` signed in as the user `by`, and the order with them. What the visitor wrote stays under the visitor's key. */
  | { type: 'OrderClaimed'; data: { from: ShopperId; by: ShopperId; claimedAt: Instant } };
