import { MOST_LINES, QUANTITY } from '#domain/cart/cart.ts';
import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { totalsOf } from '#domain/order/totals.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { parsePrice, rupees, type Paise } from '#domain/shared/money.ts';

/** What the shopper did to the cart and the server has not confirmed yet. */
export type Operation = { readonly id: string } & (
  | { readonly kind: 'add'; readonly product: ProductView; readonly quantity: number }
  | { readonly kind: 'change'; readonly productId: ProductId; readonly quantity: number }
  | { readonly kind: 'remove'; readonly productId: ProductId }
);

type Items = readonly CartItemView[];
type Operations = readonly Operation[];

export const EMPTY_CART: CartView = { items: [], totalCartValue: 0 };

const productIn = (operation: Operation): ProductId => (operation.kind === 'add' ? operation.product._id : operation.productId);

const withMore = (items: Items, product: ProductView, quantity: number): Items => {
  const held = items.find(({ productId }) => productId === product._id);
  const line = { productId: product._id, quantity: Math.min((held?.quantity ?? 0) + quantity, QUANTITY.most), product };
  if (held) return items.map((item) => (item === held ? line : item));
  return items.length < MOST_LINES ? [...items, line] : items;
};

const after = (items: Items, operation: Operation): Items => {
  switch (operation.kind) {
    case 'add':
      return withMore(items, operation.product, operation.quantity);
    case 'change':
      return items.map((item) => (item.productId === operation.productId ? { ...item, quantity: operation.quantity } : item));
    case 'remove':
      return items.filter(({ productId }) => productId !== operation.productId);
  }
};

/** What can be ordered of a cart, priced in paise, for `totalsOf`: unavailable lines cost nothing. */
export const pricedLines = (items: Items): { readonly unitPrice: Paise; readonly quantity: number }[] =>
  items.flatMap(({ product, quantity, unavailable }) => (unavailable ? [] : [{ unitPrice: parsePrice(product.price), quantity }]));

/**
 * The cart as it will be when everything pending is confirmed. The pending operations are applied to what the server last said each
 * time anew, so taking one of them away takes away what it did and nothing else.
 */
export const shownCart = (confirmed: CartView, pending: Operations): CartView => {
  if (pending.length === 0) return confirmed;
  const items = pending.reduce(after, confirmed.items);
  return { items, totalCartValue: rupees(totalsOf({ lines: pricedLines(items), giftWrap: false }).subtotal) };
};

/**
 * The queue with one more operation. Where the last thing that waits for the same line is a change of its quantity too, only the new
 * quantity is worth telling; what is `underWay`, the first `underWay` of the queue, is told already and stays.
 */
export const queuedWith = (pending: Operations, underWay: number, operation: Operation): Operations => {
  if (operation.kind !== 'change') return [...pending, operation];
  const last = pending.findLastIndex((other, index) => index >= underWay && productIn(other) === operation.productId);
  return pending[last]?.kind === 'change' ? pending.with(last, operation) : [...pending, operation];
};
