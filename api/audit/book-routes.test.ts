import { afterAll, beforeAll, expect, test } from 'vitest';

import { moveTo } from '#domain/testing/orders.ts';

import type { Browser } from '../accounts/testing/browser.ts';
import { auditor, signedIn } from '../orders/testing/ordering.ts';
import { checkOut, placedBy, toOrder } from '../orders/testing/placing.ts';
import { openTestShop, type TestShop } from '../testing/shop.ts';
import type { BookLine } from './book-routes.ts';

let shop: TestShop;
let books: Browser;

beforeAll(async () => {
  shop = await openTestShop({ people: { auditor } });
  books = await signedIn(shop, auditor);
  await checkOut(shop, 'ravi');
  await placedBy(shop, 'meera');
  const { id } = await placedBy(shop, 'meera');
  const { position } = await toOrder(shop, id, moveTo('cancelled'));
  expect(await shop.progress.waitFor('stats', position, 10_000)).toBe('fresh');
});
afterAll(() => shop.close());

type Result = Extract<BookLine, { done: true }>;
const verified = async (): Promise<{ lines: BookLine[]; result: Result }> => {
  const { body } = await books.get('/api/audit/verify');
  const lines = String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BookLine);
  const result = lines.at(-1);
  if (!result || !('done' in result)) throw new Error('The books came to no end');
  return { lines, result };
};

test('the books say how far they are, and then that everything is as it was written', async () => {
  const { lines, result } = await verified();
  expect(lines[0]).toMatchObject({ events: expect.any(Number) as unknown, end: expect.stringMatching(/^\d+$/) as unknown });
  const figures = { totalOrders: 2, lastWeekOrders: 2, totalSales: 11_033, lastMonthSales: 11_033 };
  expect(result).toMatchObject({ count: 0, findings: [], figures: { inLog: figures, inTable: figures, readModel: 'matches' } });
});

test('figures of the dashboard that the log does not bear out are shown beside the true ones', async () => {
  await shop.pool.query('update read.stats_ever_v1 set sales = sales + 100');
  const { figures } = (await verified()).result;
  expect(figures).toMatchObject({ readModel: 'differs', inLog: { totalSales: 11_033 }, inTable: { totalSales: 11_034 } });
  await shop.pool.query('update read.stats_ever_v1 set sales = sales - 100');
});

test('an event that was changed in the store is named', async () => {
  const { rows } = await shop.pool.query<{ stream: string }>(
    `update log.events set data = replace(data::text, '"COD"', '"COd"')::json where type = 'OrderPlaced' returning stream`,
  );
  const { result } = await verified();
  expect(result.count).toBe(rows.length);
  expect(result.findings[0]).toMatchObject({ revision: 1, what: 'altered' });
  await shop.pool.query(`update log.events set data = replace(data::text, '"COd"', '"COD"')::json where type = 'OrderPlaced'`);
});

test('they are gone through for one auditor at a time', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => books.get('/api/audit/verify')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(200);
  expect([...new Set(statuses)].every((status) => status === 200 || status === 429)).toBe(true);
  expect((await verified()).result.count).toBe(0);
});
