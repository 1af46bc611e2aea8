import { beforeEach, describe, expect, test } from 'vitest';

import { home } from '#domain/testing/orders.ts';

import { browser, type Browser } from '../accounts/testing/browser.ts';
import { alice, signUp } from '../accounts/testing/people.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { checkOutCart, placedBy, remember } from './testing/placing.ts';

const CALL = '/api/order/get-AllOrders';

const shop = await openShopForFile({ projecting: true });
let people = 0;
let at: Browser;
let user: string;
beforeEach(async () => {
  at = browser(shop.url);
  const who = { ...alice, email: `shopper-${++people}@example.com` };
  user = await signUp({ codeFor: (email) => mailedCode(shop, email) }, at, who);
});

describe('a signed-in shopper sees', () => {
  test('all placed orders, newest first, and no order that was only checked out', async () => {
    const first = await placedBy(shop, user);
    const second = await placedBy(shop, user, { giftWrap: true, giftMessage: 'For “you”' });
    remember(at, first, second, await checkOutCart(shop, user));
    const { body, headers } = await at.get(CALL);
    expect(body).toEqual({ orders: [second.view, first.view] });
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  });

  test("no one else's orders, whatever the URL asks for", async () => {
    const other = await placedBy(shop, 'somebody-else');
    remember(at, other);
    for (const query of ['?userId=somebody-else', '?all=true', '?scope=all', '?isAdmin=true&shopper=somebody-else'])
      expect((await at.get(CALL + query)).body).toEqual({ orders: [] });
  });

  test('all of them by limit, cursor and Link, without repetition or gap while others come', async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => placedBy(shop, user)));
    remember(at, ...orders);
    const seen: string[] = [];
    for (let next: string | undefined = `${CALL}?limit=2`; next !== undefined;) {
      const { body, headers } = await at.get(next);
      seen.push(...(body as { orders: { _id: string }[] }).orders.map(({ _id }) => _id));
      next = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
      remember(at, await placedBy(shop, user));
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(orders.map(({ id }) => id)));
    expect(await at.get(`${CALL}?cursor=nonsense`)).toMatchObject({
      status: 400,
      body: { errors: { cursor: 'Not a cursor of this list' } },
    });
  });
});

test('the address of the newest order fills in the next checkout, of visitors too, and nobody else gets it', async () => {
  const LAST = '/api/order/last-address';
  expect((await browser(shop.url).get(LAST)).body).toEqual({ shipping: null });
  expect((await at.get(LAST)).body).toEqual({ shipping: null });
  const shipping = { ...home, address1: '2 Dock Road' };
  remember(at, await placedBy(shop, user), await placedBy(shop, user, { shipping }), await checkOutCart(shop, user));
  expect((await at.get(LAST)).body).toEqual({ shipping });
  const visitor = browser(shop.url);
  await visitor.post('/api/cart/add-to-cart', { _id: 'nothing' });
  expect((await visitor.get(LAST)).body).toEqual({ shipping: null });
});
