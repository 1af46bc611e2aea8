import type { Actor, StreamName } from '#domain/event-store.ts';
import type { CartEvent } from '#domain/cart/events.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import type { Json } from './personal-fields.ts';

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

/** Every event that this program can write, and how. */
export const schemas: SchemasOf<ProductEvent | CartEvent> = { ...productSchemas, ...cartSchemas };
