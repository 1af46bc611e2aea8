import { beforeAll, describe, expect, test } from 'vitest';

import { add, ruhGulab, oudSaffronMajlis } from '#domain/testing/products.ts';
import { wishlistStream } from '#domain/wishlist/wishlist.ts';

import { browser, type Browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { join, personCalled } from '../erasure/testing/person.ts';
import { openShopForFile } from '../testing/test-shop.ts';

const shop = await openShopForFile({ projecting: true });
/** This process uses the same log. */
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
beforeAll(async () => {
  for (const product of [oudSaffronMajlis, ruhGulab]) await change([shop, other], product, add());
});

type List = { items: { productId: string; product: { _id: string; name: string } }[] };
const wishesOf = async (at: Browser) => ((await at.get('/api/user/wishlist')).body as List).items.map(({ productId }) => productId);
const put = (at: Browser, product: string) => at.send('PUT', `/api/user/wishlist/${product}`);
const remove = (at: Browser, product: string) => at.send('DELETE', `/api/user/wishlist/${product}`);

describe('a wishlist', () => {
  test('of a visitor keeps perfumes, newest first, with what the shop knows of them', async () => {
    const at = browser(shop.url);
    expect(await wishesOf(at)).toEqual([]);
    expect(at.cookies.size).toBe(0);
    expect((await put(at, oudSaffronMajlis)).status).toBe(200);
    const { status, body } = await put(at, ruhGulab);
    expect(status).toBe(200);
    expect((body as List).items).toMatchObject([{ productId: ruhGulab, product: { _id: ruhGulab } }, { productId: oudSaffronMajlis }]);
    expect(await wishesOf(at)).toEqual([ruhGulab, oudSaffronMajlis]);
    expect((await remove(at, ruhGulab)).status).toBe(200);
    expect(await wishesOf(at)).toEqual([oudSaffronMajlis]);
  });

  test('changes once, however often the same is asked', async () => {
    const at = browser(shop.url);
    await put(at, oudSaffronMajlis);
    const user = await join(shop, at, personCalled('Wishful'));
    for (let time = 0; time < 3; time += 1) expect((await put(at, ruhGulab)).status).toBe(200);
    for (let time = 0; time < 3; time += 1) expect((await remove(at, ruhGulab)).status).toBe(200);
    const { events } = await shop.store.read(wishlistStream(user));
    expect(events.map(({ type }) => type)).toEqual(['WishesMerged', 'WishAdded', 'WishRemoved']);
  });

  test('knows only perfumes of the shop, and makes no visitor for what is none', async () => {
    const at = browser(shop.url);
    expect((await put(at, 'no-such-perfume')).status).toBe(404);
    expect((await remove(at, 'no-such-perfume')).status).toBe(200);
    expect((await remove(at, '%2e%2e')).status).toBeLessThan(500);
    expect(at.cookies.size).toBe(0);
  });

  test('of a visitor goes over at sign-in, also where another process has it', async () => {
    const at = browser(shop.url);
    await put(at, oudSaffronMajlis);
    await join(shop, at, personCalled('Hopeful'));
    expect(await wishesOf(at)).toEqual([oudSaffronMajlis]);
    const there = browser(other.url);
    for (const [name, value] of at.cookies) there.cookies.set(name, value);
    await put(there, ruhGulab);
    expect(await wishesOf(at)).toEqual([ruhGulab, oudSaffronMajlis]);
    expect(await wishesOf(browser(shop.url))).toEqual([]);
  });
});
