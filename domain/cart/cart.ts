import type { StreamName } from '../event-store.ts';
import { whyNotForSale, type OfferRejection, type Offers } from '../product/offer.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import type { OrderId, ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { CartEvent, CartLine, LineQuantity, LineWithoutRoom } from './events.ts';

export const cartStream = (shopper: string): StreamName => `cart-${shopper}`;

export const QUANTITY = { least: 1, most: 99 } as const;
export const MOST_LINES = 100;

/** The newest orders and merges applied to a cart, oldest first. The list is bounded, so that a cart does not grow with its history. */
type RecentlyApplied<Id extends string, More = unknown> = readonly ({ readonly id: Id; readonly at: Instant } & More)[];

/** The state is plain JSON, bounded however long the cart's history is, so that it can be stored as a snapshot under `CART_VERSION`. */
export type Cart = {
  readonly lines: readonly CartLine[];
  /** The field is set on a visitor's cart at sign-in. The lines stay, because a repeated merge takes them from here. */
  readonly closed: { readonly into: ShopperId; readonly at: Instant } | null;
  /** The lists name the orders whose lines left the cart, and the visitors' carts that were merged into it. */
  readonly taken: RecentlyApplied<OrderId>;
  readonly merged: RecentlyApplied<ShopperId, { readonly noRoomFor?: readonly LineWithoutRoom[] }>;
};

/** Raise the version when the shape of `Cart` or the meaning of `evolve` changes: snapshots of other versions are not read. */
export const CART_VERSION = 2;

export type AddItem = {
  readonly type: 'AddItem';
  readonly productId: ProductId;
  readonly quantity: number;
  readonly offers: Offers;
  readonly now: Instant;
};
export type ChangeQuantity = {
  readonly type: 'ChangeQuantity';
  readonly productId: ProductId;
  readonly quantity: number;
  readonly now: Instant;
};
export type RemoveItem = { readonly type: 'RemoveItem'; readonly productId: ProductId; readonly now: Instant };
/** This command is sent first at sign-in, to the visitor's cart. */
export type CloseCart = { readonly type: 'CloseCart'; readonly into: ShopperId; readonly now: Instant };
/** This command is sent second at sign-in, to the user's cart, with the lines of the visitor's closed cart. */
export type MergeCarts = {
  readonly type: 'MergeCarts';
  readonly from: ShopperId;
  readonly into: ShopperId;
  readonly lines: readonly CartLine[];
  readonly closedAt: Instant;
  readonly now: Instant;
};
/** This command is sent after `OrderPlaced`. */
export type TakeOrderedItems = {
  readonly type: 'TakeOrderedItems';
  readonly order: OrderId;
  readonly lines: readonly LineQuantity[];
  readonly placedAt: Instant;
  readonly now: Instant;
};
export type CartCommand = AddItem | ChangeQuantity | RemoveItem | CloseCart | MergeCarts | TakeOrderedItems;

export type CartRejection =
  | OfferRejection
  | { readonly code: 'quantity_out_of_range'; readonly least: number; readonly most: number }
  | { readonly code: 'cart_full'; readonly most: number }
  | { readonly code: 'product_not_in_cart' }
  /** The visitor has signed in meanwhile: the cart of `into` is to be used. */
  | { readonly code: 'cart_closed'; readonly into: ShopperId };

type Decided = Decision<CartEvent, CartRejection>;

type Lines = readonly CartLine[];

const findLine = (lines: Lines, productId: ProductId): CartLine | undefined => lines.find((line) => line.productId === productId);

/** Adds to a perfume's line, which keeps its position and takes the new name and price; a new line is added at the end. */
const withMore = (lines: Lines, more: CartLine): Lines =>
  findLine(lines, more.productId) === undefined
    ? [...lines, more]
    : lines.map((line) => (line.productId === more.productId ? { ...more, quantity: line.quantity + more.quantity } : line));

/** Sets a line's quantity; at 0 or less the line is removed. */
const withQuantity = (lines: Lines, { productId, quantity }: LineQuantity): Lines =>
  quantity > 0
    ? lines.map((line) => (line.productId === productId ? { ...line, quantity } : line))
    : lines.filter((line) => line.productId !== productId);

const withLess = (lines: Lines, { productId, quantity }: LineQuantity): Lines => {
  const held = findLine(lines, productId)?.quantity ?? 0;
  return withQuantity(lines, { productId, quantity: held - quantity });
};

/** Repetitions follow within moments, so a short list is enough; `wasApplied` returns true for older causes. */
const MOST_KEPT = 20;

/** Adds an entry and drops the oldest. `at` is the time of the cause, not of its application to the cart. */
const withApplied = <Cause extends { readonly at: Instant }>(recent: readonly Cause[], cause: Cause): readonly Cause[] =>
  [...recent, cause].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-MOST_KEPT);

/**
 * Returns whether the cause was applied before. A cause older than every entry of a full list counts as applied: lines of an order that
 * stay in the cart do no harm, but removing them twice would remove what was added since.
 */
const wasApplied = <Id extends string>(recent: RecentlyApplied<Id>, id: Id, at: Instant): boolean => {
  const [oldest] = recent;
  return recent.some((done) => done.id === id) || (recent.length === MOST_KEPT && oldest !== undefined && at <= oldest.at);
};

const isQuantity = (quantity: number): boolean => Number.isInteger(quantity) && quantity >= QUANTITY.least && quantity <= QUANTITY.most;
const outOfRange = (): Decided => reject({ code: 'quantity_out_of_range', ...QUANTITY });

/** Returns how much of `wanted` the line can still take. */
const roomFor = (lines: readonly CartLine[], { productId, quantity: wanted }: LineQuantity): number =>
  Math.min(wanted, QUANTITY.most - (findLine(lines, productId)?.quantity ?? 0));

const addItem = (cart: Cart, { productId, quantity, offers, now: addedAt }: AddItem): Decided => {
  if (!isQuantity(quantity)) return outOfRange();
  const offer = offers.get(productId);
  if (offer === undefined) return reject({ code: 'product_not_found' });
  const refusal = whyNotForSale(offer);
  if (refusal !== undefined) return reject(refusal);
  if (findLine(cart.lines, productId) === undefined && cart.lines.length >= MOST_LINES)
    return reject({ code: 'cart_full', most: MOST_LINES });

  const added = roomFor(cart.lines, { productId, quantity });
  if (added === 0) return accept();
  return accept({ type: 'ItemAdded', data: { productId, name: offer.product.name, price: offer.price, quantity: added, addedAt } });
};

const changeQuantity = (cart: Cart, { productId, quantity, now: changedAt }: ChangeQuantity): Decided => {
  if (!isQuantity(quantity)) return outOfRange();
  const line = findLine(cart.lines, productId);
  if (line === undefined) return reject({ code: 'product_not_in_cart' });
  return line.quantity === quantity ? accept() : accept({ type: 'QuantityChanged', data: { productId, quantity, changedAt } });
};

const removeItem = (cart: Cart, { productId, now: removedAt }: RemoveItem): Decided =>
  findLine(cart.lines, productId) === undefined ? accept() : accept({ type: 'ItemRemoved', data: { productId, removedAt } });

const closeCart = (cart: Cart, { into, now: closedAt }: CloseCart): Decided =>
  cart.closed !== null || cart.lines.length === 0 ? accept() : accept({ type: 'CartClosed', data: { into, closedAt } });

/** Adds the quantities of two carts within the limits of a cart; the rest is only recorded. */
const mergeCarts = (cart: Cart, { from, into, lines, closedAt, now: mergedAt }: MergeCarts): Decided => {
  if (lines.length === 0 || wasApplied(cart.merged, from, closedAt)) return accept();
  const isHeld = (line: CartLine): boolean => findLine(cart.lines, line.productId) !== undefined;
  const newcomers = lines.filter((line) => !isHeld(line)).slice(0, MOST_LINES - cart.lines.length);
  const coming = [...lines.filter(isHeld), ...newcomers]
    .map(({ productId, name, price, quantity }) => ({ productId, name, price, quantity: roomFor(cart.lines, { productId, quantity }) }))
    .filter(({ quantity }) => quantity > 0);
  const noRoomFor = lines
    .map(({ productId, name, quantity }) => ({ productId, name, quantity: quantity - (findLine(coming, productId)?.quantity ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
  const rest = noRoomFor.length > 0 && { noRoomFor };
  return accept({ type: 'CartsMerged', data: { from, into, lines: coming, ...rest, closedAt, mergedAt } });
};

/**
 * Lines added since the order was created stay. The order is recorded even when the cart has none of its lines, because the same perfume
 * may be added before the command is repeated.
 */
const takeOrderedItems = (cart: Cart, { order, lines, placedAt, now: takenAt }: TakeOrderedItems): Decided => {
  const left = lines
    .map(({ productId, quantity }) => ({ productId, quantity: Math.min(quantity, findLine(cart.lines, productId)?.quantity ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
  return accept({ type: 'OrderedItemsTaken', data: { order, lines: left, placedAt, takenAt } });
};

/** Returns whether the lines of this order were removed from the cart. The cart forgets it after some twenty more orders. */
export const hasTaken = ({ taken }: Cart, order: OrderId): boolean => taken.some(({ id }) => id === order);

/** Returns what the merge of this visitor's cart had no room for. The cart forgets it after some twenty more merges. */
export const findLinesWithoutRoom = ({ merged }: Cart, from: ShopperId): readonly LineWithoutRoom[] =>
  merged.find(({ id }) => id === from)?.noRoomFor ?? [];

const decide = (cart: Cart, command: CartCommand): Decided => {
  // Both commands may be repeated after the cart was closed, and then change nothing.
  if (command.type === 'CloseCart') return closeCart(cart, command);
  if (command.type === 'TakeOrderedItems' && wasApplied(cart.taken, command.order, command.placedAt)) return accept();
  if (cart.closed !== null) return reject({ code: 'cart_closed', into: cart.closed.into });
  switch (command.type) {
    case 'AddItem':
      return addItem(cart, command);
    case 'ChangeQuantity':
      return changeQuantity(cart, command);
    case 'RemoveItem':
      return removeItem(cart, command);
    case 'MergeCarts':
      return mergeCarts(cart, command);
    case 'TakeOrderedItems':
      return takeOrderedItems(cart, command);
  }
};

const evolve = (cart: Cart, { type, data }: CartEvent): Cart => {
  switch (type) {
    case 'ItemAdded': {
      const { addedAt: _, ...line } = data;
      return { ...cart, lines: withMore(cart.lines, line) };
    }
    case 'QuantityChanged':
      return { ...cart, lines: withQuantity(cart.lines, data) };
    case 'ItemRemoved':
      return { ...cart, lines: withQuantity(cart.lines, { productId: data.productId, quantity: 0 }) };
    case 'CartClosed':
      return { ...cart, closed: { into: data.into, at: data.closedAt } };
    case 'CartsMerged': {
      const { from: id, closedAt: at, noRoomFor } = data;
      const merge = { id, at, ...(noRoomFor && { noRoomFor }) };
      return { ...cart, lines: data.lines.reduce(withMore, cart.lines), merged: withApplied(cart.merged, merge) };
    }
    case 'OrderedItemsTaken':
      return {
        ...cart,
        lines: data.lines.reduce(withLess, cart.lines),
        taken: withApplied(cart.taken, { id: data.order, at: data.placedAt }),
      };
    default:
      return afterUnknown(type, cart);
  }
};

export const cart: Decider<Cart, CartCommand, CartEvent, CartRejection> = {
  initial: { lines: [], closed: null, taken: [], merged: [] },
  decide,
  evolve,
};
