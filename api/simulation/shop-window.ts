import { START, type LogPosition } from '#domain/event-store.ts';
import type { Offer } from '#domain/product/offer.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { itemOf, offerOf } from '#projections/catalogue/item.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import type { CatalogueRow } from '#projections/catalogue/table.ts';

import type { Life, Scheduler } from './scheduler.ts';
import type { Model, Tables } from './tables.ts';
import type { Wire } from './wire.ts';

/** A process looks that often whether the catalogue has moved, in ms. */
const LOOKS_EVERY = 1_000;

type Parts = { readonly scheduler: Scheduler; readonly tables: Tables; readonly life: Life; readonly wire: Wire };

/** The catalogue as a process serves it: its own copy of the read model, which is behind it now and then, as `Listing` is. */
export class ShopWindow implements Pick<Listing, 'offers' | 'waitFor'> {
  readonly #offers = new Map<string, Offer>();
  #seen: Model | undefined;

  constructor(readonly parts: Parts) {}

  readonly offers = { get: (id: ProductId): Offer | undefined => this.#offers.get(id) };

  /** Those that can be seen in it. */
  all = (): readonly Offer['product'][] => [...this.#offers.values()].filter(({ removed }) => !removed).map(({ product }) => product);

  async waitFor(position: LogPosition, milliseconds: number): Promise<'fresh' | 'stale'> {
    const { scheduler, life } = this.parts;
    const until = scheduler.milliseconds() + milliseconds;
    while (!this.#has(position)) {
      if (scheduler.milliseconds() > until) return 'stale';
      await scheduler.until(life, 'waits for the catalogue', () => this.#has(position), milliseconds);
    }
    return 'fresh';
  }

  #has = (position: LogPosition): boolean => (this.#seen?.place.position ?? START) >= position;

  /** Until the process ends. */
  async keep(): Promise<void> {
    const { scheduler, life, wire, tables } = this.parts;
    const hasMoved = (): boolean => tables.model(catalogue.name) !== this.#seen;
    for (;;) {
      await scheduler.until(life, 'looks at the catalogue', hasMoved, LOOKS_EVERY);
      if (hasMoved()) await wire('read the catalogue', () => tables.model(catalogue.name)).then(this.#take, () => undefined);
    }
  }

  readonly #take = (model: Model): void => {
    this.#seen = model;
    for (const row of model.rows.get('catalogue')?.values() ?? []) {
      // The rows of this table are set by the projector of the catalogue alone.
      const { product_id: id, removed } = row as CatalogueRow;
      this.#offers.set(id, { ...offerOf(itemOf(row as CatalogueRow)), removed });
    }
  };
}
