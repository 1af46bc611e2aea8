import type { OrderNumber, ProductId, ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { IndianState, PlaceOfSupply } from '../shared/states.ts';
import type { PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { Hsn, TaxRate } from '../tax/rates.ts';
import type { ShipmentTexts } from './shipment-texts.ts';

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

type Shipping = {
  readonly shopper: ShopperId;
  readonly note: PersonalText;
  readonly shippedAt: Instant;
  readonly placeOfSupply?: IndianState;
};
export const returnDecisions = ['accepted', 'refused'] as const;
export type ReturnDecision = (typeof returnDecisions)[number];

/** Bottles of a perfume that was sold with the order. */
export type ReturnLine = { readonly productId: ProductId; readonly quantity: number };

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
  /** The staff marked a confirmed order as packed, or took the mark back. */
  | { type: 'OrderPacked'; data: { packedAt: Instant } }
  | { type: 'OrderUnpacked'; data: { unpackedAt: Instant } }
  /** `placeOfSupply` is set if staff named the state, which counts more than the address; the other fields are those that they typed. */
  | { type: 'OrderShipped'; data: Partial<ShipmentTexts<PersonalText>> & Shipping }
  /** The staff corrected courier, number or link: all three are as they are now. */
  | { type: 'ShipmentCorrected'; data: { shopper: ShopperId } & ShipmentTexts<PersonalText> & { correctedAt: Instant } }
  | { type: 'OrderDelivered'; data: { shopper: ShopperId; note: PersonalText; deliveredAt: Instant } }
  | { type: 'OrderCancelled'; data: { shopper: ShopperId; reason: PersonalText; cancelledAt: Instant; because?: 'unpaid' | 'erased' } }
  /**
   * Returns are counted from 1, as `return`. `value` is what goes back if these bottles come back: their price and tax, and the gift wrap if
   * they are the last. `opened` is what the shopper says.
   */
  | {
      type: 'ReturnRequested';
      data: {
        shopper: ShopperId;
        return: number;
        lines: readonly ReturnLine[];
        value: Paise;
        reason: PersonalText;
        opened: boolean;
        requestedAt: Instant;
      };
    }
  /** `because` is set if the shop itself refused the return of an erased shopper. */
  | {
      type: 'ReturnDecided';
      data: {
        shopper: ShopperId;
        return: number;
        decision: ReturnDecision;
        note: PersonalText;
        decidedAt: Instant;
        because?: 'erased';
      };
    }
  /** The bottles are back: credit note and refund follow. With `restock` they can be sold again. */
  | { type: 'ReturnReceived'; data: { return: number; restock: boolean; receivedAt: Instant } }
  /** All bottles came back. In earlier releases, where no other event precedes it, the shopper or staff said so. */
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
