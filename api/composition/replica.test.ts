import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { openReadDatabase } from '#projections/database.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { followProgress } from '#projections/reading/progress.ts';
import { readModels } from '#projections/read-models.ts';
import { withReplica } from '#projections/reading/replica.ts';

import { change } from '../cart/testing/shopping.ts';
import { openLogger } from '../platform/logger.ts';
import { signedUp } from '../orders/testing/ordering.ts';
import { startProjections } from './background-work.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { catchUp, openShopForFile } from '../testing/test-shop.ts';

const databaseReadUrl = await freshDatabase();
/** Stands for a replica: it has the read models as they were when it was last brought up to date. */
const replica = openReadDatabase({ connectionString: databaseReadUrl, max: 2 * readModels.length });
afterAll(() => replica.close());
const shop = await openShopForFile({ databaseReadUrl, projecting: true });
await change([shop], oudSaffronMajlis, add());
const at = await signedUp(shop, 'meera@example.com');

const bringUpToDate = async (): Promise<void> => {
  const progress = await followProgress(replica, readModels);
  const applying = startProjections({ store: shop.store, read: replica, tracing: undefined }, openLogger('silent'));
  const reached = await Promise.all(
    readModels.map(async ({ name, categories }) => progress.waitFor(name, await shop.store.head(categories), 60_000)),
  );
  await applying.close();
  await progress.close();
  expect(new Set(reached)).toEqual(new Set(['fresh']));
};

const order = async (): Promise<string> => {
  return (await at.buy())._id;
};

const myOrdersShown = async (): Promise<readonly string[]> => {
  const { body, headers } = await at.get('/api/order/get-AllOrders');
  expect(headers['x-stale']).toBeUndefined();
  return (body as { orders: { _id: string }[] }).orders.map(({ _id }) => _id);
};

const shown = async () => {
  await catchUp(shop);
  const asked = async () => {
    const { values } = (await shop.registry.getSingleMetric('ruhani_queries_total')?.get()) ?? { values: [] };
    return new Map(values.map(({ labels, value }) => [String(labels['database']), value]));
  };
  const before = await asked();
  const orders = await myOrdersShown();
  const [by] = [...(await asked())].find(([database, count]) => count > (before.get(database) ?? 0)) ?? [];
  return { orders, by };
};

describe('a shop with a replica', () => {
  test("queries the primary until the replica has the shopper's own changes, and then the replica", async () => {
    const first = await order();
    expect(await shown()).toEqual({ orders: [first], by: 'primary' });
    await bringUpToDate();
    expect(await shown()).toEqual({ orders: [first], by: 'replica' });

    const second = await order();
    expect(await shown()).toEqual({ orders: [second, first], by: 'primary' });
    await bringUpToDate();
    expect(await shown()).toEqual({ orders: [second, first], by: 'replica' });
  });

  test('does not query a replica that is far behind', async () => {
    const asked: string[] = [];
    const { progress, read: primary } = shop;
    const readers = withReplica({ primary, replica, progress, onAsked: (of) => void asked.push(of), oldest: 0 });
    const ask = () => readers.ask(myOrders, START, () => Promise.resolve());
    await ask();
    await order();
    expect(await progress.waitFor(myOrders.name, await shop.store.head(['order']), 60_000)).toBe('fresh');
    await ask();
    await ask();
    expect(asked).toEqual(['replica', 'replica', 'primary']);
  });

  test('does not query a replica that still has rows from before an erasure', async () => {
    await bringUpToDate();
    const reprojected = `update read.checkpoints set epoch = epoch + 1 where model = '${myOrders.name}'`;
    const before = shop.progress.epoch(myOrders.name);
    await shop.pool.query(reprojected);
    await expect.poll(() => shop.progress.epoch(myOrders.name)).toBe(before + 1);
    expect((await shown()).by).toBe('primary');
    await replica.pool.query(reprojected);
    expect((await shown()).by).toBe('replica');
  });

  test('works without a replica that cannot be reached', async () => {
    await bringUpToDate();
    const { by, orders } = await shown();
    expect(by).toBe('replica');
    const server = new pg.Client({ connectionString: shop.databaseUrl });
    await server.connect();
    const name = new URL(databaseReadUrl).pathname.slice(1);
    await server.query(`alter database ${name} with allow_connections false`);
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await server.end();
    expect(await shown()).toEqual({ orders, by: 'primary' });
  });
});
