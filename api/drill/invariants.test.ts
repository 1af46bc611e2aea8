import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import { readModels } from '#projections/read-models.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { ordering } from '../orders/testing/ordering.ts';
import { openTestShop, type TestShop } from '../testing/shop.ts';
import { judge } from './invariants.ts';
import type { Witnessed } from './shopper.ts';

let shop: TestShop;
let witnessed: Witnessed;
let order: OrderView;

beforeEach(async () => {
  shop = await openTestShop();
  await change([shop], oudSaffronMajlis, add());
  const at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis });
  const { order: created } = await at.create();
  ({ order } = await at.place(created._id));
  witnessed = {
    placed: new Map([[order._id, { order, shopper: 0 }]]),
    moved: [{ id: order._id, status: 'pending' }],
    unsure: new Map(),
    broken: [],
    browsed: 0,
    added: 1,
  };
  const head = await shop.store.head(['order']);
  for (const { name } of readModels.filter(({ categories }) => categories.includes('order')))
    await shop.progress.waitFor(name, head, 20_000);
  const confirmed = async () => (await shop.pool.query(`select from shop.outbox where cause like 'order-placed:%'`)).rowCount;
  await expect.poll(confirmed, { timeout: 20_000 }).toBe(1);
});
afterEach(() => shop.close());

/** The invariants that do not hold. */
const broken = async (): Promise<readonly string[]> => {
  const { verdicts } = await judge(shop, witnessed);
  return verdicts.filter((verdict) => verdict.broken.length > 0).map(({ invariant }) => invariant);
};

describe('the drill finds', { timeout: 60_000 }, () => {
  test('nothing where everything is as it should be', async () => expect(await broken()).toEqual([]));

  test('an order that was answered and is not in the log', async () => {
    witnessed.placed.set('gone', { order, shopper: 1 });
    expect(await broken()).toEqual([expect.stringMatching(/^every success that was answered/)]);
  });

  test('an order that was answered with another total', async () => {
    witnessed.placed.set(order._id, { order: { ...order, total: order.total + 1 }, shopper: 0 });
    expect(await broken()).toEqual([expect.stringMatching(/^every success that was answered/)]);
  });

  test('a step of the staff that is not in the log', async () => {
    witnessed.moved.push({ id: order._id, status: 'shipped' });
    expect(await broken()).toEqual([expect.stringMatching(/^every step that the staff/)]);
  });

  test('an order that nobody asked for', async () => {
    witnessed.placed.clear();
    expect(await broken()).toEqual([expect.stringMatching(/^one order for one version of a cart/)]);
  });

  test('a confirmation that is missing', async () => {
    await shop.pool.query(`delete from shop.outbox where cause like 'order-placed:%'`);
    expect(await broken()).toEqual([expect.stringMatching(/^one confirmation/)]);
  });

  test('an event that was altered', async () => {
    await shop.pool.query(`update log.events set data = '{}' where position = 1`);
    expect(await broken()).toContainEqual(expect.stringMatching(/^every chain is intact/));
  });

  test('a row of a read model that no event has made', async () => {
    const { rows } = await shop.read.pool.query<{ name: string }>(
      `select 'read.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'read' and c.relkind = 'r' and c.relname like 'my\\_orders%\\_v%' order by 1`,
    );
    for (const { name } of rows) await shop.read.pool.query(`delete from ${name}`);
    expect(await broken()).toEqual([expect.stringMatching(/^no event was applied twice or skipped/)]);
  });
});
