import { expect, test } from 'vitest';

import { daysAfter, dateInIndia } from '#domain/shared/time.ts';

import { browser, type Browser } from '../accounts/testing/browser.ts';
import { admin as ADMIN, auditor as AUDITOR, ordering, signedInAs } from '../orders/testing/ordering.ts';
import { hsn } from '#domain/tax/rates.ts';
import { openLogger } from '../platform/logger.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { home } from '#domain/testing/orders.ts';
import { openRates } from './todays-rates.ts';

const shop = await openShopForFile({ people: { admin: ADMIN, auditor: AUDITOR }, projecting: true });
const admin: Browser = await signedInAs(shop, ADMIN);

const today = () => dateInIndia(shop.now());
const set = (rule: object, at = admin) => at.post('/api/admin/tax', rule);
const rules = async () => ((await admin.get('/api/admin/tax')).body as { rules: object[] }).rules;
const add = async (product: object) => {
  const { body } = await admin.post('/api/product', { price: '1000', ...product });
  expect(await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000)).toBe('fresh');
  return body as { _id: string; hsn: string };
};

test('a shop begins with the rates of the law, and lists who set each rate', async () =>
  expect(await rules()).toEqual(
    ['3303', '3301'].map((hsn) => ({ hsn, rate: 18, from: '2017-07-01', setAt: expect.any(String) as string, by: 'The shop' })),
  ));

test('a product has the tax code of its family or the one it was given, and the code must have a rate', async () => {
  expect(await add({ name: 'Oud', category: 'oud' })).toMatchObject({ hsn: '3303' });
  const { _id } = await add({ name: 'Ruh', category: 'attar' });
  expect((await admin.get(`/api/product/${_id}`)).body).toMatchObject({ hsn: '3301' });
  const put = (hsn: unknown) => admin.send('PUT', `/api/product/${_id}`, { body: { hsn } });
  expect(await put('330')).toMatchObject({ status: 400, body: { errors: { hsn: '4, 6 or 8 digits' } } });
  expect(await put('3401')).toMatchObject({ status: 400, body: { errors: { hsn: 'There is no tax rate for 3401 yet' } } });
  await set({ hsn: '3401', rate: 18, from: daysAfter(today(), 1) });
  expect((await put('3401')).status).toBe(400);
  await set({ hsn: '3401', rate: 5, from: today() });
  expect(await put('3401')).toMatchObject({ status: 200, body: { hsn: '3401' } });
});

test('carts and checkouts use the rate of the day; a draft keeps its rates even when it is placed after a change', async () => {
  await set({ hsn: '3305', rate: 18, from: today() });
  const { _id } = await add({ name: 'Hair mist', hsn: '3305' });
  const at = ordering(shop);
  await at.add({ _id });
  expect((await at.cart()).cart.items).toMatchObject([{ rate: 18 }]);
  const create = async () =>
    (await at.post('/api/order/create-order', { shipping: home, giftWrap: false, giftMessage: '' })).body as {
      order: { _id: string; tax: number; items: object[] };
    };
  const { order } = await create();
  expect(order).toMatchObject({ tax: 180, items: [{ hsn: '3305', rate: 18 }] });

  expect(await set({ hsn: '3305', rate: 12.5, from: today() })).toMatchObject({
    status: 201,
    body: { hsn: '3305', rate: 12.5, from: today() },
  });
  expect((await at.cart()).cart.items).toMatchObject([{ rate: 12.5 }]);
  const placed = await at.send('PUT', `/api/order/place-order/${order._id}`, { body: { method: 'COD' } });
  expect(placed).toMatchObject({ status: 200, body: { tax: 180, total: 1180, items: [{ rate: 18 }] } });

  await at.add({ _id });
  expect((await create()).order).toMatchObject({ tax: 125, items: [{ rate: 12.5 }] });
});

test('an order of several rates is taxed by each of them', async () => {
  const at = ordering(shop);
  await set({ hsn: '3307', rate: 5, from: today() });
  for (const product of [
    { name: 'Soap', hsn: '3307', price: '10.05' },
    { name: 'Oud', category: 'oud' },
  ])
    await at.add({ _id: (await add(product))._id });
  const { body } = await at.post('/api/order/create-order', { shipping: home, giftWrap: true, giftMessage: '' });
  expect(body).toMatchObject({ order: { subtotal: 1010.05, tax: 180.5, total: 1229.55 } });
});

test('a rate of the past, an invalid rate, and a rate from anybody but an admin are refused', async () => {
  const before = (await rules()).length;
  const rule = { hsn: '3303', rate: 12, from: today() };
  for (const [wrong, field] of [
    [{ ...rule, from: daysAfter(today(), -1) }, 'from'],
    [{ ...rule, from: '2027-02-30' }, 'from'],
    [{ ...rule, rate: 100.5 }, 'rate'],
    [{ ...rule, rate: 1.005 }, 'rate'],
    [{ ...rule, rate: '12' }, 'rate'],
    [{ ...rule, hsn: '33' }, 'hsn'],
  ] as const)
    expect(await set(wrong)).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) as string } } });
  expect((await set(rule, browser(shop.url))).status).toBe(401);
  const auditor = await signedInAs(shop, AUDITOR);
  expect([(await set(rule, auditor)).status, (await auditor.get('/api/admin/tax')).status]).toEqual([403, 403]);
  expect(await rules()).toHaveLength(before);
});

test('a rate that another process sets is known a moment later, even when the log could not be followed at first', async () => {
  let isLost = true;
  const follow: typeof shop.store.follow = (...asked) => {
    if (isLost) {
      isLost = false;
      throw new Error('The connection is lost');
    }
    return shop.store.follow(...asked);
  };
  const rates = await openRates(
    { ...shop, store: Object.assign(Object.create(shop.store), { follow }) as typeof shop.store },
    openLogger('silent'),
  );
  try {
    await set({ hsn: '330510', rate: 5, from: today() });
    await expect.poll(() => rates.today().get(hsn('330510'))).toBe(5);
  } finally {
    await rates.close();
  }
});
