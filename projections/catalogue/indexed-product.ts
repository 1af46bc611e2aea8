import { categories, type Category } from '#domain/product/events.ts';
import type { Offer } from '#domain/product/offer.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';

import { etagOf, fromWire, toWire, type Wire } from '../reading/encoded-json.ts';
import type { CatalogueRow } from './projector.ts';

/** Words without accents, parted by single blanks: most texts. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** A text as searches compare it: lower case, no accents, single blanks: `  Café  ROYAL ` → `cafe royal`. */
export const folded = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
};

/** A perfume family as a product has it: the empty text is none. */
export type Family = Category | '';

export const families: readonly Family[] = [...categories, ''];

/** A product as this process holds it. Never changed: a product that changes becomes another item. */
export type Item = {
  readonly id: ProductId;
  /** Folded: what a search compares and the order by name goes by. */
  readonly name: string;
  readonly category: Family;
  /** In paise; 0 is no price. */
  readonly price: Paise;
  readonly rating: number;
  readonly bestseller: boolean;
  readonly featured: boolean;
  readonly trending: boolean;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** The shop offers it no more; carts may still hold it. */
  readonly removed: boolean;
  /** The product's answer. */
  readonly json: Wire;
  /** A strong `ETag` for it. */
  readonly etag: string;
};

export const itemOf = (row: CatalogueRow): Item => {
  const json = toWire(row.view);
  return {
    id: row.product_id,
    name: folded(row.name),
    // One text for all of a family; the database hands out one for each row.
    category: families.find((family) => family === row.category) ?? '',
    price: row.price,
    rating: row.rating,
    bestseller: row.bestseller,
    featured: row.featured,
    trending: row.trending,
    addedAt: Date.parse(row.added_at),
    removed: row.removed,
    json,
    etag: etagOf(json),
  };
};

const offers = new WeakMap<Item, Offer>();
const jsons = new WeakMap<ProductView, Wire>();

/** A product as carts and orders see it: read out of its JSON when it is first asked for, once. */
export const offerOf = (item: Item): Offer => {
  const known = offers.get(item);
  if (known) return known;
  const product: ProductView = JSON.parse(fromWire(item.json)); // written by the projector
  const offer = { product, price: item.price, removed: item.removed };
  offers.set(item, offer);
  jsons.set(product, item.json);
  return offer;
};

/** A product as JSON: of one that came with an offer, what it was read from. */
export const productJson = (product: ProductView): Wire => jsons.get(product) ?? toWire(JSON.stringify(product));
