import { type Kysely, sql } from 'kysely';

import { type LogPosition, logPosition, START } from '#domain/event-store.ts';
import type { Offers } from '#domain/product/offer.ts';

import type { ReadModels } from '../database.ts';
import type { Log } from '../engine/lease.ts';
import { sleep } from '../engine/clock.ts';
import type { Freshness, Progress } from '../reading/progress.ts';
import { jsonArray, etagOf, type EncodedJson } from '../reading/encoded-json.ts';
import { ProductIndex, type ListingResult, type ListingQuery } from './product-index.ts';
import { cursorAt, toIndexedProduct, toOffer, type IndexedProduct } from './indexed-product.ts';
import { catalogue } from './projector.ts';

/** A page of products, and a strong `ETag` for it, which changes with the total too: that is told in a header beside it. */
export type PageAnswer = {
  /** Each one's JSON. A page is put together when it is sent: as parts of it, products are in memory once, however many pages they are on. */
  readonly products: readonly EncodedJson[];
  readonly etag: string;
  readonly total: number;
  /** Cursor of the next page, when there is one. */
  readonly next: string | undefined;
};

export const pageAnswer = ({ sort }: ListingQuery, { items, total, more }: ListingResult): PageAnswer => {
  const products = items.map(({ json }) => json);
  const last = items.at(-1);
  return { products, etag: etagOf(`${total} ${jsonArray(products)}`), total, next: more && last ? cursorAt(sort, last) : undefined };
};

/** Where the table stands. Within an epoch its rows change by new events only; in a new one any row may have changed. */
type CheckpointPosition = { readonly position: LogPosition; readonly epoch: number };

/** `undefined` when the table of this release's version is not built yet. */
const readCheckpoint = async (db: Kysely<ReadModels>): Promise<CheckpointPosition | undefined> => {
  const { rows } = await sql<{ position: bigint; epoch: number }>`
    select position, epoch from read.checkpoints
    where model = ${catalogue.name} and version = ${catalogue.version} and slot = 'live' and built_at is not null`.execute(db);
  const [row] = rows;
  return row && { position: logPosition(row.position), epoch: row.epoch };
};

const PAGE = 1_000;

/**
 * What has changed after a position, in the order in which it did. A row that changes while pages are being read moves to the end, so
 * none is missed; it is then newer than any checkpoint read before.
 */
const itemsAfter = async (db: Kysely<ReadModels>, position: LogPosition): Promise<IndexedProduct[]> => {
  const items: IndexedProduct[] = [];
  for (let from = position; ;) {
    const rows = await db.selectFrom('catalogue_v2').selectAll().where('position', '>', from).orderBy('position').limit(PAGE).execute();
    for (const row of rows) items.push(toIndexedProduct(row));
    from = rows.at(-1)?.position ?? from;
    if (rows.length < PAGE) return items;
  }
};

export type ListingOptions = {
  readonly db: Kysely<ReadModels>;
  readonly progress: Progress;
  readonly log: Log;
};

/** How long after the database failed it is asked again, in milliseconds. */
const RETRY = 500;

/**
 * The catalogue as this process serves it: every product's answer in memory, filled from the read model's table when it is opened
 * and kept up with it. Questions are answered at once and without the database.
 */
export class Listing {
  readonly #end = new AbortController();
  #index = new ProductIndex();
  #standing: CheckpointPosition = { position: START, epoch: -1 };
  #edition = 0;
  #wanted = false;
  #refreshing: Promise<void> | undefined;

  constructor(readonly options: ListingOptions) {}

  /** Grows whenever any answer may have changed: what was asked in the same edition is answered the same. */
  get edition(): number {
    return this.#edition;
  }

  /** How many products the shop offers. */
  get size(): number {
    return this.#index.size;
  }

  page(question: ListingQuery): PageAnswer {
    return pageAnswer(question, this.#index.find(question));
  }

  /** A product that the shop offers now, with its JSON. */
  get(id: string): IndexedProduct | undefined {
    const item = this.#index.get(id);
    return item?.removed ? undefined : item;
  }

  /** The catalogue as carts and orders see it. */
  readonly offers: Offers = {
    get: (id) => {
      const item = this.#index.get(id);
      return item && toOffer(item);
    },
  };

  /** Whether what happened to products up to this position can be seen here. */
  has(position: LogPosition): boolean {
    return this.#has(position) && !this.options.progress.hasParked(catalogue.name);
  }

  /** Waits, `milliseconds` at most, until what happened to products up to this position can be seen here. */
  async waitFor(position: LogPosition, milliseconds: number): Promise<Freshness> {
    if (this.has(position)) return 'fresh';
    const late = performance.now() + milliseconds;
    const freshness = await this.options.progress.waitFor(catalogue.name, position, milliseconds);
    if (freshness === 'stale') return freshness;
    // The table has it, so a refresh that brings it here is done or under way.
    const waited = new AbortController();
    await Promise.race([this.#refreshing, sleep(late - performance.now(), waited.signal)]);
    waited.abort();
    return this.#has(position) ? freshness : 'stale';
  }

  /** Reads the table as it stands and follows it from then on. Throws what the database throws. */
  async open(): Promise<void> {
    await this.#refresh();
    const stop = this.options.progress.onAdvance(catalogue.name, () => this.#wake());
    this.#end.signal.addEventListener('abort', stop);
    // For what has changed between the reading and the listening.
    this.#wake();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#refreshing;
  }

  #has(position: LogPosition): boolean {
    return this.#standing.epoch >= 0 && this.#standing.position >= position;
  }

  /** The table has changed. While a refresh is under way one other follows it, however often it changes meanwhile. */
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
        // The database is away: what is known stays good enough to browse, and is brought up to date when it is back.
        this.options.log.warn({ error }, 'The listing could not be refreshed');
        this.#wanted = true;
        await sleep(RETRY, signal);
      }
    }
  }

  async #refresh(): Promise<void> {
    const { db } = this.options;
    // First where the table stands and then its rows: they are at least as new, so the listing is never behind what it claims.
    const standing = await readCheckpoint(db);
    if (!standing) return;
    // After a rebuild or a repair the whole table is read anew.
    const isAnew = standing.epoch !== this.#standing.epoch;
    const items = await itemsAfter(db, isAnew ? START : this.#standing.position);
    if (isAnew) this.#index = new ProductIndex();
    if (items.length > 0) this.#index.change(items);
    if (isAnew || items.length > 0) this.#edition++;
    this.#standing = standing;
  }
}

/** The catalogue in memory, complete up to where its read model stands. Throws what the database throws. */
export const openListing = async (options: ListingOptions): Promise<Listing> => {
  const listing = new Listing(options);
  await listing.open();
  return listing;
};
