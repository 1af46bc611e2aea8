import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { daysLater, instant } from '#domain/shared/time.ts';
import { noon } from '#domain/testing/carts.ts';
import { cancelled, created, placed } from '#domain/testing/orders.ts';

import { followProgress, type Progress } from '../reading/progress.ts';
import { rebuild } from '../engine/rebuild.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { nthOrder, orderStream } from '../testing/order-histories.ts';
import { startWorker, type Running } from '../testing/run-worker.ts';
import { stats } from './projector.ts';
import { cachedFigures, statsIn } from './queries.ts';

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
let asked: number;
const watched = () => {
  asked = 0;
  const { at } = statsIn(database);
  return cachedFigures({ at: (now) => (asked++, at(now)) }, progress);
};
beforeEach(async () => {
  log.append(orderStream(nthOrder(++orders)), created(), placed('COD', noon));
  await applied();
});

const weekLater = daysLater(noon, 7);

test('figures are queried once, until an event is applied or an order leaves a period', async () => {
  const figures = watched();
  const first = await figures.at(noon);
  expect(await figures.at(weekLater)).toEqual(first);
  expect(asked).toBe(1);
});

test('an order leaves the week a moment after its seven days are over, without any event', async () => {
  const figures = watched();
  const { lastWeekOrders, lastMonthSales } = await figures.at(weekLater);
  expect(lastWeekOrders).toBe(orders);
  const momentLater = instant(weekLater.replace('.000Z', '.001Z'));
  expect(await figures.at(momentLater)).toMatchObject({ lastWeekOrders: 0, lastMonthSales });
});

test('figures are queried again after the clock was set back', async () => {
  const figures = watched();
  await figures.at(daysLater(noon, 8));
  expect((await figures.at(noon)).lastWeekOrders).toBe(orders);
});

test('an event is in the figures as soon as it is applied', async () => {
  const figures = watched();
  const { totalOrders, totalSales } = await figures.at(noon);
  log.append(orderStream(nthOrder(++orders)), created(), placed('COD', noon));
  await applied();
  expect((await figures.at(noon)).totalOrders).toBe(totalOrders + 1);
  log.append(orderStream(nthOrder(orders)), cancelled());
  await applied();
  expect(await figures.at(noon)).toMatchObject({ totalOrders: totalOrders + 1, totalSales });
});

test('queries work after a rebuild has replaced the tables', async () => {
  const { at } = statsIn(database);
  const before = await at(noon);
  await rebuild(stats, log, database, { until: new AbortController().signal });
  for (let round = 0; round < 10; round++) expect(await at(noon)).toEqual(before);
});
