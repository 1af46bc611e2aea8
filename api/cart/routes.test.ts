import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';

import { MOST_LINES } from '#domain/cart/cart.ts';
import type { LogPosition } from '#domain/event-store.ts';
import { productId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { oudLine, itemAdded } from '#domain/testing/carts.ts';
import { add, oudSaffronMajlis, remove, revise } from '#domain/testing/products.ts';

import { withCookies } from '../accounts/testing/browser.ts';
import { openTwoShops } from './testing/two-shops.ts';
import { cartEvents, change, countItems, shopping, type ShoppingBrowser } from './testing/shopping.ts';

const { shop, other, stock } = await openTwoShops();
await stock('sold-out', { inStock: false });
await stock('without-a-price', { price: paise(0) });
await change([shop, other], 'withdrawn', add(), remove());
let at: ShoppingBrowser;
let before: LogPosition;

beforeEach(async () => {
  at = shopping(shop);
  before = await shop.store.head(['cart']);
});

const happened = async () => (await cartEvents(shop, before)).map(({ type }) => type);

describe('a cart', () => {
  test("has a line for each product, with the catalogue's current data", async () => {
    await at.add({ _id: oudSaffronMajlis, quantity: 2 });
    await at.add({ _id: 'ruh-gulab' });
    const { body, headers } = await at.cart();
    const product = async (id: string): Promise<unknown> => (await at.get(`/api/product/${id}`)).body;
    expect(body).toEqual({
      items: [
        { productId: oudSaffronMajlis, quantity: 2, product: await product(oudSaffronMajlis), rate: 18 },
        { productId: 'ruh-gulab', quantity: 1, product: await product('ruh-gulab'), rate: 18 },
      ],
      totalCartValue: 9350.5,
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('has events with actor and request, and without personal data', async () => {
    const { headers } = await at.add({ _id: oudSaffronMajlis });
    const [{ stream, data, metadata } = expect.fail('nothing was appended')] = await cartEvents(shop, before);
    const requestId = headers['x-request-id'];
    expect(metadata).toMatchObject({ actor: { kind: 'visitor', id: stream.slice('cart-'.length) }, correlationId: requestId, version: 1 });
    expect(Object.keys(data).toSorted()).toEqual(['addedAt', 'name', 'price', 'productId', 'quantity']);
  });
});

describe('adding to the cart', () => {
  test('takes price, name and total from the catalogue, whatever the payload says', async () => {
    const payload = {
      _id: oudSaffronMajlis,
      name: 'Free',
      price: '₹1.00',
      total: 0,
      discount: 100,
      quantity: 1,
      inStock: true,
      isAdmin: true,
    };
    expect((await at.add(payload)).cart).toMatchObject({
      items: [{ product: { name: 'Oud Saffron Majlis', price: '₹3,450.00' } }],
      totalCartValue: 3450,
    });
    const [event] = await cartEvents(shop, before);
    expect(event?.data).toMatchObject({ name: 'Oud Saffron Majlis', price: 3_450_00 });
  });

  test('with a wrong quantity, product or body is refused', async () => {
    for (const quantity of [0, -1, 1.5, 100, '2', '2e3', 'NaN', 1e308, 2 ** 53, null, [1], { $gt: 0 }, true]) {
      const wrong = { status: 400, body: { errors: { quantity: expect.any(String) } } };
      expect(await at.add({ _id: oudSaffronMajlis, quantity })).toMatchObject(wrong);
      expect(await at.update(oudSaffronMajlis, { quantity })).toMatchObject(wrong);
    }
    for (const _id of [undefined, null, 7, { $ne: '' }])
      expect(await at.add({ _id })).toMatchObject({ status: 400, body: { errors: { _id: expect.any(String) } } });
    for (const body of [`{"_id":"${oudSaffronMajlis}","quantity":NaN}`, `{"_id":"${oudSaffronMajlis}","quantity":1e999}`, '[]', 'null'])
      expect((await at.add(body)).status).toBe(400);
    expect(await happened()).toEqual([]);
    expect(at.setCookies).toEqual([]);
  });

  test.each([
    ['sold-out', 409, 'Product is out of stock', 'product_out_of_stock'],
    ['without-a-price', 409, 'Product is not for sale', 'product_not_purchasable'],
    ['withdrawn', 404, 'Product not found', 'product_not_found'],
    ['never-was', 404, 'Product not found', 'product_not_found'],
    ["'; drop table log.events; --", 404, 'Product not found', 'product_not_found'],
    ['__proto__', 404, 'Product not found', 'product_not_found'],
    ['', 404, 'Product not found', 'product_not_found'],
  ])('with %s is refused, and a new caller gets no session', async (_id, status, message, code) => {
    expect(await at.add({ _id })).toMatchObject({ status, body: { message, code } });
    expect(await happened()).toEqual([]);
    expect(at.setCookies).toEqual([]);
  });

  test('more lines than the limit is refused', async () => {
    await at.add({ _id: oudSaffronMajlis });
    const [{ stream, metadata } = expect.fail('nothing was added')] = await cartEvents(shop, before);
    const others = Array.from({ length: MOST_LINES - 1 }, (_, n) => itemAdded({ ...oudLine(), productId: productId(`perfume-${n}`) }));
    await shop.store.append(stream, (await shop.store.read(stream)).head, others, { ...metadata, commandId: randomUUID() });
    expect(await at.add({ _id: 'ruh-gulab' })).toMatchObject({ status: 400, body: { code: 'cart_full' } });
    expect((await at.add({ _id: oudSaffronMajlis })).cart.items).toHaveLength(MOST_LINES);
  });
});

describe('changing and removing lines', () => {
  test('fails for a line that does not exist', async () => {
    const missing = { status: 404, body: { message: 'Product not in cart', code: 'product_not_in_cart' } };
    expect(await at.update(oudSaffronMajlis, { quantity: 2 })).toMatchObject(missing);
    await at.add({ _id: 'ruh-gulab' });
    expect(await at.update(oudSaffronMajlis, { quantity: 2 })).toMatchObject(missing);
    expect(await at.update('%27%3B--', { quantity: 2 })).toMatchObject(missing);
    expect(await at.update(oudSaffronMajlis, {})).toMatchObject({ status: 400, body: { errors: { quantity: 'Required' } } });
  });

  test('twice, or for an unknown product, succeeds and changes nothing more', async () => {
    expect(await at.remove(oudSaffronMajlis)).toMatchObject({ status: 200, body: { items: [], totalCartValue: 0 } });
    expect(at.setCookies).toEqual([]);
    await at.add({ _id: oudSaffronMajlis });
    await at.add({ _id: 'ruh-gulab' });
    const first = await at.remove(oudSaffronMajlis);
    for (const id of [oudSaffronMajlis, 'never-was', '%20']) expect(await at.remove(id)).toMatchObject({ status: 200, body: first.body });
    expect(await happened()).toEqual(['ItemAdded', 'ItemAdded', 'ItemRemoved']);
  });
});

describe('when the catalogue changes, the cart', () => {
  test.each([
    ['sold out', revise({ inStock: false })],
    ['withdrawn', remove()],
    ['without a price', revise({ price: paise(0) })],
  ])('keeps a perfume that is %s as unavailable, and excludes it from the total', async (what, command) => {
    const id = `soon-${what.replaceAll(' ', '-')}`;
    await stock(id);
    await at.add({ _id: id, quantity: 2 });
    await at.add({ _id: 'ruh-gulab' });
    await change([shop, other], id, command);
    for (const instance of [shop, other]) {
      expect((await withCookies(shopping(instance), at.cookies).cart()).cart).toMatchObject({
        items: [
          { productId: id, quantity: 2, unavailable: true, product: { _id: id, name: 'Oud Saffron Majlis' } },
          { productId: 'ruh-gulab' },
        ],
        totalCartValue: 2450.5,
      });
    }
    expect(countItems(await at.remove(id))).toEqual({ 'ruh-gulab': 1 });
  });
});

describe('under concurrency, the cart', () => {
  const elsewhere = (): ShoppingBrowser => withCookies(shopping(other), at.cookies);

  test('counts each of fifty bottles once through two instances', async () => {
    await at.add({ _id: 'ruh-gulab' });
    const there = elsewhere();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? at : there).add({ _id: oudSaffronMajlis })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(countItems(await at.cart())).toEqual({ 'ruh-gulab': 1, [oudSaffronMajlis]: 50 });
    expect((await there.cart()).body).toEqual((await at.cart()).body);
  });
});
