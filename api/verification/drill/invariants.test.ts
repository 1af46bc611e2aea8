import { expect, test, vi } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { stats } from '#projections/stats/projector.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../../cart/testing/shopping.ts';
import { ordering } from '../../orders/testing/ordering.ts';
import { catchUp, openShopForFile } from '../../testing/test-shop.ts';
import { RecordedAnswers } from '../journeys/recorded-answers.ts';
import { judge } from './invariants.ts';

const shop = await openShopForFile({ projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const at = ordering(shop);
const order = await at.buy({}, 'Prepaid');
await shop.payments.testGateway?.pay(await at.payLink(order._id));
// Read models and reactions reach the end of the log.
await catchUp(shop);
await vi.waitFor(
  async () => {
    const { rows } = await shop.pool.query<{ cause: string }>('select cause from shop.outbox');
    expect(rows.map(({ cause }) => cause).toSorted()).toEqual([`order-paid:${order._id}`, `order-placed:${order._id}`]);
  },
  { timeout: 20_000 },
);

const broken = async (erased: RecordedAnswers['erased'] = [], ...answers: readonly string[]): Promise<readonly string[]> => {
  const placed = new Map([[order._id, { order, shopper: 0 }]]);
  const recorded = { ...new RecordedAnswers(), placed, asked: new Set<string>([order._id]), erased };
  const links = (await shop.payments.testGateway?.core.links.newest(100)) ?? [];
  const { verdicts } = await judge(shop, recorded, { url: shop.databaseUrl, quietAt: shop.now(), answers, links });
  return verdicts.filter((verdict) => verdict.broken.length > 0).map(({ invariant }) => invariant);
};

test('the drill reports nothing about a shop where everything is correct', async () => expect(await broken()).toEqual([]));

test('the drill reports personal data of an erased guest in a table or in an answer to staff', async () => {
  const left = 'left without a key';
  const erased = [{ order: '', texts: [left] }];
  const leak = expect.stringMatching(/^no personal text of erased guests/);
  expect(await broken(erased, '{"name":"erased"}')).toEqual([]);
  expect(await broken(erased, `{"address1":"${left}"}`)).toEqual([leak]);
  await shop.pool.query(`insert into shop.outbox (cause, state, next_attempt_at, created_at) values ($1, 'sent', now(), now())`, [left]);
  expect(await broken(erased)).toEqual([leak]);
  await shop.pool.query('delete from shop.outbox where cause = $1', [left]);
});

// This test is the last, because it leaves the tables wrong.
test('the drill reports a missing row, and a figure that counts an order twice', async () => {
  await shop.read.pool.query(`delete from ${nameTable(myOrders, 'my_orders')}`);
  const differs = expect.stringMatching(/^no event was applied twice or skipped/);
  expect(await broken()).toEqual([differs]);
  await shop.read.pool.query(`update ${nameTable(stats, 'stats_ever')} set orders = 2 * orders, sales = 2 * sales`);
  expect(await broken()).toEqual([expect.stringMatching(/^the figures are what the orders come to/), differs]);
});
