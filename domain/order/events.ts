import type { OrderNumber, ProductId, ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { IndianState } from '../shared/states.ts';
import type { PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from '../tax/rates.ts';

export const paymentMethods = ['COD', 'Prepaid'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** A perfume as it was sold: later changes of the catalogue do not change the order. */
export type OrderLine = {
  readonly productId: ProductId;
  readonly name: string;
  readonly details: string;
  /** The address of its first picture; empty if it had none. */
  readonly picture: string;
  readonly unitPrice: Paise;
  readonly quantity: number;
  /** Missing in orders from before they were kept: perfumes at the standard rate. `rate`: also where there was no rule. */
  readonly hsn?: Hsn;
  readonly rate?: TaxRate;
};

/** The delivery address. `address2` may be empty. */
export type ShippingAddress = {
  readonly name: PersonalText;
  readonly address1: PersonalText;
  readonly address2: PersonalText;
  readonly city: PersonalText;
  readonly state: PersonalText;
  readonly postalCode: PersonalText;
  readonly country: PersonalText;
  readonly phone: PersonalText;
  readonly email: PersonalText;
};

export type Checkout = {
  readonly shopper: ShopperId;
  readonly lines: readonly OrderLine[];
  readonly shippingAddress: ShippingAddress;
  readonly giftWrap: boolean;
  readonly giftMessage: PersonalText;
  /** The order note; missing if there is none. */
  readonly note?: PersonalText;
};

/** `deliveryState`, if the address names one, stays readable after an erasure: an invoice that is written later is taxed by it. */
export type Placement = {
  readonly number: OrderNumber;
  readonly method: PaymentMethod;
  readonly placedAt: Instant;
  readonly deliveryState?: IndianState;
};

/**
 * A `PersonalText` is of the `shopper` beside it: the order's owner at that time, with whose key it is encrypted. It is empty if there is
 * none.
 *
 * Stored for ever: a field may be added as optional, never renamed or retyped.
 */
export type OrderEvent =
  /** A checkout. It comes again for the same cart after a cancellation before placing: the order then starts again. */
  | { type: 'OrderCreated'; data: Checkout & { createdAt: Instant } }
  /** The same cart checked out again before placing: with new address and gift options, at current prices. */
  | { type: 'OrderRevised'; data: Checkout & { revisedAt: Instant } }
  | { type: 'OrderPlaced'; data: Placement }
  | { type: 'OrderConfirmed'; data: { shopper: ShopperId; note: PersonalText; confirmedAt: Instant } }
  | { type: 'OrderShipped'; data: { shopper: ShopperId; note: PersonalText; shippedAt: Instant } }
  | { type: 'OrderDelivered'; data: { shopper: ShopperId; note: PersonalText; deliveredAt: Instant } }
  | { type: 'OrderCancelled'; data: { shopper: ShopperId; reason: PersonalText; cancelledAt: Instant; because?: 'unpaid' } }
  | { type: 'OrderReturned'; data: { shopper: ShopperId; reason: PersonalText; returnedAt: Instant } }
  /** The visitor `from` signed in as the user `by`, who now owns the order. Earlier personal data stay encrypted with the visitor's key. */
  | { type: 'OrderClaimed'; data: { from: ShopperId; by: ShopperId; claimedAt: Instant } }
  /** Reserved bottles are about to be released: a placing that was decided before, and is still under way, is refused by this event. */
  | { type: 'PlacingAbandoned'; data: { abandonedAt: Instant } };
