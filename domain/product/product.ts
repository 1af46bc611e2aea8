import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import type { ProductId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';
import { getHsn, type DetailsChanges, type ProductDetails, type ProductEvent } from './events.ts';
import { productErrors, type ProductErrors } from './rules.ts';

export const productStream = (id: ProductId): StreamName => `product-${id}`;

/** `revision` counts the events since the product was added with revision 0. */
export type OfferedProduct = {
  readonly status: 'offered';
  readonly details: ProductDetails;
  readonly price: Paise;
  readonly inStock: boolean;
  readonly addedAt: Instant;
  readonly revision: number;
};
export type Product = { readonly status: 'none' } | OfferedProduct | { readonly status: 'removed' };

export type AddProduct = {
  readonly type: 'AddProduct';
  readonly details: ProductDetails;
  readonly price: Paise;
  readonly inStock: boolean;
  readonly now: Instant;
};

/** Changes the given fields and leaves the others unchanged. */
export type ReviseProduct = {
  readonly type: 'ReviseProduct';
  readonly changes: DetailsChanges;
  readonly price?: Paise | undefined;
  readonly inStock?: boolean | undefined;
  /** The editor saw this revision: an edit of an older revision is refused. */
  readonly expectedRevision?: number | undefined;
  readonly now: Instant;
};

export type RemoveProduct = { readonly type: 'RemoveProduct'; readonly now: Instant };

export type ProductCommand = AddProduct | ReviseProduct | RemoveProduct;

export type ProductRejection =
  | { readonly code: 'product_not_found' }
  /** This is also returned for a removed product: an id is used once, because orders and carts still refer to it. */
  | { readonly code: 'product_already_exists' }
  | { readonly code: 'product_invalid'; readonly errors: ProductErrors }
  /** The product was changed meanwhile; `current` is its new state. */
  | { readonly code: 'product_changed'; readonly current: OfferedProduct };

type ProductDecision = Decision<ProductEvent, ProductRejection>;

const addProduct = (product: Product, { details, price, inStock, now }: AddProduct): ProductDecision => {
  if (product.status !== 'none') return reject({ code: 'product_already_exists' });
  const errors = productErrors(details);
  if (errors) return reject({ code: 'product_invalid', errors });
  return accept({ type: 'ProductAdded', data: { details: { ...details, hsn: getHsn(details) }, price, inStock, addedAt: now } });
};

type Field = keyof ProductDetails;

const same = (one: ProductDetails[Field], other: ProductDetails[Field]): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((entry, index) => entry === other[index])
    : one === other;

const setField = <Of extends Field>(changes: Partial<ProductDetails>, field: Of, value: ProductDetails[Of] | undefined): void => {
  if (value !== undefined) changes[field] = value;
};

const changedFields = (changes: DetailsChanges, known: ProductDetails): Partial<ProductDetails> => {
  const details = { ...known, hsn: getHsn(known) };
  const changed: Partial<ProductDetails> = {};
  for (const field of Object.keys(changes) as Field[]) {
    const value = changes[field];
    if (value !== undefined && !same(value, details[field])) setField(changed, field, value);
  }
  return changed;
};

const stockEvent = (inStock: boolean, now: Instant): ProductEvent =>
  inStock ? { type: 'ProductRestocked', data: { restockedAt: now } } : { type: 'ProductSoldOut', data: { soldOutAt: now } };

const reviseProduct = (product: Product, command: ReviseProduct): ProductDecision => {
  if (product.status !== 'offered') return reject({ code: 'product_not_found' });
  const { changes, price = product.price, inStock = product.inStock, expectedRevision = product.revision, now } = command;
  if (expectedRevision !== product.revision) return reject({ code: 'product_changed', current: product });
  const errors = productErrors(changes);
  if (errors) return reject({ code: 'product_invalid', errors });

  const events: ProductEvent[] = [];
  const changed = changedFields(changes, product.details);
  if (Object.keys(changed).length > 0) events.push({ type: 'ProductDetailsRevised', data: { changes: changed, revisedAt: now } });
  if (price !== product.price) events.push({ type: 'ProductPriceChanged', data: { from: product.price, to: price, changedAt: now } });
  if (inStock !== product.inStock) events.push(stockEvent(inStock, now));
  return accept(...events);
};

const removeProduct = (product: Product, { now }: RemoveProduct): ProductDecision =>
  product.status === 'offered' ? accept({ type: 'ProductRemoved', data: { removedAt: now } }) : reject({ code: 'product_not_found' });

const decide = (product: Product, command: ProductCommand): ProductDecision => {
  switch (command.type) {
    case 'AddProduct':
      return addProduct(product, command);
    case 'ReviseProduct':
      return reviseProduct(product, command);
    case 'RemoveProduct':
      return removeProduct(product, command);
  }
};

const change = (product: Product, changes: Partial<OfferedProduct>): Product =>
  product.status === 'offered' ? { ...product, ...changes, revision: product.revision + 1 } : product;

const evolve = (product: Product, event: ProductEvent): Product => {
  switch (event.type) {
    case 'ProductAdded':
      return { status: 'offered', ...event.data, revision: 0 };
    case 'ProductDetailsRevised':
      return product.status === 'offered' ? change(product, { details: { ...product.details, ...event.data.changes } }) : product;
    case 'ProductPriceChanged':
      return change(product, { price: event.data.to });
    case 'ProductSoldOut':
      return change(product, { inStock: false });
    case 'ProductRestocked':
      return change(product, { inStock: true });
    case 'ProductRemoved':
      return { status: 'removed' };
    default:
      // An unknown event raises the revision and changes nothing else.
      return afterUnknown(event, change(product, {}));
  }
};

/** A perfume on offer until it is removed. Its stream is `product-<id>`. */
export const product: Decider<Product, ProductCommand, ProductEvent, ProductRejection> = { initial: { status: 'none' }, decide, evolve };
