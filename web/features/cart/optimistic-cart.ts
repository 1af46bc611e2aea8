import { MOST_LINES, QUANTITY } from '#domain/cart/cart.ts';
import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { computeTotals } from '#domain/order/totals.ts';
import type { TaxRate } from '#domain/tax/rates.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { parsePrice, rupees, type Paise } from '#domain/shared/money.ts';

export type Operation = { readonly id: string } & (
  | { readonly kind: 'add'; readonly product: ProductView; readonly quantity: number }
  | { readonly kind: 'change'; readonly productId: ProductId; readonly quantity: number }
  | { readonly kind: 'remove'; readonly productId: ProductId }
);

type Items = readonly CartItemView[];
type Operations = readonly Operation[];

export const EMPTY_CART: CartView = { items: [], totalCartValue: 0 };

const getProductId = (operation: Operation): ProductId => (operation.kind === 'add' ? operation.product._id : operation.productId);

const withMore = (items: Items, product: ProductView, quantity: number): Items => {
  const held = items.find(({ productId }) => productId === product._id);
  const { rate } = held ?? {};
  const most = Math.min((held?.quantity ?? 0) + quantity, QUANTITY.most);
  const line = { productId: product._id, quantity: most, product, ...(rate !== undefined && { rate }) };
  if (held) return items.map((item) => (item === held ? line : item));
  return items.length < MOST_LINES ? [...items, line] : items;
};

/** Removes the note about short stock as soon as the quantity is low enough. */
const withQuantity = ({ onlyLeft, ...item }: CartItemView, quantity: number): CartItemView => ({
  ...item,
  quantity,
  ...(onlyLeft !== undefined && quantity > onlyLeft && { onlyLeft }),
});

const after = (items: Items, operation: Operation): Items => {
  switch (operation.kind) {
    case 'add':
      return withMore(items, operation.product, operation.quantity);
    case 'change':
      return items.map((item) => (item.productId === operation.productId ? withQuantity(item, operation.quantity) : item));
    case 'remove':
      return items.filter(({ productId }) => productId !== operation.productId);
  }
};

/** Returns the lines that can be ordered, for `computeTotals`. Unavailable ones cost nothing. */
export const pricedLines = (items: Items): { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate }[] =>
  items.flatMap(({ product, quantity, rate, unavailable }) =>
    unavailable ? [] : [{ unitPrice: parsePrice(product.price), quantity, ...(rate !== undefined && { rate }) }],
  );

/**
 * Applies the pending operations to the server's last answer. The result is computed anew each time, so that dropping an operation undoes
 * exactly what it did.
 */
export const applyPending = (confirmed: CartView, pending: Operations): CartView => {
  if (pending.length === 0) return confirmed;
  const items = pending.reduce(after, confirmed.items);
  return { items, totalCartValue: rupees(computeTotals({ lines: pricedLines(items), giftWrap: false }).subtotal) };
};

/**
 * Appends an operation to the queue. A quantity change replaces the last waiting operation of its line if that is a quantity change too.
 * The first operation of the queue is never replaced, because it may have been sent.
 */
export const enqueue = (pending: Operations, operation: Operation): Operations => {
  if (operation.kind !== 'change') return [...pending, operation];
  const last = pending.findLastIndex((other, index) => index > 0 && getProductId(other) === operation.productId);
  return pending[last]?.kind === 'change' ? pending.with(last, operation) : [...pending, operation];
};
