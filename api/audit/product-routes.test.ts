import { expect, test } from 'vitest';

import { product } from '#domain/product/product.ts';
import { instant } from '#domain/shared/time.ts';
import { paise } from '#domain/shared/money.ts';
import { stock } from '#domain/stock/stock.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { reserve } from '#domain/testing/stocks.ts';
import { add, remove, revise } from '#domain/testing/products.ts';

import { auditor, signedInAs } from '../orders/testing/ordering.ts';
import { openShopForFile } from '../testing/test-shop.ts';

const shop = await openShopForFile({ people: { auditor }, projecting: true });
const books = await signedInAs(shop, auditor);
const actor = { kind: 'admin', id: 'meera' } as const;
const commands = [add(), revise({ price: paise(3_650_00) }), { ...remove(), now: instant('2026-11-20T10:00:00.000Z') }];
const metadata = (id: string) => ({ commandId: id, correlationId: 'r', causationId: 'r', actor });
for (const [index, command] of commands.entries()) await shop.execute(product, 'product-oud', command, metadata(`c${index}`));
const bottles = [{ type: 'CountStock', quantity: 5, now: instant('2026-11-14T10:00:00.000Z') } as const, reserve(2)];
for (const [index, command] of bottles.entries()) await shop.execute(stock, 'stock-oud', command, metadata(`s${index}`));

const prices = async (query = '') => books.get(`/api/audit/products/oud/prices${query}`);

test('the price history of a product has all prices from its first to its removal, with the admin who set each', async () => {
  const by = { kind: 'admin', id: 'meera' };
  expect((await prices()).body).toEqual({
    stream: 'product-oud',
    name: 'Oud Saffron Majlis',
    people: {},
    prices: [
      { price: 3_450, since: '2026-11-14T08:33:00.000Z', by },
      { price: 3_650, since: '2026-11-15T10:00:00.000Z', by },
      { price: null, since: '2026-11-20T10:00:00.000Z', by },
    ],
  });
});

test.each([
  ['2026-11-14T14:02:59%2B05:30', null],
  ['2026-11-14T14:03:00%2B05:30', { price: 3_450 }],
  ['2026-11-15T10:00:00Z', { price: 3_650 }],
  ['2026-12-01T00:00:00Z', { price: null }],
])('the price at %s is returned', async (at, then) => {
  const { at: told } = (await prices(`?at=${at}`)).body as { at: object | null };
  if (then === null) expect(told).toBeNull();
  else expect(told).toMatchObject(then);
});

test('an invalid time or product is refused', async () => {
  for (const at of ['yesterday', '2026-02-30T00:00:00Z', '0000-01-01T00:00:00%2B05:30', '9999-12-31T23:59:59-05:30'])
    expect(await prices(`?at=${at}`)).toMatchObject({
      status: 400,
      body: { errors: { at: 'A moment such as 2026-11-14T14:03:00+05:30' } },
    });
  expect((await books.get('/api/audit/products/leather/prices')).status).toBe(404);
  expect((await books.get('/api/audit/products/No%20Name/prices')).status).toBe(404);
});

test('the bottles of a product are shown at any time, with the events that they come from', async () => {
  const seen = async (query = '') => (await books.get(`/api/audit/products/oud/stock${query}`)).body as { recordedAt: string };
  const counted = { label: 'Counted', amount: 5, event: { stream: 'stock-oud', revision: 0, type: 'StockCounted' } };
  const held = (amount: number) => ({
    label: 'Reserved',
    amount,
    order: anOrder,
    event: { stream: 'stock-oud', revision: 1, type: 'StockReserved' },
  });
  const formula = expect.any(String);
  const now = await seen();
  expect(now).toEqual({
    stream: 'stock-oud',
    name: 'Oud Saffron Majlis',
    count: 2,
    revision: 1,
    recordedAt: expect.any(String),
    stock: { onHand: 5, reserved: 2, available: 3, lowAt: null },
    amounts: [
      { name: 'onHand', amount: 5, formula, parts: [counted] },
      { name: 'reserved', amount: 2, formula, parts: [held(2)] },
      { name: 'available', amount: 3, formula, parts: [counted, held(-2)] },
    ],
  });
  expect(await seen('?at=0')).toMatchObject({ revision: 0, count: 2, stock: { available: 5 } });
  expect(await seen(`?at=${now.recordedAt}`)).toMatchObject({ revision: 1 });
  expect(await seen('?at=2020-01-01T00:00:00Z')).toMatchObject({ revision: null, recordedAt: null, stock: null });
});

test('the stock of a product that was never counted is null', async () => {
  expect((await books.get('/api/audit/products/leather/stock')).status).toBe(404);
  expect((await books.get('/api/audit/products/oud/stock?at=soon')).status).toBe(400);
});
