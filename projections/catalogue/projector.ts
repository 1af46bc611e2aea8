import type { LogPosition, Recorded } from '#domain/event-store.ts';
import type { ProductDetails, ProductEvent } from '#domain/product/events.ts';
import type { OfferedProduct } from '#domain/product/product.ts';
import { toView, type ProductView } from '#domain/product/view.ts';
import { productId, type ProductId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';

import { projectorOf, streamId, type Rows } from '../projector.ts';
import { catalogueTable, type CatalogueRow } from './table.ts';

type Event = Recorded<ProductEvent>;

/** What is known of a product. What an event leaves as it was is not made anew: the details are most of it, and seldom change. */
type Product = Omit<OfferedProduct, 'status'> & { readonly removed: boolean; readonly position: LogPosition };

/** A product in memory. Its text is made when it is asked for, which is when it is written: in a rebuild many events come before that. */
class ShownProduct implements CatalogueRow {
  constructor(
    readonly product_id: ProductId,
    readonly product: Product,
  ) {}

  get name(): string {
    return this.product.details.name;
  }
  get category(): CatalogueRow['category'] {
    return this.product.details.category;
  }
  get price(): Paise {
    return this.product.price;
  }
  get in_stock(): boolean {
    return this.product.inStock;
  }
  get rating(): number {
    return this.product.details.ratingStar;
  }
  get bestseller(): boolean {
    return this.product.details.bestsellers;
  }
  get featured(): boolean {
    return this.product.details.isFeatured;
  }
  get trending(): boolean {
    return this.product.details.isTrending;
  }
  get added_at(): Instant {
    return this.product.addedAt;
  }
  get removed(): boolean {
    return this.product.removed;
  }
  get position(): LogPosition {
    return this.product.position;
  }
  get view(): string {
    return JSON.stringify(toView(this.product_id, this.product));
  }
}

const productIn = (row: CatalogueRow): Product => {
  if (row instanceof ShownProduct) return row.product;
  const view: ProductView & ProductDetails = JSON.parse(row.view); // written by `ShownProduct`
  const { _id, price: _, inStock, revision, ...details } = view;
  return { details, price: row.price, inStock, addedAt: row.added_at, removed: row.removed, revision, position: row.position };
};

/** Whatever happens to a product is one more revision of it, as `evolve` of the domain counts them. */
const changeRow = (catalogue: Rows<CatalogueRow>, row: CatalogueRow, position: LogPosition, changes: Partial<Product> = {}): void => {
  const product = productIn(row);
  catalogue.set(new ShownProduct(row.product_id, { ...product, ...changes, revision: product.revision + 1, position }));
};

const change = (catalogue: Rows<CatalogueRow>, { stream, position }: Event, changesOf: (product: Product) => Partial<Product>): void => {
  const row = catalogue.get(streamId(stream));
  if (!row) throw new Error(`${stream} has no row to change`);
  changeRow(catalogue, row, position, changesOf(productIn(row)));
};

/** The products as shoppers see them. Every answer about a product is made here, when its event is applied. */
export const catalogue = projectorOf<ProductEvent>()({
  name: 'catalogue',
  version: 2,
  categories: ['product'],
  tables: { catalogue: catalogueTable },
  on: {
    ProductAdded: ({ catalogue: table }, { data, stream, position }) => {
      const { details, price, inStock, addedAt } = data;
      const product = { details, price, inStock, addedAt, removed: false, revision: 0, position };
      table.set(new ShownProduct(productId(streamId(stream)), product));
    },
    ProductDetailsRevised: (tables, event) =>
      change(tables.catalogue, event, ({ details }) => ({ details: { ...details, ...event.data.changes } })),
    ProductPriceChanged: (tables, event) => change(tables.catalogue, event, () => ({ price: event.data.to })),
    ProductSoldOut: (tables, event) => change(tables.catalogue, event, () => ({ inStock: false })),
    ProductRestocked: (tables, event) => change(tables.catalogue, event, () => ({ inStock: true })),
    ProductRemoved: (tables, event) => change(tables.catalogue, event, () => ({ removed: true })),
  },
  onUnknown: ({ catalogue: table }, { stream, position }) => {
    const row = table.get(streamId(stream));
    if (row && !row.removed) changeRow(table, row, position);
  },
});
