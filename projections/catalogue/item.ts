import type { ProductId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';

import type { Family } from './family.ts';
import { folded } from './folded.ts';
import type { CatalogueRow } from './table.ts';

/** A product as the listing holds it. Never changed: a product that changes becomes another item. */
export type Item = {
  readonly id: ProductId;
  /** Folded: what a search compares and the order by name goes by. */
  readonly name: string;
  readonly category: Family;
  /** In paise; 0 is no price. */
  readonly price: Paise;
  readonly inStock: boolean;
  readonly rating: number;
  readonly bestseller: boolean;
  readonly featured: boolean;
  readonly trending: boolean;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** The product's JSON in UTF-8, as it goes over the wire. */
  readonly json: Buffer;
};

export const itemOf = (row: CatalogueRow): Item => {
  return {
    id: row.product_id,
    name: folded(row.name),
    category: row.category,
    price: row.price,
    inStock: row.in_stock,
    rating: row.rating,
    bestseller: row.bestseller,
    featured: row.featured,
    trending: row.trending,
    addedAt: Date.parse(row.added_at),
    json: Buffer.from(row.view),
  };
};
