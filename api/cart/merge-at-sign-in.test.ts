import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { cart, cartStream } from '#domain/cart/cart.ts';
import type { CartEvent } from '#domain/cart/events.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { withCookies } from '../accounts/testing/browser.ts';
import { alice, getUserId, logIn, signUp } from '../accounts/testing/people.ts';
import { enterWith, openProvider } from '../accounts/testing/provider.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { cartEvents, change, countItems, shopping, type ShoppingBrowser } from './testing/shopping.ts';

const provider = await openProvider();
afterAll(() => provider.close());
const shop = await openShopForFile({ people: { google: provider.config }, projecting: true });
for (const id of [oudSaffronMajlis, 'ruh-gulab']) await change([shop], id, add());
const other = await openShopForFile({ databaseUrl: shop.databaseUrl, people: { google: provider.config } });

const codeFor = (email: string): Promise<string> => mailedCode(shop, email);

let people = 0;
const somebody = () => ({ ...alice, email: `shopper-${++people}@example.com` });

let guest: ShoppingBrowser;
let visitor: string;
beforeEach(async () => {
  guest = shopping(shop);
  const before = await shop.store.head(['cart']);
  await guest.add({ _id: oudSaffronMajlis, quantity: 2 });
  const [added] = await cartEvents(shop, before);
  visitor = (added?.stream ?? '').slice('cart-'.length);
});

const MERGED = { [oudSaffronMajlis]: 3, 'ruh-gulab': 1 };

/** Makes a signed-out user with one bottle of each perfume in the cart. */
const userWithCart = async () => {
  const who = somebody();
  const at = shopping(shop);
  const id = await signUp({ codeFor }, at, who);
  await at.add({ _id: oudSaffronMajlis });
  await at.add({ _id: 'ruh-gulab' });
  await at.post('/api/user/logout');
  return { who, id };
};

const mergesInto = async (user: string) =>
  (await shop.store.read<CartEvent>(cartStream(user))).events.flatMap(({ type, data }) => (type === 'CartsMerged' ? [data] : []));

describe("at sign-in a visitor's cart is merged into the user's", () => {
  test("with a password: quantities add up, in one event that names both carts, and the visitor's cart is closed", async () => {
    const { who, id } = await userWithCart();
    const there = withCookies(shopping(other), guest.cookies);
    expect((await logIn(there, who)).status).toBe(200);

    for (const at of [there, withCookies(guest, there.cookies)]) expect(countItems(await at.cart())).toEqual(MERGED);
    expect(await mergesInto(id)).toMatchObject([{ from: visitor, into: id, lines: [{ productId: oudSaffronMajlis, quantity: 2 }] }]);
    const { events } = await shop.store.read<CartEvent>(cartStream(visitor));
    expect(events.at(-1)).toMatchObject({ type: 'CartClosed', data: { into: id }, metadata: { actor: { kind: 'user', id } } });
  });

  test('with the code that completes a registration', async () => {
    const id = await signUp({ codeFor }, guest, somebody());
    expect(countItems(await guest.cart())).toEqual({ [oudSaffronMajlis]: 2 });
    expect(await mergesInto(id)).toHaveLength(1);
  });

  test('with a third party', async () => {
    const enter = (at: ShoppingBrowser) => enterWith(provider, at, 'gita');
    const before = shopping(shop);
    await enter(before);
    await before.add({ _id: oudSaffronMajlis });
    await before.add({ _id: 'ruh-gulab' });
    expect((await enter(guest)).status).toBe(200);
    expect(countItems(await guest.cart())).toEqual(MERGED);
  });

  test('once, however often the sign-in is repeated, even at the same time at two instances', async () => {
    const { who, id } = await userWithCart();
    const replays = Array.from({ length: 8 }, (_, index) => withCookies(shopping(index % 2 ? shop : other), guest.cookies));
    await Promise.all(replays.map((at) => logIn(at, who)));
    expect((await logIn(guest, who)).status).toBe(200);
    expect(countItems(await guest.cart())).toEqual(MERGED);
    expect(await mergesInto(id)).toHaveLength(1);
  });

  test('even when the former attempt was interrupted', async () => {
    const { who, id } = await userWithCart();
    await shop.execute(
      cart,
      cartStream(visitor),
      { type: 'CloseCart', into: shopperId(id), now: shop.now() },
      { commandId: 'c', correlationId: 'r', causationId: 'r', actor: { kind: 'user', id } },
    );
    expect((await guest.cart()).cart.items).toEqual([]);
    expect(await guest.add({ _id: 'ruh-gulab' })).toMatchObject({ status: 409, body: { code: 'cart_closed' } });
    await logIn(guest, who);
    expect(countItems(await guest.cart())).toEqual(MERGED);
  });
});

describe('at sign-in the shopper is told what the cart had no room for', () => {
  const rest = [{ productId: oudSaffronMajlis, name: expect.stringMatching(/\S/), quantity: 2 }];
  const fill = (at: ShoppingBrowser) => at.update(oudSaffronMajlis, { quantity: 99 });

  test('with a password: once, in the answer, even where another process merges', async () => {
    const { who } = await userWithCart();
    const before = shopping(shop);
    await logIn(before, who);
    await fill(before);
    const there = withCookies(shopping(other), guest.cookies);
    const user = expect.objectContaining({ email: who.email });
    expect((await logIn(there, who)).body).toStrictEqual({ user, message: 'Signed in', noRoomFor: rest });
    expect(countItems(await there.cart())).toEqual({ [oudSaffronMajlis]: 99, 'ruh-gulab': 1 });
    expect((await logIn(there, who)).body).not.toHaveProperty('noRoomFor');
  });

  test('with a third party, and not where all fits', async () => {
    const before = shopping(shop);
    expect((await enterWith(provider, before, 'hari')).body).not.toHaveProperty('noRoomFor');
    await before.add({ _id: oudSaffronMajlis, quantity: 99 });
    expect((await enterWith(provider, guest, 'hari')).body).toMatchObject({ noRoomFor: rest });
  });

  /** Merges into the full cart of this user, and is interrupted before the sign-in is complete. */
  const interruptedSignIn = async (id: string): Promise<void> => {
    const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'user', id } }) as const;
    const [into, now] = [shopperId(id), shop.now()];
    const { state } = await shop.execute(cart, cartStream(visitor), { type: 'CloseCart', into, now }, metadata());
    for (const [from, quantity] of [['another', 99] as const, [visitor, 2] as const]) {
      const lines = state.lines.map((line) => ({ ...line, quantity }));
      const merging = { type: 'MergeCarts', from: shopperId(from), into, lines, closedAt: now, now } as const;
      await shop.execute(cart, cartStream(id), merging, metadata());
    }
  };

  test('with the code that completes a registration, even when the former attempt was interrupted', async () => {
    const who = somebody();
    const id = getUserId(await guest.post('/api/user/register', who));
    await interruptedSignIn(id);
    const verified = await guest.post('/api/user/verify-otp', { userId: id, otp: await codeFor(who.email) });
    expect(verified.body).toMatchObject({ _id: id, noRoomFor: rest });
  });

  test("and not what an interrupted sign-in had no room for in another user's cart", async () => {
    await interruptedSignIn('ravi');
    expect((await enterWith(provider, guest, 'isha')).body).not.toHaveProperty('noRoomFor');
  });
});

test("after signing out the next visitor in that browser has an empty cart, and the user's cart is kept", async () => {
  const { who } = await userWithCart();
  await logIn(guest, who);
  await guest.post('/api/user/logout');
  expect((await guest.cart()).body).toEqual({ items: [], totalCartValue: 0 });
  await guest.add({ _id: 'ruh-gulab' });
  expect(countItems(await guest.cart())).toEqual({ 'ruh-gulab': 1 });
  const elsewhere = shopping(shop);
  await logIn(elsewhere, who);
  expect(countItems(await elsewhere.cart())).toEqual(MERGED);
});

test('the cookie of a signed-out session shows no data of the user', async () => {
  const { who } = await userWithCart();
  await logIn(guest, who);
  const stolen = new Map(guest.cookies);
  await guest.post('/api/user/logout');
  const thief = withCookies(shopping(shop), stolen);
  expect((await thief.cart()).body).toEqual({ items: [], totalCartValue: 0 });
});
