import { afterAll, beforeAll, expect, test } from 'vitest';

import { product } from '#domain/product/product.ts';
import { instant } from '#domain/shared/time.ts';
import { paise } from '#domain/shared/money.ts';
import { add, remove, revise } from '#domain/testing/products.ts';

import type { Browser } from '../accounts/testing/browser.ts';
import { auditor, signedInAs } from '../orders/testing/ordering.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

let shop: TestShop;
let books: Browser;

beforeAll(async () => {
  shop = await openTestShop({ people: { auditor } });
  books = await signedInAs(shop, auditor);
  const actor = { kind: 'admin', id: 'meera' } as const;
  const commands = [add(), revise({ price: paise(3_650_00) }), { ...remove(), now: instant('2026-11-20T10:00:00.000Z') }];
  for (const [index, command] of commands.entries())
    await shop.execute(product, 'product-oud', command, { commandId: `c${index}`, correlationId: 'r', causationId: 'r', actor });
});
afterAll(() => shop.close());

const prices = async (query = '') => books.get(`/api/audit/products/oud/prices${query}`);

test('the price history of a product runs from its first price to its removal, with who set each', async () => {
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

test('an invalid moment or product is refused', async () => {
  expect((await prices('?at=yesterday')).status).toBe(400);
  expect((await books.get('/api/audit/products/leather/prices')).status).toBe(404);
  expect((await books.get('/api/audit/products/No%20Name/prices')).status).toBe(404);
});
