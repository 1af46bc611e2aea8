import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { order, orderStream } from '#domain/order/order.ts';
import { orderId } from '#domain/shared/ids.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { cartStream } from '#domain/cart/cart.ts';

import { alice, logIn } from '../accounts/testing/people.ts';
import { cartEvents, change, countItems } from '../cart/testing/shopping.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { requireOrder } from './order-commands.ts';
import { openOrderNumbers } from './order-numbers.ts';
import { ordering, signedUp, type OrderingBrowser } from './testing/ordering.ts';
import { takeFromCart } from './take-from-cart.ts';

let shop: TestShop;
let other: TestShop;
let at: OrderingBrowser;

beforeAll(async () => {
  shop = await openTestShop({ projecting: true });
  for (const id of [oudSaffronMajlis, 'ruh-gulab']) await change([shop], id, add());
  other = await openTestShop({ databaseUrl: shop.databaseUrl });
});
afterAll(() => Promise.all([other.close(), shop.close()]));
beforeEach(async () => {
  at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis, quantity: 2 });
});

const system = () =>
  ({ commandId: randomUUID(), correlationId: 'c', causationId: 'c', actor: { kind: 'system', id: 'reactions' } }) as const;

/** Places an order of this browser's cart without the route, so that its lines are still in the cart. */
const placedOnly = async () => {
  const id = orderId((await at.create()).order._id);
  const by = requireOrder((await shop.load(order, orderStream(id))).state).shopper;
  const number = await openOrderNumbers(shop).take();
  const command = { type: 'PlaceOrder', by, method: 'COD', offers: shop.catalogue.offers, number, now: shop.now() } as const;
  const { state } = await shop.execute(order, orderStream(id), command, system());
  return { id, order: requireOrder(state) };
};

const happenedToCarts = async (since: Awaited<ReturnType<TestShop['store']['head']>>) =>
  (await cartEvents(shop, since)).map(({ type, stream }) => `${type} ${stream}`);

test('the ordered lines leave the cart they came from, and lines added since stay', async () => {
  const placed = await placedOnly();
  await at.add({ _id: 'ruh-gulab' });
  expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 2, 'ruh-gulab': 1 });
  const position = await takeFromCart(shop, placed, system());
  expect(position).toBe(await shop.store.head(['cart']));
  expect(countItems(await at.cart())).toEqual({ 'ruh-gulab': 1 });
});

test('repeated calls, in any number of processes, remove the lines once', async () => {
  const placed = await placedOnly();
  const before = await shop.store.head(['cart']);
  await Promise.all(Array.from({ length: 20 }, (_, index) => takeFromCart(index % 2 ? shop : other, placed, system())));
  await at.add({ _id: oudSaffronMajlis });
  expect(await takeFromCart(shop, placed, system())).toBeUndefined();
  expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 1 });
  const stream = cartStream(placed.order.cart);
  expect(await happenedToCarts(before)).toEqual([`OrderedItemsTaken ${stream}`, `ItemAdded ${stream}`]);
});

test('nothing is removed for an order that was not placed', async () => {
  const id = orderId((await at.create()).order._id);
  const draft = requireOrder((await shop.load(order, orderStream(id))).state);
  expect(await takeFromCart(shop, { id, order: draft }, system())).toBeUndefined();
  expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 2 });
});

test("after the visitor's sign-in the lines leave the user's cart", async () => {
  const who = { ...alice, email: 'meera@example.com' };
  await (await signedUp(shop, who.email)).add({ _id: 'ruh-gulab' });
  const placed = await placedOnly();
  expect((await logIn(at, who)).status).toBe(200);
  expect(countItems(await at.cart())).toEqual({ [oudSaffronMajlis]: 2, 'ruh-gulab': 1 });

  for (const each of [shop, other, shop]) await takeFromCart(each, placed, system());
  expect(countItems(await at.cart())).toEqual({ 'ruh-gulab': 1 });
});
