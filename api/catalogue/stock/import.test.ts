import { beforeEach, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import type { ProductView } from '#domain/product/view.ts';
import { productId } from '#domain/shared/ids.ts';
import { stock, stockStream } from '#domain/stock/stock.ts';
import { reserve } from '#domain/testing/stocks.ts';

import { browser, type Answer, type Browser } from '../../accounts/testing/browser.ts';
import { metadata } from '../../payments/desk/testing/desk-orders.ts';
import { admin as ADMIN, signedInAs } from '../../orders/testing/ordering.ts';
import { openShopForFile } from '../../testing/test-shop.ts';
import { bookCounts, compareCounts, parseCounts } from './import.ts';

let ids: readonly string[];

const HEADER = 'productId,count';
const file = (...lines: readonly string[]): string => [HEADER, ...lines, ''].join('\n');
const send = (body: string, query = '', at: Browser = admin): Promise<Answer> =>
  at.send('POST', `/api/admin/stock/import${query}`, { body, headers: { 'content-type': 'text/csv' } });
const count = (id: string, quantity: number): Promise<Answer> => admin.send('PUT', `/api/admin/stock/${id}`, { body: { count: quantity } });
const eventsSoFar = async (): Promise<number> => (await shop.store.page(START, 10_000, ['stock'])).length;
const add = async (): Promise<string> => ((await admin.post('/api/product', { name: 'Oud Royal' })).body as ProductView)._id;

const shop = await openShopForFile({ people: { admin: ADMIN }, projecting: true });
const admin = await signedInAs(shop, ADMIN);
beforeEach(async () => {
  ids = [await add(), await add(), await add()];
});

test('a file of counts can be tried, is booked, and changes nothing the second time', async () => {
  const [first = '', second = '', third = ''] = ids;
  await count(second, 7);
  await count(third, 7);
  const before = await eventsSoFar();
  const counts = file(`${first},0`, `${second},7`, `${third},9`);
  const row = (line: number, id: string, was: number | null, after: number) => ({ line, productId: id, before: was, after });
  const booked = { changed: 2, unchanged: 1, rows: [row(2, first, null, 0), row(3, second, 7, 7), row(4, third, 7, 9)] };

  expect(await send(counts, '?dryRun=true')).toMatchObject({ status: 200, body: booked });
  expect(await eventsSoFar()).toBe(before);

  admin.cookies.delete('pos');
  expect((await send(counts)).body).toStrictEqual(booked);
  expect(await eventsSoFar()).toBe(before + 2);
  expect(admin.cookies.get('pos')).toBe(`stock.${await shop.store.head(['stock'])}`);

  const same = { changed: 0, unchanged: 3, rows: [row(2, first, 0, 0), row(3, second, 7, 7), row(4, third, 9, 9)] };
  expect((await send(`\uFEFF${counts.replaceAll('\n', '\r\n')}`)).body).toStrictEqual(same);
  expect(await eventsSoFar()).toBe(before + 2);
});

test('a count that has fallen below the reservations since the file was compared is refused with its line', async () => {
  const [id = ''] = ids;
  await count(id, 3);
  const rows = await compareCounts(shop, parseCounts(file(`${id},1`)));
  await shop.execute(stock, stockStream(productId(id)), reserve(2), metadata());
  await expect(bookCounts(shop, rows, metadata())).rejects.toThrow(/^Line 2: 2 are reserved for orders/);
});

test('a template has names, and lines without a count are left out', async () => {
  const [first = '', second = ''] = ids;
  const template = `${HEADER},name\n${first},5,"Oud, Royal"\n${second},,Oud Royal\n`;
  expect((await send(template)).body).toStrictEqual({
    changed: 1,
    unchanged: 0,
    rows: [{ line: 2, productId: first, before: null, after: 5 }],
  });
});

describe('nothing is booked', () => {
  const WHOLE = 'A whole number from 0 to 1000000';
  test.each([
    ['productId', 'Product not found', 'nobody,1'],
    ['productId', 'Product not found', 'NOT AN ID,1'],
    ['productId', 'Product not found', ',1'],
    ['count', WHOLE, '<second>,-1'],
    ['count', WHOLE, '<second>,1.5'],
    ['count', WHOLE, '<second>,'],
    ['count', WHOLE, '<second>,1e3'],
    ['count', WHOLE, '<second>,1000001'],
    ['count', WHOLE, '<second>,५'],
    ['productId', 'Is in line 2 already', '<first>,5'],
    ['count', '2 are reserved for orders', '<reserved>,1'],
    ['columns', 'Must be 2, not 1', '<second>'],
  ])('for a wrong %s: %s (%s)', async (column, problem, wrong) => {
    const [first = '', second = '', reserved = ''] = ids;
    await count(reserved, 3);
    await shop.execute(stock, stockStream(productId(reserved)), reserve(2), metadata());
    const before = await eventsSoFar();
    const line = wrong.replace('<first>', first).replace('<second>', second).replace('<reserved>', reserved);
    expect(await send(file(`${first},5`, line))).toMatchObject({
      status: 400,
      body: { message: `Nothing was booked. Line 3, ${column}: ${problem}`, errors: { [`line 3, ${column}`]: problem } },
    });
    expect(await eventsSoFar()).toBe(before);
  });

  test('for many wrong lines, each of which is named', async () => {
    const [first = '', second = '', reserved = ''] = ids;
    await count(reserved, 3);
    await shop.execute(stock, stockStream(productId(reserved)), reserve(2), metadata());
    const refused = await send(file(`${first},5`, 'nobody,1', `${second},x`, `${reserved},1`, 'short'));
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([
      'line 3, productId',
      'line 4, count',
      'line 5, count',
      'line 6, columns',
    ]);
    const many = await send(file(...Array.from({ length: 3_000 }, () => 'NO ID,x')));
    const places = Object.keys((many.body as { errors: object }).errors);
    expect([places.length, places.at(-1)]).toEqual([3_000, 'line 3001, productId']);
  });

  test('for a removed product, another kind of file, another type, or an invalid query parameter', async () => {
    const [first = ''] = ids;
    expect(await send('id,count\n')).toMatchObject({ status: 400, body: { message: `Line 1 must be ${HEADER}` } });
    expect(await send(file(`${first},1`), '?dryRun=perhaps')).toMatchObject({
      status: 400,
      body: { errors: { dryRun: 'Either true or false' } },
    });
    expect((await admin.post('/api/admin/stock/import', { [first]: 1 })).status).toBe(415);
    await admin.send('DELETE', `/api/product/${first}`);
    expect((await send(file(`${first},1`))).status).toBe(400);
  });

  test('for a file from anybody but an admin, which is not even read', async () =>
    expect((await send('x'.repeat(2 * 1024 * 1024 + 1), '', browser(shop.url))).status).toBe(401));
});
