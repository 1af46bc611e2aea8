import { type Kysely, sql } from 'kysely';

import { type LogPosition, logPosition, START } from '#domain/event-store.ts';
import type { Offer, Offers } from '#domain/product/offer.ts';
import type { ProductId } from '#domain/shared/ids.ts';

import type { ReadModels } from '../database.ts';
import type { Log } from '../log.ts';
import { pause } from '../pause.ts';
import type { Freshness, Progress } from '../progress.ts';
import { pageAnswer, type PageAnswer } from './answer.ts';
import { type Item, itemOf, offerOf } from './item.ts';
import { catalogue } from './projector.ts';
import { type Question, Shelves } from './shelves.ts';
import type { CatalogueRow } from './table.ts';

/** Where the table stands. What was applied in one epoch is not applied again; in a new one any row may have changed. */
export type Standing = { readonly position: LogPosition; readonly epoch: number };

/** `undefined` when the table of this release's version is not built yet. */
export const readStanding = async (db: Kysely<ReadModels>): Promise<Standing | undefined> => {
  const { rows } = await sql<{ position: bigint; epoch: number }>`
    select position, epoch from read.checkpoints
    where model = ${catalogue.name} and version = ${catalogue.version} and slot = 'live' and built_at is not null`.execute(db);
  const [row] = rows;
  return row && { position: logPosition(row.position), epoch: row.epoch };
};

const PAGE = 1_000;

/**
 * Rows that changed after a position, in pages, in the order in which they changed. A row that changes while pages are being read
 * moves to the end, so none is missed; it is then newer than any checkpoint read before.
 */
export async function* rowsAfter(db: Kysely<ReadModels>, position: LogPosition): AsyncGenerator<readonly CatalogueRow[]> {
  for (let from = position; ;) {
    const rows = await db.selectFrom('catalogue_v2').selectAll().where('position', '>', from).orderBy('position').limit(PAGE).execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE) return;
    from = last.position;
  }
}

/** Every row there is, as above. */
export const allRows = (db: Kysely<ReadModels>): AsyncGenerator<readonly CatalogueRow[]> => rowsAfter(db, START);

export type ListingOptions = {
  readonly db: Kysely<ReadModels>;
  readonly progress: Progress;
  readonly log: Log;
};

const isSame = (one: Item, other: Item): boolean => one.json === other.json && one.addedAt === other.addedAt;

/** How long after the database failed it is asked again, in milliseconds. */
const RETRY = 500;

/**
 * The catalogue as this process serves it: every product's answer in memory, filled from the read model's table when it is opened
 * and kept up with it. Questions are answered at once and without the database.
 */
export class Listing {
  readonly #shelves = new Shelves();
  readonly #end = new AbortController();
  readonly #waiting = new Set<() => void>();
  /** What the shop offered once, as it was last: carts may still hold it. */
  readonly #removed = new Map<string, Item>();
  #standing: Standing = { position: START, epoch: -1 };
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
    return this.#shelves.size;
  }

  page(question: Question): PageAnswer {
    return pageAnswer(question, this.#shelves.find(question));
  }

  /** A product that the shop offers now, with its JSON; price and stock are what an order is measured by. */
  get(id: string): Item | undefined {
    return this.#shelves.get(id);
  }

  /** The catalogue as carts and orders see it. */
  readonly offers: Offers = { get: (id) => this.#offer(id) };

  /** Whether what happened to products up to this position can be seen here. */
  has(position: LogPosition): boolean {
    return this.#has(position) && !this.options.progress.hasParked(catalogue.name);
  }

  /** Waits, `milliseconds` at most, until what happened to products up to this position can be seen here. */
  async waitFor(position: LogPosition, milliseconds: number): Promise<Freshness> {
    const { progress } = this.options;
    if (this.has(position)) return 'fresh';
    const late = AbortSignal.timeout(milliseconds);
    const freshness = await progress.waitFor(catalogue.name, position, milliseconds);
    if (freshness === 'stale') return freshness;
    while (!this.#has(position) && !late.aborted) await this.#nextRefresh(late);
    return this.#has(position) ? freshness : 'stale';
  }

  /** Reads the table as it stands and follows it from then on. Throws what the database throws. */
  async open(): Promise<void> {
    await this.#refresh();
    const stop = this.options.progress.onAdvance(catalogue.name, () => this.#ring());
    this.#end.signal.addEventListener('abort', stop);
    // For what has changed between the reading and the listening.
    this.#ring();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#refreshing;
  }

  #offer(id: ProductId): Offer | undefined {
    const offered = this.#shelves.get(id);
    const item = offered ?? this.#removed.get(id);
    return item && { ...offerOf(item), removed: !offered };
  }

  #has(position: LogPosition): boolean {
    return this.#standing.epoch >= 0 && this.#standing.position >= position;
  }

  #nextRefresh(late: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        late.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      late.addEventListener('abort', done);
    });
  }

  /** The table has moved. While a refresh is under way another follows it, however often the bell rings. */
  #ring(): void {
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
        await pause(RETRY, signal);
      }
    }
  }

  async #refresh(): Promise<void> {
    const { db } = this.options;
    // First where the table stands and then its rows: they are at least as new, so the listing is never behind what it claims.
    const standing = await readStanding(db);
    if (!standing) return;
    if (standing.epoch === this.#standing.epoch) {
      for await (const rows of rowsAfter(db, this.#standing.position)) this.#take(rows);
    } else await this.#takeAll(allRows(db));
    this.#standing = standing;
    for (const done of this.#waiting) done();
  }

  #take(rows: readonly CatalogueRow[]): void {
    const removed = rows.filter((row) => row.removed).map(itemOf);
    for (const item of removed) this.#removed.set(item.id, item);
    const gone = removed.map(({ id }) => id);
    const come = rows.filter((row) => !row.removed).map(itemOf);
    this.#change(gone, come);
  }

  /** After a rebuild or a repair: only what is not as it was is taken anew. */
  async #takeAll(pages: AsyncIterable<readonly CatalogueRow[]>): Promise<void> {
    const offered = new Map<ProductId, Item>();
    for await (const rows of pages) {
      for (const row of rows) {
        const known = this.#shelves.get(row.product_id);
        const item = itemOf(row);
        if (row.removed) {
          offered.delete(row.product_id);
          this.#removed.set(row.product_id, item);
        } else offered.set(row.product_id, known && isSame(known, item) ? known : item);
      }
    }
    const gone = [...this.#shelves.ids()].filter((id) => !offered.has(id));
    const come = [...offered.values()].filter((item) => this.#shelves.get(item.id) !== item);
    this.#change(gone, come);
  }

  #change(gone: readonly ProductId[], come: readonly Item[]): void {
    if (gone.length + come.length === 0) return;
    this.#shelves.change(gone, come);
    this.#edition++;
  }
}

/** The catalogue in memory, complete up to where its read model stands. Throws what the database throws. */
export const openListing = async (options: ListingOptions): Promise<Listing> => {
  const listing = new Listing(options);
  await listing.open();
  return listing;
};
