import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { cart, cartStream } from '#domain/cart/cart.ts';
import { order } from '#domain/order/order.ts';
import { addItem, anOrder, meera } from '#domain/testing/carts.ts';
import { create, place } from '#domain/testing/orders.ts';

import { browser } from '../accounts/testing/browser.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { eventually, metadata } from './testing/following.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ publicUrl: 'https://ruhani.example', projecting: true, reacting: true });
});
afterAll(() => shop.close());

test('an order placed in the whole shop empties the cart, and its confirmation is in the mailbox', async () => {
  await shop.execute(cart, cartStream(meera), addItem({ quantity: 2 }), metadata());
  for (const command of [create(), place()]) await shop.execute(order, `order-${anOrder}`, command, metadata());
  await eventually(async () => expect((await browser(shop.url).get('/dev/mailbox/messages')).body).toHaveLength(1));
  expect((await browser(shop.url).get('/dev/mailbox/messages')).body).toMatchObject([
    { to: 'meera@example.com', subject: 'Your Ruhani order RH-4WPDX9CT is placed', messageId: expect.stringMatching(/^<[\da-f]{32}@/) },
  ]);
  await eventually(async () => expect((await shop.load(cart, cartStream(meera))).state.lines).toEqual([]));
});

test('readiness reports parked reactions, and the shop stays ready', async () => {
  await shop.pool.query(`
    insert into shop.postponed_reactions (reaction, stream, position, attempts, next_attempt_at, error)
    select 'empty-cart', 'order-' || n, n, 10 * n, now() + interval '1 day', 'Broken' from generate_series(0, 2) n`);
  await expect
    .poll(() => browser(shop.url).get('/readyz'))
    .toMatchObject({
      status: 200,
      body: { status: 'ready', parts: { reactions: '2 parked in empty-cart: see error in shop.postponed_reactions' } },
    });
});
