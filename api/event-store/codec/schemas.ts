import type { CartEvent } from '#domain/cart/events.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { CreditNoteEvent, InvoiceEvent } from '#domain/invoice/events.ts';
import type { MessageEvent } from '#domain/message/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import type { ReviewEvent } from '#domain/review/events.ts';
import type { StaffEvent } from '#domain/staff/events.ts';
import type { TaxEvent } from '#domain/tax/events.ts';
import type { WishlistEvent } from '#domain/wishlist/events.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import type { ShopperId } from '#domain/shared/ids.ts';
import type { PersonalText } from '#domain/shared/text.ts';
import type { Json } from '../encryption/personal-fields.ts';

/** Converts data from one version to the next. It must be pure, and work for all data ever written. */
export type Upcast = (data: { readonly [field: string]: Json }) => { readonly [field: string]: Json };

/** `true` if the value has a `PersonalText` at any depth, otherwise `never`. */
type HasPersonalText<Value> = Value extends PersonalText
  ? true
  : Value extends string | number | boolean | null | undefined
    ? never
    : Value extends readonly (infer Each)[]
      ? HasPersonalText<Each>
      : { [Part in keyof Value]-?: HasPersonalText<Value[Part]> }[keyof Value];

type PersonalField<Data> = {
  [Field in keyof Data & string]-?: true extends HasPersonalText<Data[Field]> ? Field : never;
}[keyof Data & string];

type Versions = {
  /** Raise the version, and add an entry to `upcast`, for any change other than a new optional field. */
  readonly version: number;
  /** The key is the version to convert from. */
  readonly upcast?: { readonly [version: number]: Upcast };
};

type Personal<Data, Field extends string> = {
  /** Returns the id of the person whom the data are about, under which the key is stored and erased. */
  readonly subject: (data: Data) => string;
  /** All texts in these fields are encrypted; numbers and booleans are not. */
  readonly fields: { readonly [Name in Field]: true };
};

/** The codec uses this to write and read an event of any type. */
export type EventSchema = Versions & { readonly personal?: Personal<never, string> };

/** The schema names exactly the fields with personal texts. */
type SchemaOf<Data> = [PersonalField<Data>] extends [never]
  ? Versions & { readonly personal?: never }
  : Versions & { readonly personal: Personal<Data, PersonalField<Data>> };

/** Does not compile if an event is missing, or if its personal texts are not encrypted. */
export type SchemasOf<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: SchemaOf<Extract<Event, { type: Type }>['data']>;
};

/** Returns the order's owner at that time, whom the event names. */
const owner = ({ shopper }: { readonly shopper: ShopperId }): string => shopper;

const author = ({ author: subject }: { readonly author: ShopperId }): string => subject;

export const schemas: SchemasOf<
  | ProductEvent
  | CartEvent
  | OrderEvent
  | PaymentEvent
  | StockEvent
  | TaxEvent
  | InvoiceEvent
  | CreditNoteEvent
  | ReviewEvent
  | MessageEvent
  | StaffEvent
  | WishlistEvent
> = {
  ProductAdded: { version: 1 },
  ProductDetailsRevised: { version: 1 },
  ProductPriceChanged: { version: 1 },
  ProductSoldOut: { version: 1 },
  ProductRestocked: { version: 1 },
  ProductRemoved: { version: 1 },

  // Carts and wishlists have no personal data: the shopper is an id.
  ItemAdded: { version: 1 },
  QuantityChanged: { version: 1 },
  ItemRemoved: { version: 1 },
  CartClosed: { version: 1 },
  CartsMerged: { version: 1 },
  OrderedItemsTaken: { version: 1 },

  WishAdded: { version: 1 },
  WishRemoved: { version: 1 },
  WishesMerged: { version: 1 },

  OrderCreated: { version: 1, personal: { subject: owner, fields: { shippingAddress: true, giftMessage: true, note: true } } },
  OrderRevised: { version: 1, personal: { subject: owner, fields: { shippingAddress: true, giftMessage: true, note: true } } },
  OrderPlaced: { version: 1 },
  OrderConfirmed: { version: 1, personal: { subject: owner, fields: { note: true } } },
  OrderShipped: {
    version: 1,
    personal: { subject: owner, fields: { note: true, courier: true, trackingNumber: true, trackingUrl: true } },
  },
  ShipmentCorrected: { version: 1, personal: { subject: owner, fields: { courier: true, trackingNumber: true, trackingUrl: true } } },
  OrderPacked: { version: 1 },
  OrderUnpacked: { version: 1 },
  OrderDelivered: { version: 1, personal: { subject: owner, fields: { note: true } } },
  OrderCancelled: { version: 1, personal: { subject: owner, fields: { reason: true } } },
  ReturnRequested: { version: 1, personal: { subject: owner, fields: { reason: true } } },
  ReturnDecided: { version: 1, personal: { subject: owner, fields: { note: true } } },
  ReturnReceived: { version: 1 },
  OrderReturned: { version: 1, personal: { subject: owner, fields: { reason: true } } },
  OrderEmailCorrected: { version: 1, personal: { subject: owner, fields: { email: true, reason: true } } },
  OrderClaimed: { version: 1 },
  PlacingAbandoned: { version: 1 },
  MoveAbandoned: { version: 1 },

  PaymentRequested: { version: 1 },
  PaymentLinkClosed: { version: 1 },
  PaymentCaptured: { version: 1 },
  PaymentFailed: { version: 1 },
  PaymentReminded: { version: 1 },
  LatePaymentsSought: { version: 1 },
  RefundRequested: { version: 1, personal: { subject: owner, fields: { reason: true } } },
  RefundSettled: { version: 1 },
  RefundRefused: { version: 1 },
  CashCollected: { version: 1 },
  MismatchFound: { version: 1 },
  MoveBegun: { version: 1 },
  MoveEnded: { version: 1 },

  StockCounted: { version: 1 },
  StockCountingEnded: { version: 1 },
  StockReceived: { version: 1 },
  StockRemoved: { version: 1 },
  StockLowMarkSet: { version: 1 },
  StockReserved: { version: 1 },
  StockReleased: { version: 1 },
  StockShipped: { version: 1 },
  StockRestocked: { version: 1 },

  // Number, sums and state stay when name and address are erased.
  InvoiceIssued: { version: 1, personal: { subject: owner, fields: { buyer: true } } },
  CreditNoteIssued: { version: 1, personal: { subject: owner, fields: { buyer: true } } },

  TaxRateSet: { version: 1 },

  ReviewWritten: { version: 1, personal: { subject: author, fields: { name: true, text: true } } },
  ReviewRevised: { version: 1, personal: { subject: author, fields: { text: true } } },
  ReviewWithdrawn: { version: 1 },
  ReviewHidden: { version: 1, personal: { subject: author, fields: { reason: true } } },
  ReviewShown: { version: 1 },

  MessageAnswered: { version: 1, personal: { subject: ({ writer }) => writer, fields: { text: true } } },

  // Invited addresses are rows, and members are ids.
  StaffInvited: { version: 1 },
  InvitationWithdrawn: { version: 1 },
  StaffJoined: { version: 1 },
  StaffRolesChanged: { version: 1 },
  StaffDisabled: { version: 1 },
  StaffEnabled: { version: 1 },
  StaffLeft: { version: 1 },
};
