import { afterAll, beforeEach, expect, test } from 'vitest';

import { daysLater, instant } from '#domain/shared/time.ts';
import { orderStream } from '#domain/order/order.ts';
import { noon } from '#domain/testing/carts.ts';
import { created, placed } from '#domain/testing/orders.ts';

import { followProgress } from '../reading/progress.ts';
import { rebuild } from '../engine/rebuild.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { nthOrder } from '../testing/order-histories.ts';
import { startWorker } from '../testing/run-worker.ts';
import { stats } from './projector.ts';
import { statsQueries, type Stats } from './queries.ts';

const log = new MemoryLog();
const database = await openTestDatabase();
const progress = await followProgress(database, [stats]);
const worker = startWorker(stats, log, database);
afterAll(async () => {
  await worker.stop();
  await progress.close();
  await database.close();
});

const applied = () => expect(progress.waitFor(stats.name, log.last, 60_000)).resolves.toBe('fresh');

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

test('queries work after a rebuild has replaced the tables', async () => {
  const before = await figures.at(noon);
  await rebuild(stats, log, database, { signal: new AbortController().signal });
  for (let round = 0; round < 10; round++) expect(await figures.at(noon)).toEqual(before);
});
