import { START, type LogPosition } from '#domain/event-store.ts';
import type { Offer } from '#domain/product/offer.ts';
import type { StaffProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { NO_RATINGS } from '#domain/product/rating.ts';
import { viewStock, type StockView } from '#domain/stock/view.ts';
import { readAvailable, readCounts, toIndexedProduct, toOffer } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { catalogue, type CatalogueRow, type StockRow } from '#projections/catalogue/projector.ts';
import type { AnyRow } from '#projections/engine/read-model-storage.ts';

import type { Life, Scheduler } from './scheduler.ts';
import type { SimulatedTables } from './simulated-tables.ts';
import type { NetworkCall } from './simulated-network.ts';

const LOOKS_EVERY_MS = 1_000;

type Parts = { readonly scheduler: Scheduler; readonly tables: SimulatedTables; readonly life: Life; readonly viaNetwork: NetworkCall };

/** A process's own copy of the catalogue, which may be behind the read model, as in `Listing`. */
export class SimulatedListing implements Pick<Listing, 'offers' | 'waitFor' | 'reviewsOf'> {
  readonly #offers = new Map<string, Offer>();
  readonly #stock = new Map<string, StockRow>();
  /** The position of the read model when it was last read. */
  #seen: LogPosition = START;

  constructor(readonly parts: Parts) {}

  readonly offers = { get: (id: ProductId): Offer | undefined => this.#offers.get(id) };

  all = (): readonly StaffProductView[] =>
    [...this.#offers.values()].filter(({ removed }) => !removed).map(({ product }) => ({ ...product, stock: this.stockOf(product._id) }));

  /** Nobody writes reviews here. */
  reviewsOf = () => NO_RATINGS;

  stockOf(id: string): StockView | null {
    const row = this.#stock.get(id);
    return row ? viewStock(readCounts(row)) : null;
  }

  async waitFor(position: LogPosition, milliseconds: number): Promise<'fresh' | 'stale'> {
    const { scheduler, life } = this.parts;
    const until = scheduler.milliseconds() + milliseconds;
    while (!this.#has(position)) {
      if (scheduler.milliseconds() > until) return 'stale';
      await scheduler.until(life, 'waits for the catalogue', () => this.#has(position), milliseconds);
    }
    return 'fresh';
  }

  #has = (position: LogPosition): boolean => this.#seen >= position;

  /** Keeps the copy up to date until the process ends. */
  async keep(): Promise<void> {
    const { scheduler, life, viaNetwork, tables } = this.parts;
    const standsAt = (): LogPosition => tables.model(catalogue.name)?.state.position ?? START;
    const hasMoved = (): boolean => standsAt() !== this.#seen;
    const read = () => ({ at: standsAt(), rows: tables.rows(catalogue.name, 'catalogue'), stock: tables.rows(catalogue.name, 'stock') });
    for (;;) {
      await scheduler.until(life, 'looks at the catalogue', hasMoved, LOOKS_EVERY_MS);
      if (!hasMoved()) continue;
      const found = await viaNetwork('read the catalogue', read).catch(() => undefined);
      if (found) this.#take(found.rows, found.stock);
      if (found) this.#seen = found.at;
    }
  }

  #take(rows: readonly AnyRow[], stock: readonly AnyRow[]): void {
    // Only the catalogue's projector writes rows of these tables.
    for (const row of stock as readonly StockRow[]) this.#stock.set(row.product_id, row);
    for (const row of rows as readonly CatalogueRow[]) {
      const available = readAvailable(this.#stock.get(row.product_id));
      const item = toIndexedProduct(row, available);
      this.#offers.set(item.id, { ...toOffer(item), available });
    }
  }
}
