import type { OrderNumber, ProductId, ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { IndianState, PlaceOfSupply } from '../shared/states.ts';
import type { PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from '../tax/rates.ts';

export const paymentMethods = ['COD', 'Prepaid'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** A perfume as it was sold. Later changes of the catalogue do not change the order. */
export type OrderLine = {
  readonly productId: ProductId;
  readonly name: string;
  readonly details: string;
  /** The text is the address of the perfume's first picture; it is empty if there was none. */
  readonly picture: string;
  readonly unitPrice: Paise;
  readonly quantity: number;
  /** The field is missing in old orders, whose perfumes had the standard rate. `rate` is set even if there was no rule. */
  readonly hsn?: Hsn;
  readonly rate?: TaxRate;
};

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
  /** The field is missing if the order has no note. */
  readonly note?: PersonalText;
};

/**
 * `deliveryState` is set if the address names a state or is abroad. It stays readable after an erasure, because an invoice written later is
 * taxed by it. Earlier releases did not look at the country.
 */
export type Placement = {
  readonly number: OrderNumber;
  readonly method: PaymentMethod;
  readonly placedAt: Instant;
  readonly deliveryState?: PlaceOfSupply;
};

/**
 * Each `PersonalText` is encrypted with the key of the `shopper` beside it, who owned the order at that time. It is empty if there is no
 * text.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type OrderEvent =
  /**
   * This event is recorded at checkout. It occurs again for the same cart after a cancellation before placing: the order then starts again.
   */
  | { type: 'OrderCreated'; data: Checkout & { createdAt: Instant } }
  /** This event is recorded when the same cart is checked out again before placing, with its new address, gift options and prices. */
  | { type: 'OrderRevised'; data: Checkout & { revisedAt: Instant } }
  | { type: 'OrderPlaced'; data: Placement }
  | { type: 'OrderConfirmed'; data: { shopper: ShopperId; note: PersonalText; confirmedAt: Instant } }
  /** `placeOfSupply` is set if staff named the state, which counts more than the address. */
  | { type: 'OrderShipped'; data: { shopper: ShopperId; note: PersonalText; shippedAt: Instant; placeOfSupply?: IndianState } }
  | { type: 'OrderDelivered'; data: { shopper: ShopperId; note: PersonalText; deliveredAt: Instant } }
  | { type: 'OrderCancelled'; data: { shopper: ShopperId; reason: PersonalText; cancelledAt: Instant; because?: 'unpaid' | 'erased' } }
  | { type: 'OrderReturned'; data: { shopper: ShopperId; reason: PersonalText; returnedAt: Instant } }
  /** The staff corrected the e-mail address of the shipping address, to which the order's mails go. */
  | { type: 'OrderEmailCorrected'; data: { shopper: ShopperId; email: PersonalText; reason: PersonalText; correctedAt: Instant } }
  /** The visitor `from` signed in as the user `by`, who now owns the order. Earlier personal data stay encrypted with the visitor's key. */
  | { type: 'OrderClaimed'; data: { from: ShopperId; by: ShopperId; claimedAt: Instant } }
  /**
   * This event is recorded before reserved bottles are released: it makes a placing that was decided earlier and is still under way fail.
   */
  | { type: 'PlacingAbandoned'; data: { abandonedAt: Instant } }
  /** This event is recorded when a move, begun in the payment's stream, has not come: it makes one that is still under way fail. */
  | { type: 'MoveAbandoned'; data: { abandonedAt: Instant } };
