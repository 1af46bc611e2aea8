import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { daysLater, instant } from '#domain/shared/time.ts';
import { orderStream } from '#domain/order/order.ts';
import { noon } from '#domain/testing/carts.ts';
import { cancelled, created, placed } from '#domain/testing/orders.ts';

import { followProgress, type Progress } from '../reading/progress.ts';
import { rebuild } from '../engine/rebuild.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { nthOrder } from '../testing/order-histories.ts';
import { startWorker, type Running } from '../testing/run-worker.ts';
import { stats } from './projector.ts';
import { statsQueries, type Stats } from './queries.ts';

const log = new MemoryLog();
let database: TestDatabase;
let progress: Progress;
let worker: Running;
beforeAll(async () => {
  database = await openTestDatabase();
  progress = await followProgress(database, [stats]);
  worker = startWorker(stats, log, database);
});
afterAll(async () => {
  await worker.stop();
  await progress.close();
  await database.close();
});

const applied = () => expect(progress.waitFor(stats.name, log.last, 30_000)).resolves.toBe('fresh');

let orders = 0;
let figures: Stats;
beforeEach(async () => {
  figures = statsQueries(database);
  log.append(orderStream(nthOrder(++orders)), created(), placed('COD', noon));
  await applied();
});

const weekLater = daysLater(noon, 7);

test('an order leaves the figures of the week a moment after seven days, without any event', async () => {
  const { figures: before, until } = await figures.at(weekLater);
  expect(before.lastWeekOrders).toBe(orders);
  expect(until).toBe(weekLater);
  const momentLater = instant(weekLater.replace('.000Z', '.001Z'));
  expect((await figures.at(momentLater)).figures).toEqual({ ...before, lastWeekOrders: 0 });
});

test('an event is in the figures as soon as it is applied', async () => {
  const { totalOrders, totalSales } = (await figures.at(noon)).figures;
  log.append(orderStream(nthOrder(++orders)), created(), placed('COD', noon));
  await applied();
  expect((await figures.at(noon)).figures.totalOrders).toBe(totalOrders + 1);
  log.append(orderStream(nthOrder(orders)), cancelled());
  await applied();
  expect((await figures.at(noon)).figures).toMatchObject({ totalOrders: totalOrders + 1, totalSales });
});

test('queries work after a rebuild has replaced the tables', async () => {
  const before = await figures.at(noon);
  await rebuild(stats, log, database, { signal: new AbortController().signal });
  for (let round = 0; round < 10; round++) expect(await figures.at(noon)).toEqual(before);
});
