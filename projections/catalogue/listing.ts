import { type Kysely, sql } from 'kysely';

import { type LogPosition, logPosition, START } from '#domain/event-store.ts';
import type { Offers } from '#domain/product/offer.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { NO_RATINGS, type RatingSum } from '#domain/product/rating.ts';
import { fewLeft, isLow, viewStock, type StockView } from '#domain/stock/view.ts';
import { anyOf } from '../storage/prepare.ts';

import type { ReadModels } from '../database.ts';
import type { Log } from '../follower/lease.ts';
import { sleep } from '../follower/clock.ts';
import type { Freshness, Progress } from '../reading/progress.ts';
import { jsonArray, computeEtag, type EncodedJson } from '../reading/encoded-json.ts';
import { ProductIndex, type ListingResult, type ListingQuery } from './product-index.ts';
import { readAvailable, readCounts, formatCursor, toIndexedProduct, toOffer, type IndexedProduct } from './indexed-product.ts';
import { catalogue, type CatalogueRow, type StockRow } from './projector.ts';

/** A page of products has a strong `ETag`, which covers the total too, because a header contains it. */
export type PageAnswer = {
  /** Pages are concatenated only when they are sent, so that each product is in memory once, however many pages contain it. */
  readonly products: readonly EncodedJson[];
  readonly etag: string;
  readonly total: number;
  readonly next: string | undefined;
};

export const pageAnswer = ({ sort }: ListingQuery, { items, total, more }: ListingResult): PageAnswer => {
  const products = items.map(({ json }) => json);
  const last = items.at(-1);
  return {
    products,
    etag: computeEtag(`${total} ${jsonArray(products)}`),
    total,
    next: more && last ? formatCursor(sort, last) : undefined,
  };
};

/** Within an epoch only new events change rows of the table; in a new epoch any row may have changed. */
type CheckpointPosition = { readonly position: LogPosition; readonly epoch: number };

/** Returns `undefined` when the table of this version is not built yet. */
const readCheckpoint = async (db: Kysely<ReadModels>): Promise<CheckpointPosition | undefined> => {
  const { rows } = await sql<{ position: bigint; epoch: number }>`
    select position, epoch from read.checkpoints
    where model = ${catalogue.name} and version = ${catalogue.version} and slot = 'live' and built_at is not null`.execute(db);
  const [row] = rows;
  return row && { position: logPosition(row.position), epoch: row.epoch };
};

const PAGE = 1_000;

/**
 * Reads rows in the order of their changes. A row that changes meanwhile moves to the end, so none is missed; it is then newer than any
 * checkpoint that was read before.
 */
const rowsAfter = async <Row extends { readonly position: LogPosition }>(
  position: LogPosition,
  page: (from: LogPosition) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  const all: Row[] = [];
  for (let from = position; ;) {
    const rows = await page(from);
    all.push(...rows);
    from = rows.at(-1)?.position ?? from;
    if (rows.length < PAGE) return all;
  }
};

const productsAfter = (db: Kysely<ReadModels>, position: LogPosition): Promise<CatalogueRow[]> =>
  rowsAfter(position, (from) =>
    db.selectFrom('catalogue').selectAll().where('position', '>', from).orderBy('position').limit(PAGE).execute(),
  );

const stockAfter = (db: Kysely<ReadModels>, position: LogPosition): Promise<StockRow[]> =>
  rowsAfter(position, (from) => db.selectFrom('stock').selectAll().where('position', '>', from).orderBy('position').limit(PAGE).execute());

/** Returns the ratings by buyers of each product with a review that changed after the position. */
const ratingsAfter = async (db: Kysely<ReadModels>, position: LogPosition): Promise<readonly (RatingSum & { product_id: ProductId })[]> =>
  db
    .selectFrom('reviews')
    .select(({ fn, lit }) => {
      const isShown = sql<boolean>`not is_withdrawn and hidden_at is null`;
      const sum = fn.coalesce(fn.sum<number>('rating').filterWhere(isShown), lit(0));
      return ['product_id', fn.countAll<number>().filterWhere(isShown).as('count'), sum.as('sum')];
    })
    .where('product_id', 'in', (query) => query.selectFrom('reviews').select('product_id').where('position', '>', position))
    .groupBy('product_id')
    .execute();

const productsNamed = (db: Kysely<ReadModels>, rows: readonly { readonly product_id: ProductId }[]): Promise<CatalogueRow[]> =>
  db
    .selectFrom('catalogue')
    .selectAll()
    .where('product_id', '=', anyOf(rows.map(({ product_id }) => product_id)))
    .execute();

/** Returns what shoppers see of the stock. */
const formatShown = (available: number | null): string => (available === null ? 'not counted' : `${available > 0} ${fewLeft(available)}`);

export type ListingOptions = {
  readonly db: Kysely<ReadModels>;
  readonly progress: Progress;
  readonly log: Log;
};

/** The listing waits this many ms after a database error. */
const RETRY = 500;

/** Keeps the catalogue in memory and updates it after each change of the table. Queries never wait for the database. */
export class Listing {
  readonly #end = new AbortController();
  #index = new ProductIndex();
  #stock = new Map<string, StockRow>();
  #reviewed = new Map<string, RatingSum>();
  #loadedUntil: CheckpointPosition = { position: START, epoch: -1 };
  #edition = 0;
  #wanted = false;
  #refreshing: Promise<void> | undefined;

  constructor(readonly options: ListingOptions) {}

  /** Grows with each change. Within an edition, the same query has the same answer. */
  get edition(): number {
    return this.#edition;
  }

  get size(): number {
    return this.#index.size;
  }

  page(question: ListingQuery): PageAnswer {
    return pageAnswer(question, this.#index.find(question));
  }

  /** Returns a product that is on offer. */
  get(id: string): IndexedProduct | undefined {
    const item = this.#index.get(id);
    return item?.removed ? undefined : item;
  }

  /** Contains all products for carts and orders, even removed ones. */
  readonly offers: Offers = {
    get: (id) => {
      const item = this.#index.get(id);
      return item && { ...toOffer(item), available: readAvailable(this.#stock.get(id)) };
    },
  };

  /** Returns the stock for staff; null when the product is not counted. */
  stockOf(id: string): StockView | null {
    const row = this.#stock.get(id);
    return row ? viewStock(readCounts(row)) : null;
  }

  /** Returns how many products on offer are low. */
  countLow(): number {
    return [...this.#stock.keys()].filter((id) => this.get(id) !== undefined && isLow(this.stockOf(id))).length;
  }

  /** Returns the ratings by buyers. */
  reviewsOf(id: string): RatingSum {
    return this.#reviewed.get(id) ?? NO_RATINGS;
  }

  /** Returns whether all product events up to this position are applied here. */
  has(position: LogPosition): boolean {
    return this.#has(position) && !this.options.progress.hasParked(catalogue.name);
  }

  /** Waits until all product events up to this position are applied here, at most this many milliseconds. */
  async waitFor(position: LogPosition, milliseconds: number): Promise<Freshness> {
    if (this.has(position)) return 'fresh';
    const late = performance.now() + milliseconds;
    const freshness = await this.options.progress.waitFor(catalogue.name, position, milliseconds);
    if (freshness === 'stale') return freshness;
    // The table has the position, so a refresh that loads it is finished or running.
    const waited = new AbortController();
    await Promise.race([this.#refreshing, sleep(late - performance.now(), waited.signal)]);
    waited.abort();
    return this.#has(position) ? freshness : 'stale';
  }

  /** Loads the table and follows it from then on. Throws database errors. */
  async open(): Promise<void> {
    await this.#refresh();
    const stop = this.options.progress.onAdvance(catalogue.name, () => this.#wake());
    this.#end.signal.addEventListener('abort', stop);
    // The table may have changed between loading and subscribing.
    this.#wake();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#refreshing;
  }

  #has(position: LogPosition): boolean {
    return this.#loadedUntil.epoch >= 0 && this.#loadedUntil.position >= position;
  }

  /** Refreshes after the table has changed. Any number of changes during a refresh lead to one more refresh. */
  #wake(): void {
    this.#wanted = true;
    this.#refreshing ??= this.#refreshWhileWanted().finally(() => (this.#refreshing = undefined));
  }

  async #refreshWhileWanted(): Promise<void> {
    const { signal } = this.#end;
    while (this.#wanted && !signal.aborted) {
      this.#wanted = false;
      try {
        await this.#refresh();
      } catch (error) {
        // During an outage of the database, the listing serves what is in memory and tries again.
        this.options.log.warn({ error }, 'The listing could not be refreshed');
        this.#wanted = true;
        await sleep(RETRY, signal);
      }
    }
  }

  async #refresh(): Promise<void> {
    const { db } = this.options;
    // The checkpoint is read before the rows, which are then at least as new, so the listing never claims more than it has.
    const checkpoint = await readCheckpoint(db);
    if (!checkpoint) return;
    // The whole tables are loaded again after a rebuild or reprojection, and after a failover to a standby that lacks the latest commits.
    const { epoch, position } = this.#loadedUntil;
    const isAnew = checkpoint.epoch !== epoch || checkpoint.position < position;
    const after = isAnew ? START : position;
    const stock = new Map(isAnew ? [] : this.#stock);
    const changed = await stockAfter(db, after);
    const shown = changed.filter((row) => formatShown(readAvailable(row)) !== formatShown(readAvailable(stock.get(row.product_id))));
    for (const row of changed) stock.set(row.product_id, row);
    const rated = await ratingsAfter(db, after);
    const reviewed = new Map(isAnew ? [] : this.#reviewed);
    for (const { product_id, ...ratings } of rated) reviewed.set(product_id, ratings);
    const rows = await productsAfter(db, after);
    const moved = [...shown, ...rated];
    const others = isAnew || moved.length === 0 ? [] : await productsNamed(db, moved);
    const items = [...others, ...rows].map((row) =>
      toIndexedProduct(row, readAvailable(stock.get(row.product_id)), reviewed.get(row.product_id)),
    );
    if (isAnew) this.#index = new ProductIndex();
    this.#stock = stock;
    this.#reviewed = reviewed;
    if (items.length > 0) this.#index.change(items);
    if (isAnew || items.length > 0) this.#edition++;
    this.#loadedUntil = checkpoint;
  }
}

/** Opens the catalogue in memory, complete up to the checkpoint of its read model. Throws database errors. */
export const openListing = async (options: ListingOptions): Promise<Listing> => {
  const listing = new Listing(options);
  await listing.open();
  return listing;
};
