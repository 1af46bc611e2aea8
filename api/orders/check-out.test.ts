import { beforeEach, describe, expect, test } from 'vitest';

import type { LogPosition } from '#domain/event-store.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { home } from '#domain/testing/orders.ts';
import { oudSaffronMajlis } from '#domain/testing/products.ts';

import { openTwoShops } from '../cart/testing/two-shops.ts';
import { form, orderEvents, ordering, sameBrowser, type OrderingBrowser } from './testing/ordering.ts';

const { shop, other } = await openTwoShops();
let at: OrderingBrowser;
let before: LogPosition;

beforeEach(async () => {
  at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis, quantity: 2 });
  await at.add({ _id: 'ruh-gulab' });
  before = await shop.store.head(['order']);
});

const happened = async () => (await orderEvents(shop, before)).map(({ type }) => type);

describe('checking out', () => {
  test('creates a draft order from the cart, at current prices', async () => {
    const { status, order } = await at.create({ ...form, giftWrap: true, giftMessage: ' For Amma\r\nwith love ', note: ' Ring twice\r\n' });
    expect(status).toBe(201);
    expect(order).toMatchObject({
      status: 'created',
      orderNumber: null,
      paymentMethod: null,
      placedAt: null,
      estimatedDelivery: null,
      items: [
        { product: { _id: oudSaffronMajlis, id: oudSaffronMajlis, name: 'Oud Saffron Majlis', price: '₹3,450.00' }, quantity: 2 },
        { product: { _id: 'ruh-gulab', price: '₹2,450.50' }, quantity: 1 },
      ],
      shippingAddress: home,
      subtotal: 9350.5,
      tax: 1683.09,
      shipping: 0,
      discount: 0,
      total: 11072.59,
      giftWrap: true,
      giftMessage: 'For Amma\nwith love',
      note: 'Ring twice',
      history: [{ status: 'created', at: order.createdAt }],
    });
    expect(await at.order(order._id)).toMatchObject({ status: 200, body: order });
    expect(decodeURIComponent(at.cookies.get('pos') ?? '')).toContain(`order.${await shop.store.head(['order'])}`);
    expect((await at.cart()).cart.items).toHaveLength(2);
  });

  test('writes no readable personal data into the log', async () => {
    await at.create({ ...form, ...mapOrderTexts((field) => `Words of ${field}`) });
    const stored = await shop.store.storedPage(before, 10, ['order']);
    expect(stored).toHaveLength(1);
    const written = JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    for (const text of [...Object.values(home).filter(Boolean), 'Words of']) expect(written).not.toContain(text);
    expect(written).toContain('Oud Saffron Majlis');
  });

  test('ignores everything but form fields in the payload', async () => {
    const { order } = await at.create({
      ...form,
      _id: 'mine',
      status: 'delivered',
      total: 1,
      discount: 100,
      paid: true,
      isAdmin: true,
      items: [],
      shipping: { ...home, isAdmin: true, company: 'x' },
    });
    expect(order).toMatchObject({ status: 'created', total: 11033.59, discount: 0, shippingAddress: home });
    expect(JSON.stringify((await orderEvents(shop, before))[0]?.data)).not.toMatch(/isAdmin|paid|company/);
  });

  test('an empty cart is refused, and a caller without a session gets none', async () => {
    const stranger = ordering(shop);
    const refused = { status: 400, body: { message: 'Your cart is empty', code: 'cart_empty' } };
    expect(await stranger.create()).toMatchObject(refused);
    expect(stranger.setCookies).toEqual([]);
    await at.remove(oudSaffronMajlis);
    await at.remove('ruh-gulab');
    expect(await at.create()).toMatchObject(refused);
    expect(await happened()).toEqual([]);
  });

  test.each([
    [{}, ['name', 'address1', 'city', 'state', 'postalCode', 'country', 'phone', 'email']],
    [{ shipping: { ...home, city: ' \t', phone: null } }, ['city', 'phone']],
  ])('%j is refused with the required fields', async (body, fields) => {
    expect(await at.create(body)).toMatchObject({
      status: 400,
      body: { errors: Object.fromEntries(fields.map((name) => [name, 'Required'])) },
    });
    expect(await happened()).toEqual([]);
  });

  test('a wrong field is refused and named', async () => {
    const refuses = async (field: string, body: object) =>
      expect(await at.create({ ...form, ...body })).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    for (const giftWrap of ['false', 1, 'yes', null]) await refuses('giftWrap', { giftWrap });
    for (const giftMessage of ['x'.repeat(5_000), ['x'], 'a\u0000b', '\ud800']) await refuses('giftMessage', { giftMessage });
    for (const note of ['x'.repeat(501), 7]) await refuses('note', { note });
    for (const city of [7, 'x'.repeat(101), 'Koc\u0000hi']) await refuses('city', { shipping: { ...home, city } });
    await refuses('email', { shipping: { ...home, email: 'meera' } });
    for (const shipping of ['home', [home]]) await refuses('shipping', { shipping });
    expect(await happened()).toEqual([]);
  });

  test('address and message are stored without invisible and direction-changing characters', async () => {
    const shipping = { ...form.shipping, name: 'As\u200bha\u202e', address1: '\u206712 Residency Road\u2069' };
    const { order } = await at.create({ ...form, shipping, giftMessage: 'क्\u200dष\u202e & \ufefflove' });
    expect(order).toMatchObject({ shippingAddress: { name: 'Asha', address1: '12 Residency Road' }, giftMessage: 'क्\u200dष & love' });
  });
});

describe('checking out the same cart again', () => {
  test('returns the same order, revised if the form differs', async () => {
    const first = await at.create();
    const again = await at.create();
    const revised = await at.create({ ...form, giftWrap: true });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(revised.order).toMatchObject({ _id: first.order._id, giftWrap: true, total: 11072.59 });
    expect(await happened()).toEqual(['OrderCreated', 'OrderRevised']);
  });

  test('after changing the cart creates another order', async () => {
    const { order } = await at.create();
    await at.update('ruh-gulab', { quantity: 3 });
    expect((await at.create()).order._id).not.toBe(order._id);
  });

  test('returns the same order if another instance changed the cart last', async () => {
    const there = sameBrowser(at, other);
    await there.update('ruh-gulab', { quantity: 5 });
    const { order } = await at.create();
    expect(order.items).toMatchObject([{ quantity: 2 }, { quantity: 5 }]);
    expect((await there.create()).order).toEqual(order);
  });

  test('twenty times at once, through two instances, creates one order', async () => {
    const there = sameBrowser(at, other);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? there : at).create()));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ order }) => order._id)).size).toBe(1);
    expect(await happened()).toEqual(['OrderCreated']);
  });
});
