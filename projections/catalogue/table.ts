import type { LogPosition } from '#domain/event-store.ts';
import type { Category } from '#domain/product/events.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';

import { rowsTable } from '../projector.ts';

/** One product: what the listing is filtered and sorted by, and the answer that clients get, ready to be sent. */
export type CatalogueRow = {
  product_id: ProductId;
  name: string;
  category: Category | '';
  /** In paise; 0 is no price. */
  price: Paise;
  in_stock: boolean;
  rating: number;
  bestseller: boolean;
  featured: boolean;
  trending: boolean;
  added_at: Instant;
  /** A removed product keeps its row, so that whoever follows the table learns of it. */
  removed: boolean;
  /** Of the event that changed the product last: what is new since a position is one range of an index. */
  position: LogPosition;
  /** The `ProductView` as JSON text. */
  view: string;
};

export const catalogueTable = rowsTable<CatalogueRow>({
  key: 'product_id',
  columns: {
    product_id: 'text',
    name: 'text',
    category: 'text',
    price: 'paise',
    in_stock: 'boolean',
    rating: 'rating',
    bestseller: 'boolean',
    featured: 'boolean',
    trending: 'boolean',
    added_at: 'instant',
    removed: 'boolean',
    position: 'position',
    view: 'json',
  },
  indexes: ['(position)'],
});
