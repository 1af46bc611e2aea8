import { categories, type ProductCategory } from '#domain/product/events.ts';
import type { Offer } from '#domain/product/offer.ts';
import { announcedUntil, viewReduction } from '#domain/product/reduction.ts';
import { withStock, type ProductView } from '#domain/product/view.ts';
import { availableIn } from '#domain/stock/stock.ts';
import { productId, type ProductId } from '#domain/shared/ids.ts';
import { ZERO, type Paise } from '#domain/shared/money.ts';
import { normalizeText } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import { etagOf, decodeJson, encodeJson, type EncodedJson } from '../reading/encoded-json.ts';
import { reductionIn, type CatalogueRow, type StockRow } from './projector.ts';

/** A product's category; empty if it has none. */
export type CategoryOrNone = ProductCategory | '';

export const allCategories: readonly CategoryOrNone[] = [...categories, ''];

/** A product's JSON for clients, with a strong `ETag`. */
export type ProductJson = { readonly json: EncodedJson; readonly etag: string };

/** A product in memory. Immutable: a changed product becomes another object. */
export type IndexedProduct = ProductJson & {
  readonly id: ProductId;
  /** Normalized, for searching and for sorting by name. */
  readonly name: string;
  readonly category: CategoryOrNone;
  /** In paise; 0 is no price. */
  readonly price: Paise;
  readonly rating: number;
  readonly bestseller: boolean;
  readonly featured: boolean;
  readonly trending: boolean;
  readonly addedAt: number;
  /** No longer offered; carts may still contain it. */
  readonly removed: boolean;
  /** What its page shows while a reduction of its price is announced. */
  readonly reduced: (ProductJson & { readonly until: Instant }) | undefined;
};

export const countsOf = ({ is_counted: isCounted, on_hand: onHand, reserved, low_at: lowAt }: StockRow) => ({
  isCounted,
  onHand,
  reserved,
  lowAt,
});

/** Bottles available; null when the product is not counted. */
export const availableOf = (stock: StockRow | undefined): number | null => (stock?.is_counted ? availableIn(countsOf(stock)) : null);

const productJsonOf = (view: string): ProductJson => {
  const json = encodeJson(view);
  return { json, etag: etagOf(json) };
};

const reducedJson = (row: CatalogueRow, view: string): IndexedProduct['reduced'] => {
  const reduction = reductionIn(row);
  if (!reduction) return undefined;
  const shown = `${view.slice(0, -1)},"reduction":${JSON.stringify(viewReduction(reduction))}}`;
  return { ...productJsonOf(shown), until: announcedUntil(reduction) };
};

/** `available`: bottles, null when it is not counted. */
export const toIndexedProduct = (row: CatalogueRow, available: number | null = null): IndexedProduct => {
  const view = available === null ? row.view : JSON.stringify(withStock(JSON.parse(row.view), available)); // written by the projector
  return {
    id: row.product_id,
    name: normalizeText(row.name),
    // One string shared by all products of the category; the database driver makes one for each row.
    category: allCategories.find((family) => family === row.category) ?? '',
    price: row.price,
    rating: row.rating,
    bestseller: row.bestseller,
    featured: row.featured,
    trending: row.trending,
    addedAt: Date.parse(row.added_at),
    removed: row.removed,
    ...productJsonOf(view),
    reduced: reducedJson(row, view),
  };
};

/** What the product's page shows now; `until`: then it shows another. */
export const shownOnPage = (item: IndexedProduct, now: () => Instant): ProductJson & { readonly until?: Instant } =>
  item.reduced && now() < item.reduced.until ? item.reduced : item;

const offers = new WeakMap<IndexedProduct, Omit<Offer, 'available'>>();
const jsons = new WeakMap<ProductView, EncodedJson>();

/** The product for carts and orders, apart from its bottles. Its JSON is parsed at the first call only. */
export const toOffer = (item: IndexedProduct): Omit<Offer, 'available'> => {
  const known = offers.get(item);
  if (known) return known;
  const product: ProductView = JSON.parse(decodeJson(item.json)); // written by the projector
  const offer = { product, price: item.price, removed: item.removed };
  offers.set(item, offer);
  jsons.set(product, item.json);
  return offer;
};

/** The product's JSON; for one that came from `toOffer`, the JSON that it was parsed from. */
export const productJson = (product: ProductView): EncodedJson => jsons.get(product) ?? encodeJson(JSON.stringify(product));

export const sorts = ['featured', 'price', '-price', '-rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** The fields that sort orders compare, and that a cursor contains. */
export type SortKey = Pick<IndexedProduct, 'id' | 'name' | 'price' | 'rating' | 'featured' | 'bestseller' | 'addedAt'>;

/** A total order: no two products are equal, so every page has a definite next one. */
export type Comparator = (one: SortKey, other: SortKey) => number;

const compareText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const byId: Comparator = (one, other) => compareText(one.id, other.id);
const byPrice: Comparator = (one, other) => one.price - other.price || byId(one, other);
const byNewest: Comparator = (one, other) => other.addedAt - one.addedAt || byId(one, other);

/** Equal products are sorted by their ids, so that the order is stable. */
export const comparators: Readonly<Record<Sort, Comparator>> = {
  featured: (one, other) =>
    Number(other.featured) - Number(one.featured) || Number(other.bestseller) - Number(one.bestseller) || byNewest(one, other),
  price: byPrice,
  '-price': (one, other) => byPrice(other, one),
  '-rating': (one, other) => other.rating - one.rating || byId(one, other),
  newest: byNewest,
  name: (one, other) => compareText(one.name, other.name) || byId(one, other),
};

const cursorFields: Readonly<Record<Sort, readonly (keyof SortKey)[]>> = {
  featured: ['featured', 'bestseller', 'addedAt', 'id'],
  price: ['price', 'id'],
  '-price': ['price', 'id'],
  '-rating': ['rating', 'id'],
  newest: ['addedAt', 'id'],
  name: ['name', 'id'],
};

const blank: SortKey = { id: productId('0'), name: '', price: ZERO, rating: 0, featured: false, bestseller: false, addedAt: 0 };

/** For URLs. It contains the values that the order compares, not an offset: pages neither repeat nor skip a product when others change. */
export const cursorAt = (sort: Sort, item: SortKey): string =>
  Buffer.from(JSON.stringify([sort, ...cursorFields[sort].map((field) => item[field])])).toString('base64url');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/** Reads a cursor; `undefined` if it is invalid, or of another sort order. */
export const cursorFrom = (sort: Sort, text: string): SortKey | undefined => {
  const parts = parsed(text);
  const fields = cursorFields[sort];
  if (!Array.isArray(parts) || parts.length !== fields.length + 1 || parts[0] !== sort) return undefined;
  const values = fields.map((field, index) => [field, parts[index + 1]] as const);
  if (values.some(([field, value]) => typeof value !== typeof blank[field])) return undefined;
  return { ...blank, ...Object.fromEntries(values) };
};
