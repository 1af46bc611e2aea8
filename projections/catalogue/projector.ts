import type { LogPosition, Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { priceText, toView, type ProductView } from '#domain/product/view.ts';
import { productId, type ProductId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';

import { projectorOf, streamId, type Rows } from '../projector.ts';
import { catalogueTable, type CatalogueRow } from './table.ts';

type Event = Recorded<ProductEvent>;
type Facts = { readonly price: Paise; readonly addedAt: Instant; readonly removed: boolean };

/** A product in memory. Its text is made when it is asked for, which is when it is written: in a rebuild many events come before that. */
class ShownProduct implements CatalogueRow {
  readonly price: Paise;
  readonly added_at: Instant;
  readonly removed: boolean;

  constructor(
    readonly product_id: ProductId,
    readonly shown: ProductView,
    { price, addedAt, removed }: Facts,
    readonly position: LogPosition,
  ) {
    this.price = price;
    this.added_at = addedAt;
    this.removed = removed;
  }

  get name(): string {
    return this.shown.name;
  }
  get category(): CatalogueRow['category'] {
    return this.shown.category;
  }
  get in_stock(): boolean {
    return this.shown.inStock;
  }
  get rating(): number {
    return this.shown.ratingStar;
  }
  get bestseller(): boolean {
    return this.shown.bestsellers;
  }
  get featured(): boolean {
    return this.shown.isFeatured;
  }
  get trending(): boolean {
    return this.shown.isTrending;
  }
  get view(): string {
    return JSON.stringify(this.shown);
  }
}

const viewIn = (row: CatalogueRow): ProductView => (row instanceof ShownProduct ? row.shown : JSON.parse(row.view)); // written by `ShownProduct`

const change = (catalogue: Rows<CatalogueRow>, event: Event, changes: Partial<ProductView>, facts: Partial<Facts> = {}): void => {
  const row = catalogue.get(streamId(event.stream));
  if (!row) throw new Error(`${event.stream} has no row to change`);
  const shown = { ...viewIn(row), ...changes, revision: event.revision };
  const { product_id, price, added_at: addedAt, removed } = row;
  catalogue.set(new ShownProduct(product_id, shown, { price, addedAt, removed, ...facts }, event.position));
};

/** The products as shoppers see them. Every answer about a product is made here, when its event is applied. */
export const catalogue = projectorOf<ProductEvent>()({
  name: 'catalogue',
  version: 1,
  categories: ['product'],
  tables: { catalogue: catalogueTable },
  on: {
    ProductAdded: (tables, event) => {
      const { data, revision, stream, position } = event;
      const id = productId(streamId(stream));
      const shown = toView(id, { status: 'offered', ...data, revision });
      tables.catalogue.set(new ShownProduct(id, shown, { price: data.price, addedAt: data.addedAt, removed: false }, position));
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
