import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { priceText, toView, type ProductView } from '#domain/product/view.ts';
import { productId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';

import { projectorOf, streamId, type Rows } from '../projector.ts';
import { catalogueTable, type CatalogueRow } from './table.ts';

type Event = Recorded<ProductEvent>;
type Facts = { readonly price: Paise; readonly addedAt: Instant; readonly removed: boolean };

const rowOf = (view: ProductView, { price, addedAt, removed }: Facts, { stream, position }: Event): CatalogueRow => ({
  product_id: productId(streamId(stream)),
  name: view.name,
  category: view.category,
  price,
  in_stock: view.inStock,
  rating: view.ratingStar,
  bestseller: view.bestsellers,
  featured: view.isFeatured,
  trending: view.isTrending,
  added_at: addedAt,
  removed,
  position,
  view: JSON.stringify(view),
});

const change = (catalogue: Rows<CatalogueRow>, event: Event, changes: Partial<ProductView>, facts: Partial<Facts> = {}): void => {
  const row = catalogue.get(streamId(event.stream));
  if (!row) throw new Error(`${event.stream} has no row to change`);
  const view: ProductView = JSON.parse(row.view); // written by `rowOf`
  const { price, added_at: addedAt, removed } = row;
  catalogue.set(rowOf({ ...view, ...changes, revision: event.revision }, { price, addedAt, removed, ...facts }, event));
};

/** The products as shoppers see them. Every answer about a product is made here, when its event is applied. */
export const catalogue = projectorOf<ProductEvent>()({
  name: 'catalogue',
  version: 1,
  categories: ['product'],
  tables: { catalogue: catalogueTable },
  on: {
    ProductAdded: (tables, event) => {
      const { data, revision, stream } = event;
      const view = toView(productId(streamId(stream)), { status: 'offered', ...data, revision });
      tables.catalogue.set(rowOf(view, { price: data.price, addedAt: data.addedAt, removed: false }, event));
    },
    ProductDetailsRevised: (tables, event) => change(tables.catalogue, event, event.data.changes),
    ProductPriceChanged: (tables, event) => {
      const { to } = event.data;
      change(tables.catalogue, event, { price: priceText(to) }, { price: to });
    },
    ProductSoldOut: (tables, event) => change(tables.catalogue, event, { inStock: false }),
    ProductRestocked: (tables, event) => change(tables.catalogue, event, { inStock: true }),
    ProductRemoved: (tables, event) => change(tables.catalogue, event, {}, { removed: true }),
  },
});
