import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { OrderView } from '#domain/order/view.ts';

import { withCookies } from '../accounts/testing/browser.ts';
import { openTwoShops } from '../cart/testing/two-shops.ts';
import { sameBrowser, signedUp, type OrderingBrowser } from './testing/ordering.ts';

const { shop, other } = await openTwoShops();

/** Blocks the projector's writes, but no reads, until the returned function is called. */
const holdUp = async (): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: shop.databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${nameTable(myOrders, 'my_orders')} in exclusive mode`);
  return () => client.end();
};

const listOf = async (at: OrderingBrowser) => {
  const { status, body, headers } = await at.get('/api/order/get-AllOrders');
  expect(status).toBe(200);
  return { newest: (body as { orders: OrderView[] }).orders[0], stale: headers['x-stale'] };
};

test("an order placed at one instance is in the other's list, or the list is marked as stale", async () => {
  const here = await signedUp(shop, 'reader@example.com');
  const there = sameBrowser(here, other);
  for (let round = 0; round < 4; round++) {
    const [at, next] = round % 2 === 0 ? [here, there] : [there, here];
    const letGo = await holdUp();
    const placed = await at.buy();
    const late = pause((round * 97) % 700).then(letGo);
    const { newest, stale } = await listOf(withCookies(next, at.cookies));
    if (stale === undefined) expect(newest).toEqual(placed);
    else expect(stale).toBe('true');
    await late;
  }
});
