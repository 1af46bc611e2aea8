import { categories, type ProductCategory } from '#domain/product/events.ts';
import type { Offer } from '#domain/product/offer.ts';
import { announcedUntil, viewReduction } from '#domain/product/reduction.ts';
import { withReviews, withStock, type ProductView } from '#domain/product/view.ts';
import { NO_RATINGS } from '#domain/product/rating.ts';
import { computeAvailable } from '#domain/stock/stock.ts';
import { productId, type ProductId } from '#domain/shared/ids.ts';
import { ZERO, type Paise } from '#domain/shared/money.ts';
import { normalizeText } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import { computeEtag, decodeJson, encodeJson, type EncodedJson } from '../reading/encoded-json.ts';
import { readReduction, type CatalogueRow, type StockRow } from './projector.ts';

export type CategoryOrNone = ProductCategory | '';

export const allCategories: readonly CategoryOrNone[] = [...categories, ''];

/** A product's JSON for clients is stored with its strong `ETag`. */
export type ProductJson = { readonly json: EncodedJson; readonly etag: string };

/** A product in memory is immutable: a changed product becomes another object. */
export type IndexedProduct = ProductJson & {
  readonly id: ProductId;
  /** The name is normalised for searching and sorting. */
  readonly name: string;
  readonly category: CategoryOrNone;
  /** A price of 0 means that the product has no price. */
  readonly price: Paise;
  /** The stars that the page shows, with the reviews of buyers. */
  readonly rating: number;
  /** The stars that the catalogue gives the product itself. */
  readonly ownRating: number;
  readonly bestseller: boolean;
  readonly featured: boolean;
  readonly trending: boolean;
  readonly inStock: boolean;
  readonly pictured: boolean;
  readonly addedAt: number;
  /** The value is true if the product is no longer offered; carts may still contain it. */
  readonly removed: boolean;
  /** The page shows this JSON while a reduction of the price is announced. */
  readonly reduced: (ProductJson & { readonly until: Instant }) | undefined;
};

export const readCounts = ({ is_counted: isCounted, on_hand: onHand, reserved, low_at: lowAt }: StockRow) => ({
  isCounted,
  onHand,
  reserved,
  lowAt,
});

/** Returns the number of available bottles; null when the product is not counted. */
export const readAvailable = (stock: StockRow | undefined): number | null =>
  stock?.is_counted ? computeAvailable(readCounts(stock)) : null;

const createProductJson = (view: string): ProductJson => {
  const json = encodeJson(view);
  return { json, etag: computeEtag(json) };
};

const reducedJson = (row: CatalogueRow, view: string): IndexedProduct['reduced'] => {
  const reduction = readReduction(row);
  if (!reduction) return undefined;
  const shown = `${view.slice(0, -1)},"reduction":${JSON.stringify(viewReduction(reduction))}}`;
  return { ...createProductJson(shown), until: announcedUntil(reduction) };
};

/** `available` is the number of bottles, null when the product is not counted; `reviewed` are the ratings by buyers. */
export const toIndexedProduct = (row: CatalogueRow, available: number | null = null, reviewed = NO_RATINGS): IndexedProduct => {
  const isAsWritten = available === null && reviewed.count === 0;
  const shown: ProductView | undefined = isAsWritten ? undefined : withReviews(withStock(JSON.parse(row.view), available), reviewed); // written by the projector
  const view = shown ? JSON.stringify(shown) : row.view;
  return {
    id: row.product_id,
    name: normalizeText(row.name),
    // All products of a category share one string; the database driver would make one for each row.
    category: allCategories.find((family) => family === row.category) ?? '',
    price: row.price,
    rating: shown?.ratingStar ?? row.rating,
    ownRating: row.rating,
    bestseller: row.bestseller,
    featured: row.featured,
    trending: row.trending,
    inStock: available === null ? row.in_stock : available > 0,
    pictured: row.pictured,
    addedAt: Date.parse(row.added_at),
    removed: row.removed,
    ...createProductJson(view),
    reduced: reducedJson(row, view),
  };
};

/** Returns what the product's page shows now. `until` is the time when it changes by itself. */
export const shownOnPage = (item: IndexedProduct, now: () => Instant): ProductJson & { readonly until?: Instant } =>
  item.reduced && now() < item.reduced.until ? item.reduced : item;

const offers = new WeakMap<IndexedProduct, Omit<Offer, 'available'>>();
const jsons = new WeakMap<ProductView, EncodedJson>();

/** Returns the product for carts and orders, without its bottles. The JSON is parsed at the first call only. */
export const toOffer = (item: IndexedProduct): Omit<Offer, 'available'> => {
  const known = offers.get(item);
  if (known) return known;
  const product: ProductView = JSON.parse(decodeJson(item.json)); // written by the projector
  const offer = { product, price: item.price, removed: item.removed };
  offers.set(item, offer);
  jsons.set(product, item.json);
  return offer;
};

/** Returns the product's JSON. For a product from `toOffer` it is the JSON from which that was parsed. */
export const productJson = (product: ProductView): EncodedJson => jsons.get(product) ?? encodeJson(JSON.stringify(product));

export const sorts = ['featured', 'price', '-price', '-rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** Sort orders compare these fields, and cursors contain them. */
export type SortKey = Pick<IndexedProduct, 'id' | 'name' | 'price' | 'rating' | 'featured' | 'bestseller' | 'addedAt'>;

/** A comparator is a total order: no two products are equal, so every page has a definite next one. */
export type Comparator = (one: SortKey, other: SortKey) => number;

const compareText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const byId: Comparator = (one, other) => compareText(one.id, other.id);
const byPrice: Comparator = (one, other) => one.price - other.price || byId(one, other);
const byNewest: Comparator = (one, other) => other.addedAt - one.addedAt || byId(one, other);

/** Products that are equal otherwise are sorted by id, so that the order is stable. */
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

/**
 * Returns a cursor for URLs. It has the sorted values instead of an offset, so that pages neither repeat nor skip a product when others
 * change.
 */
export const formatCursor = (sort: Sort, item: SortKey): string =>
  Buffer.from(JSON.stringify([sort, ...cursorFields[sort].map((field) => item[field])])).toString('base64url');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/** Reads a cursor. Returns `undefined` if it is invalid or belongs to another sort order. */
export const parseCursor = (sort: Sort, text: string): SortKey | undefined => {
  const parts = parsed(text);
  const fields = cursorFields[sort];
  if (!Array.isArray(parts) || parts.length !== fields.length + 1 || parts[0] !== sort) return undefined;
  const values = fields.map((field, index) => [field, parts[index + 1]] as const);
  if (values.some(([field, value]) => typeof value !== typeof blank[field])) return undefined;
  return { ...blank, ...Object.fromEntries(values) };
};
