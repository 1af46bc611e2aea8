import type { Actor, StreamName } from '#domain/event-store.ts';
import type { CartEvent } from '#domain/cart/events.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import type { ShopperId } from '#domain/shared/ids.ts';
import type { Json } from '../encryption/personal-fields.ts';

/** Turns the data of one version into those of the next. Pure, and total over everything that was ever written. */
export type Upcast = (data: { readonly [field: string]: Json }) => { readonly [field: string]: Json };

export type PersonalFields<Data> = {
  /** Whose data these are: under this name the key stands, and is erased. */
  readonly subject: (data: Data, written: { readonly stream: StreamName; readonly actor: Actor }) => string;
  /** Every text under these is encrypted; numbers and truth values stay as they are. */
  readonly fields: readonly (keyof Data & string)[];
};

export type EventSchema<Data> = {
  /** Of today's shape. Raise it, and add to `upcast`, when a shape changes beyond an added optional field. */
  readonly version: number;
  /** By the version that it starts from. */
  readonly upcast?: { readonly [version: number]: Upcast };
  readonly personal?: PersonalFields<Data>;
};

/** One schema for every event of a union: an event that is not listed does not compile. */
export type SchemasOf<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: EventSchema<Extract<Event, { type: Type }>['data']>;
};

const productSchemas = {
  ProductAdded: { version: 1 },
  ProductDetailsRevised: { version: 1 },
  ProductPriceChanged: { version: 1 },
  ProductSoldOut: { version: 1 },
  ProductRestocked: { version: 1 },
  ProductRemoved: { version: 1 },
} satisfies SchemasOf<ProductEvent>;

/** Nothing of a cart tells of a person: its shopper is an id. */
const cartSchemas = {
  ItemAdded: { version: 1 },
  QuantityChanged: { version: 1 },
  ItemRemoved: { version: 1 },
  CartClosed: { version: 1 },
  CartsMerged: { version: 1 },
  OrderedItemsTaken: { version: 1 },
} satisfies SchemasOf<CartEvent>;

/** Of an order's owner at that moment, whom the event names itself. */
const ofOwner = <Field extends string>(...fields: readonly Field[]) => ({
  subject: ({ shopper }: { readonly shopper: ShopperId }): string => shopper,
  fields,
});

/** Where it goes, and every text that people write, since nobody knows what they tell there. */
const orderSchemas = {
  OrderCreated: { version: 1, personal: ofOwner('shippingAddress', 'giftMessage') },
  OrderRevised: { version: 1, personal: ofOwner('shippingAddress', 'giftMessage') },
  OrderPlaced: { version: 1 },
  OrderConfirmed: { version: 1, personal: ofOwner('note') },
  OrderShipped: { version: 1, personal: ofOwner('note') },
  OrderDelivered: { version: 1, personal: ofOwner('note') },
  OrderCancelled: { version: 1, personal: ofOwner('reason') },
  OrderReturned: { version: 1, personal: ofOwner('reason') },
  OrderClaimed: { version: 1 },
} satisfies SchemasOf<OrderEvent>;

/** Every event that this program can write, and how. */
export const schemas: SchemasOf<ProductEvent | CartEvent | OrderEvent> = { ...productSchemas, ...cartSchemas, ...orderSchemas };
