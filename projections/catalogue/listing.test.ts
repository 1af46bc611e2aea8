import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nameBareTable, nameTable } from '../engine/table-set.ts';
import { logPosition, START } from '#domain/event-store.ts';
import { productId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { daysLater } from '#domain/shared/time.ts';
import { anotherOrder } from '#domain/testing/carts.ts';
import { added, dayAfter, openingDay, removed, repriced, ruhGulabAdded, soldOut } from '#domain/testing/products.ts';
import { counted, countingEnded, reserved, shipped } from '#domain/testing/stocks.ts';

import { followProgress, type Progress } from '../reading/progress.ts';
import { rebuild } from '../engine/rebuild.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { RecordedLog, startWorker, type Running } from '../testing/run-worker.ts';
import { jsonArray, decodeJson } from '../reading/encoded-json.ts';
import { shownOnPage } from './indexed-product.ts';
import { openListing, type Listing } from './listing.ts';
import { catalogue } from './projector.ts';
import { stockQueries } from './stock-queries.ts';

const oud = 'product-oud-saffron-majlis';
const gulab = 'product-ruh-gulab';

let events: MemoryLog;
let database: TestDatabase;
let progress: Progress;
let log: RecordedLog;
let listing: Listing;
let worker: Running | undefined;

const work = (): void => void (worker = startWorker(catalogue, events, database));
const rest = async (): Promise<void> => {
  await worker?.stop();
  worker = undefined;
};
const open = async (): Promise<void> => void (listing = await openListing({ db: database.db, progress, log }));
const followed = async (): Promise<void> => expect(await listing.waitFor(events.last, 60_000)).toBe('fresh');
const workAndFollow = async (): Promise<void> => {
  work();
  await open();
  await followed();
};
/** The attar is added, and its price raised to ₹2,650.00. */
const gulabRepriced = [ruhGulabAdded(), repriced(paise(2_450_00), paise(2_650_00))];

const told = (id: string): unknown => {
  const json = listing.get(id)?.json;
  return json && JSON.parse(decodeJson(json));
};

beforeEach(async () => {
  events = new MemoryLog();
  log = new RecordedLog();
  database = await openTestDatabase();
  progress = await followProgress(database, [catalogue]);
});
afterEach(async () => {
  await rest();
  await listing.close();
  await progress.close();
  await database.close();
});

describe('the listing in memory', () => {
  test('has all rows of its table when it is opened, on any number of pages', async () => {
    for (let number = 1; number <= 2_100; number++) events.append(`product-p${number}`, added());
    events.append('product-p7', removed());
    work();
    expect(await progress.waitFor(catalogue.name, events.last, 60_000)).toBe('fresh');
    await open();
    expect(await listing.waitFor(events.last, 0)).toBe('fresh');
    expect(listing.size).toBe(2_099);
    expect(listing.get('p7')).toBeUndefined();
    expect(told('p2100')).toMatchObject({ _id: 'p2100', revision: 0 });
  });

  test('may be opened before its table is built, and is filled with the table', async () => {
    events.append(oud, added());
    await open();
    expect(listing.size).toBe(0);
    work();
    await followed();
    expect(listing.size).toBe(1);
  });

  test('follows changes of products', async () => {
    work();
    await open();
    events.append(oud, added());
    events.append(gulab, ...gulabRepriced);
    await followed();
    expect(told('ruh-gulab')).toMatchObject({ price: '₹2,650.00', revision: 1 });
    expect(listing.get('ruh-gulab')).toMatchObject({ price: 2_650_00 });
    expect(told('ruh-gulab')).toMatchObject({ inStock: true });

    events.append(gulab, soldOut());
    events.append(oud, removed());
    await followed();
    expect(told('ruh-gulab')).toMatchObject({ inStock: false });
    expect(listing.get('oud-saffron-majlis')).toBeUndefined();
    expect(listing.size).toBe(1);
  });

  test('keeps removed products with their last data, even after a restart', async () => {
    work();
    await open();
    events.append(oud, added());
    events.append(gulab, ...gulabRepriced, removed());
    await followed();
    const check = (at: Listing): void => {
      expect(at.offers.get(productId('oud-saffron-majlis'))).toMatchObject({ product: { name: 'Oud Saffron Majlis' }, removed: false });
      expect(at.offers.get(productId('ruh-gulab'))).toMatchObject({ product: { price: '₹2,650.00' }, price: 2_650_00, removed: true });
      expect(at.offers.get(productId('never-was'))).toBeUndefined();
    };
    check(listing);
    const next = await openListing({ db: database.db, progress, log });
    check(next);
    await next.close();
  });

  test('shows the bottles of counted products, and changes its edition only when shoppers see another stock', async () => {
    const stock = 'stock-ruh-gulab';
    const id = productId('ruh-gulab');
    events.append(gulab, ...gulabRepriced);
    await workAndFollow();
    expect([listing.stockOf(id), listing.offers.get(id)?.available]).toEqual([null, null]);
    events.append(stock, counted(12), reserved(2));
    await followed();
    expect(told(id)).toMatchObject({ inStock: true, revision: 1, price: '₹2,650.00' });
    expect(told(id)).not.toHaveProperty('left');
    expect(listing.stockOf(id)).toEqual({ onHand: 12, reserved: 2, available: 10, lowAt: null });
    const { edition } = listing;
    events.append(stock, reserved(4, anotherOrder));
    await followed();
    expect([listing.offers.get(id)?.available, listing.edition]).toEqual([6, edition]);
    events.append(stock, reserved(5, anotherOrder, 1, 4));
    await followed();
    expect(told(id)).toMatchObject({ inStock: true, left: 5 });
    expect(listing.edition).toBeGreaterThan(edition);
    events.append(stock, shipped(5, anotherOrder), reserved(5, anotherOrder));
    await followed();
    expect(told(id)).toMatchObject({ inStock: false, revision: 1 });
    const next = await openListing({ db: database.db, progress, log });
    expect(JSON.parse(decodeJson(next.get(id)?.json ?? jsonArray([])))).toMatchObject({ inStock: false });
    expect(next.offers.get(id)).toMatchObject({ available: 0 });
    await next.close();
    events.append(gulab, repriced(paise(2_650_00), paise(2_700_00)));
    await followed();
    expect(told(id)).toMatchObject({ inStock: false, price: '₹2,700.00', revision: 2 });
    events.append(stock, countingEnded());
    await followed();
    expect(told(id)).toMatchObject({ inStock: true });
    expect(listing.stockOf(id)).toBeNull();
  });

  test('lists counted products on offer, and those with low stock, page by page', async () => {
    const stocks = stockQueries(database.db);
    for (const name of ['a', 'b', 'c', 'd']) events.append(`product-${name}`, ruhGulabAdded());
    for (const name of ['a', 'b', 'c']) events.append(`stock-${name}`, counted(name === 'b' ? 2 : 9), reserved(1));
    events.append('stock-b', { type: 'StockLowMarkSet', data: { lowAt: 1, setAt: openingDay } });
    events.append('product-c', removed());
    await workAndFollow();
    const first = await stocks.page({ low: false, limit: 1 });
    expect(first).toEqual({
      products: [{ _id: 'a', name: 'Ruh Gulab', stock: { onHand: 9, reserved: 1, available: 8, lowAt: null } }],
      nextCursor: 'a',
    });
    expect(await stocks.page({ low: false, limit: 1, cursor: 'a' })).toMatchObject({ products: [{ _id: 'b' }], nextCursor: null });
    expect((await stocks.page({ low: true, limit: 5 })).products.map(({ _id }) => _id)).toEqual(['b']);
    expect((await stocks.reserved()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test("shows a reduction on the product's page as long as it is announced", async () => {
    const reducedAt = daysLater(dayAfter, 3);
    events.append(gulab, ...gulabRepriced);
    await workAndFollow();
    // The earlier prices are read from the table.
    events.append(gulab, repriced(paise(2_650_00), paise(2_300_00), reducedAt));
    await followed();
    const pageOn = (day: number): unknown => {
      const item = listing.get('ruh-gulab');
      const shown = item && shownOnPage(item, () => daysLater(reducedAt, day));
      return shown && { ...JSON.parse(decodeJson(shown.json)), isListed: shown.etag === item.etag };
    };
    expect(pageOn(29)).toMatchObject({ price: '₹2,300.00', reduction: { lowestPrice: '₹2,450.00', reducedAt }, isListed: false });
    expect(pageOn(30)).toEqual({ ...(told('ruh-gulab') as object), isListed: true });
    expect(told('ruh-gulab')).not.toHaveProperty('reduction');

    events.append(gulab, repriced(paise(2_300_00), paise(2_350_00), daysLater(reducedAt, 1)));
    await followed();
    expect(pageOn(2)).not.toHaveProperty('reduction');
  });

  test('has another edition after every change, and only then', async () => {
    events.append(oud, added());
    await workAndFollow();
    const { edition } = listing;
    await listing.waitFor(START, 0);
    expect(listing.edition).toBe(edition);
    events.append(oud, soldOut());
    await followed();
    expect(listing.edition).toBeGreaterThan(edition);
  });

  test('waits for a position and reports that the event is parked, or "stale" when the time is over', async () => {
    // The handler throws for a product that sells out before it was added.
    const position = events.append(gulab, soldOut());
    events.append(oud, added());
    await workAndFollow();
    expect(await listing.waitFor(position, 60_000)).toBe('parked');
    expect(listing.size).toBe(1);
    expect(await listing.waitFor(logPosition(99n), 20)).toBe('stale');
  });

  test('loads a rebuilt table again, although its position is the same', async () => {
    events.append(oud, added());
    events.append(gulab, ruhGulabAdded());
    work();
    await progress.waitFor(catalogue.name, events.last, 60_000);
    await rest();
    // The rows are wrong, as after a bug in an older release.
    await database.pool.query(
      `update ${nameTable(catalogue, 'catalogue')} set view = '{"wrong":true}', name = 'Wrong' where product_id = 'ruh-gulab'`,
    );
    await database.pool
      .query(`insert into ${nameTable(catalogue, 'catalogue')} select 'ghost', name, category, price, in_stock, rating, bestseller, featured,
      trending, pictured, added_at, removed, position, reduced_at, lowest_before, earlier_prices, view from ${nameTable(catalogue, 'catalogue')} where product_id = 'ruh-gulab'`);
    await open();
    expect([told('ruh-gulab'), listing.size]).toEqual([{ wrong: true }, 3]);

    await rebuild(catalogue, events, database, { signal: new AbortController().signal });
    await expect.poll(() => told('ruh-gulab')).toMatchObject({ _id: 'ruh-gulab' });
    expect(listing.size).toBe(2);
    const found = listing.page({ filter: { name: 'gulab' }, sort: 'featured', limit: 5 });
    expect(JSON.parse(decodeJson(jsonArray(found.products)))).toEqual([told('ruh-gulab')]);
  });

  test('loads the table again after a failover to a standby that lacks the latest commits', async () => {
    events.append(oud, added());
    events.append(gulab, ruhGulabAdded());
    await workAndFollow();
    await rest();
    await database.pool.query(
      `update ${nameTable(catalogue, 'catalogue')} set position = 1, view = '{"earlier":true}' where product_id = 'ruh-gulab'`,
    );
    await database.pool.query('update read.checkpoints set position = 1');
    await expect.poll(() => told('ruh-gulab')).toEqual({ earlier: true });
  });

  test('answers during an outage of the database, and catches up afterwards', async () => {
    events.append(oud, added());
    await workAndFollow();
    await database.pool.query(`alter table ${nameTable(catalogue, 'catalogue')} rename to elsewhere`);
    await database.pool.query('update read.checkpoints set epoch = epoch + 1');
    await expect.poll(() => log.lines).toContain('The listing could not be refreshed');
    expect(told('oud-saffron-majlis')).toMatchObject({ name: 'Oud Saffron Majlis' });

    await database.pool.query('delete from read.elsewhere');
    await database.pool.query(`alter table read.elsewhere rename to ${nameBareTable(catalogue, 'catalogue')}`);
    await expect.poll(() => listing.size).toBe(0);
  });
});
