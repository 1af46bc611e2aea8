import { productId } from '#domain/shared/ids.ts';
import { ZERO } from '#domain/shared/money.ts';

import type { Item } from './indexed-product.ts';

export const sorts = ['featured', 'price', '-price', '-rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** What of an item orders go by, and so what a cursor has to remember of the last one seen. */
export type SortKey = Pick<Item, 'id' | 'name' | 'price' | 'rating' | 'featured' | 'bestseller' | 'addedAt'>;

/** Below 0 when the first comes first. Total: no two products are equal, so a page always has one next. */
export type Order = (one: SortKey, other: SortKey) => number;

const compareText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const byId: Order = (one, other) => compareText(one.id, other.id);
const byPrice: Order = (one, other) => one.price - other.price || byId(one, other);
const byNewest: Order = (one, other) => other.addedAt - one.addedAt || byId(one, other);

/** Equals are ordered by their ids, so that the order never changes by itself. */
export const orders: Readonly<Record<Sort, Order>> = {
  featured: (one, other) =>
    Number(other.featured) - Number(one.featured) || Number(other.bestseller) - Number(one.bestseller) || byNewest(one, other),
  price: byPrice,
  '-price': (one, other) => byPrice(other, one),
  '-rating': (one, other) => other.rating - one.rating || byId(one, other),
  newest: byNewest,
  name: (one, other) => compareText(one.name, other.name) || byId(one, other),
};

const remembered: Readonly<Record<Sort, readonly (keyof SortKey)[]>> = {
  featured: ['featured', 'bestseller', 'addedAt', 'id'],
  price: ['price', 'id'],
  '-price': ['price', 'id'],
  '-rating': ['rating', 'id'],
  newest: ['addedAt', 'id'],
  name: ['name', 'id'],
};

const blank: SortKey = { id: productId('0'), name: '', price: ZERO, rating: 0, featured: false, bestseller: false, addedAt: 0 };

/**
 * The place of an item in an order, as text for a URL. It holds what the order goes by and not a number of items, so pages neither
 * repeat nor lose a product when others come and go; the item itself may be gone.
 */
export const cursorAt = (sort: Sort, item: SortKey): string =>
  Buffer.from(JSON.stringify([sort, ...remembered[sort].map((field) => item[field])])).toString('base64url');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/** Reads a cursor that was made for this order. `undefined` when it was not, or is none at all. */
export const cursorFrom = (sort: Sort, text: string): SortKey | undefined => {
  const parts = parsed(text);
  const fields = remembered[sort];
  if (!Array.isArray(parts) || parts.length !== fields.length + 1 || parts[0] !== sort) return undefined;
  const values = fields.map((field, index) => [field, parts[index + 1]] as const);
  if (values.some(([field, value]) => typeof value !== typeof blank[field])) return undefined;
  return { ...blank, ...Object.fromEntries(values) };
};
