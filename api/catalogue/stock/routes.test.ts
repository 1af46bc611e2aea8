import { beforeEach, describe, expect, test, vi } from 'vitest';

import { START } from '#domain/event-store.ts';
import type { ProductView } from '#domain/product/view.ts';
import { productId } from '#domain/shared/ids.ts';
import { stock, stockStream } from '#domain/stock/stock.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { release, reserve } from '#domain/testing/stocks.ts';

import { type Answer, type Browser } from '../../accounts/testing/browser.ts';
import { admin as ADMIN, auditor as AUDITOR, signedInAs } from '../../orders/testing/ordering.ts';
import { metadata } from '../../payments/desk/testing/desk-orders.ts';
import { openShopForFile } from '../../testing/test-shop.ts';

let id: string;

const put = (at: Browser, body: unknown, of = id): Promise<Answer> => at.send('PUT', `/api/admin/stock/${of}`, { body });
const edit = (body: unknown): Promise<Answer> => admin.send('PUT', `/api/product/${id}`, { body });
const show = (): Promise<Answer> => admin.get(`/api/admin/stock/${id}`);
const eventsSoFar = async (): Promise<number> => (await shop.store.page(START, 10_000, ['stock', 'product'])).length;
const holds = (quantity: number) =>
  shop.execute(stock, stockStream(productId(id)), reserve(quantity), { ...metadata(), actor: { kind: 'visitor', id: 'v' } });
const stockOf = (onHand: number, reserved = 0, lowAt: number | null = null) => ({
  stock: { onHand, reserved, available: onHand - reserved, lowAt },
});

const shop = await openShopForFile({ people: { admin: ADMIN, auditor: AUDITOR }, projecting: true });
const admin = await signedInAs(shop, ADMIN);
beforeEach(async () => {
  id = ((await admin.post('/api/product', { name: 'Oud Royal', price: '₹2,500.00' })).body as ProductView)._id;
});

describe('the bottles of a product', () => {
  test('are counted, received, removed, and listed as low once they reach the low mark', async () => {
    const answers = [
      await put(admin, { lowAt: 4 }),
      await put(admin, { count: 10 }),
      await put(admin, { received: 5 }),
      await put(admin, { removed: 2, reason: ' Broken ' }),
      await put(admin, { lowAt: null }),
      await put(admin, { count: 0 }),
    ];
    expect(answers.map(({ body }) => body)).toStrictEqual([
      { stock: null },
      stockOf(10, 0, 4),
      stockOf(15, 0, 4),
      stockOf(13, 0, 4),
      stockOf(13),
      stockOf(0),
    ]);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  test('have a history, newest first, which names people', async () => {
    await put(admin, { count: 10 });
    await put(admin, { lowAt: 3 });
    await put(admin, { removed: 2, reason: 'Broken' });
    await holds(3);
    await shop.execute(stock, stockStream(productId(id)), release(1), metadata());
    const restock = { type: 'RestockStock', order: anOrder, quantity: 1, return: 1, now: shop.now() } as const;
    await shop.execute(stock, stockStream(productId(id)), restock, metadata());
    const at = expect.any(String);
    const name = ((await admin.get('/api/user/fetch-user')).body as { user?: { name: string }; name?: string }).name;
    expect((await show()).body).toStrictEqual({
      ...stockOf(9, 0, 3),
      history: [
        { at, kind: 'restocked', quantity: 1, by: 'The shop', orderId: anOrder },
        { at, kind: 'released', quantity: 3, by: 'The shop', orderId: anOrder },
        { at, kind: 'reserved', quantity: 3, by: 'The shopper', orderId: anOrder },
        { at, kind: 'removed', quantity: 2, reason: 'Broken', by: name || ADMIN.email },
        { at, kind: 'counted', quantity: 10, by: name || ADMIN.email },
      ],
    });
    await put(admin, { count: null });
    expect((await show()).body).toMatchObject({ stock: null, history: [{ kind: 'restocked' }, {}, {}, {}, {}] });
  });

  test('are reserved by shoppers, even when several reservations were appended together', async () => {
    await put(admin, { count: 3 });
    await shop.execute(stock, stockStream(productId(id)), reserve(1), { ...metadata(), actor: { kind: 'system', id: 'stock' } });
    expect((await show()).body).toMatchObject({ history: [{ kind: 'reserved', by: 'The shopper' }, {}] });
  });

  test('that are not counted, are reserved or are too few are refused', async () => {
    const message = 'Stock is not counted';
    expect(await put(admin, { received: 1 })).toMatchObject({ status: 409, body: { message } });
    expect(await put(admin, { removed: 1, reason: 'x' })).toMatchObject({ status: 409, body: { message } });
    await put(admin, { count: 5 });
    await holds(3);
    expect(await put(admin, { count: 2 })).toMatchObject({ status: 409, body: { code: 'stock_below_reserved' } });
    expect(await put(admin, { removed: 3, reason: 'x' })).toMatchObject({ status: 409, body: { message: 'Only 2 available' } });
    expect((await put(admin, { count: 3 })).body).toStrictEqual(stockOf(3, 3));
  });

  test('are at most a million', async () => {
    await put(admin, { count: 999_999 });
    expect(await put(admin, { received: 2 })).toMatchObject({ status: 409, body: { message: 'At most 1000000 bottles of one product' } });
    expect((await put(admin, { received: 1 })).body).toStrictEqual(stockOf(1_000_000));
  });

  test('leave the position of the newest change, even when nothing changes', async () => {
    await put(admin, { count: 5 });
    for (const body of [{ count: 6 }, { count: 6 }]) {
      admin.cookies.delete('pos');
      await put(admin, body);
      expect(admin.cookies.get('pos')).toBe(`stock.${await shop.store.head(['stock'])}`);
    }
  });
});

describe('the list of counted products', () => {
  const list = async (query = '') => (await admin.get(`/api/admin/stock${query}`)).body as { products: { _id: string }[] };
  test('can be filtered to products with low stock', async () => {
    await put(admin, { count: 5 });
    expect((await list('?limit=100')).products.map(({ _id }) => _id)).toContain(id);
    expect((await list('?limit=100&low=true')).products.map(({ _id }) => _id)).not.toContain(id);
    await put(admin, { lowAt: 5 });
    expect((await list('?limit=100&low=true')).products).toContainEqual({ _id: id, name: 'Oud Royal', ...stockOf(5, 0, 5) });
  });

  test('of all products, or of one of their lists, finds them by name and has the length of each list', async () => {
    type Listed = { products: { _id: string; stock: object | null }[]; counts: Record<string, number>; nextCursor: string | null };
    const ask = async (query: string) => (await admin.get(`/api/admin/stock?${query}`)).body as Listed;
    const names = ['Stocked Low%', 'Stocked out', 'Stocked never'];
    const ids: string[] = [];
    for (const name of names) ids.push(((await admin.post('/api/product', { name })).body as { _id: string })._id);
    const [low = '', out = '', never = ''] = ids;
    const countLow = async () => ((await admin.get('/api/admin/products/counts')).body as { low: number }).low;
    const before = (await ask('list=all')).counts;
    expect(await countLow()).toBe(before['low']);
    for (const [id, change] of [
      [low, { count: 3 }],
      [low, { lowAt: 3 }],
      [out, { count: 0 }],
    ] as const)
      expect((await admin.send('PUT', `/api/admin/stock/${id}`, { body: change })).status).toBe(200);
    const { products, counts } = await ask('list=all&q=STOCKED');
    expect(products).toMatchObject([
      {
        _id: low,
        name: names[0],
        inStock: true,
        productImageUrl: [],
        stock: { available: 3, lowAt: 3 },
        counted: { at: expect.stringMatching(/Z$/), by: expect.stringMatching(/^(?!The shop)./) },
      },
      { _id: never, inStock: true, stock: null, counted: null },
      { _id: out, inStock: false, stock: { available: 0 } },
    ]);
    expect(counts).toEqual({
      ...before,
      counted: Number(before['counted']) + 2,
      low: Number(before['low']) + 1,
      out: Number(before['out']) + 1,
      uncounted: Number(before['uncounted']) - 2,
    });
    expect(await countLow()).toBe(counts['low']);
    for (const [list, found] of [
      ['counted', [low, out]],
      ['low', [low]],
      ['out', [out]],
      ['uncounted', [never]],
    ] as const)
      expect(
        (await ask(`list=${list}&q=stocked`)).products.map(({ _id }) => _id),
        list,
      ).toEqual(found);
    expect((await ask('list=all&q=%25')).products.map(({ _id }) => _id)).toEqual([low]);
    const first = await ask('list=all&q=stocked&limit=1');
    expect((await ask(`list=all&q=stocked&limit=2&cursor=${first.nextCursor}`)).products.map(({ _id }) => _id)).toEqual([never, out]);
    expect((await admin.get('/api/admin/stock?list=some')).status).toBe(400);
  });

  test('is refused for an invalid cursor', async () => expect((await admin.get('/api/admin/stock?cursor=!')).status).toBe(400));
});

describe('the stock that shoppers see', () => {
  test.each([
    [5, true],
    [0, false],
  ])('with %s bottles stays the same when counting ends', async (count, inStock) => {
    await edit({ inStock: !inStock });
    await put(admin, { count });
    expect((await put(admin, { count: null })).body).toStrictEqual({ stock: null });
    expect((await edit({})).body).toMatchObject({ inStock });
    expect((await put(admin, { count: null })).body).toStrictEqual({ stock: null });
  });

  test('is that after the last sale, even if a bottle is sold while counting ends', async () => {
    await put(admin, { count: 1 });
    const append = shop.store.append.bind(shop.store);
    const appending = vi.spyOn(shop.store, 'append').mockImplementation(async (stream, head, events, ...more) => {
      if (events.some(({ type }) => type === 'StockCountingEnded')) {
        appending.mockRestore();
        const sold = { type: 'StockRemoved', data: { quantity: 1, reason: 'Sold', removedAt: shop.now() } };
        await append(stream, head, [sold], metadata());
      }
      return append(stream, head, events, ...more);
    });
    expect((await put(admin, { count: null })).body).toStrictEqual({ stock: null });
    expect((await edit({})).body).toMatchObject({ inStock: false });
  });

  test('cannot be changed by hand while the product is counted, but may be repeated', async () => {
    await put(admin, { count: 0 });
    const before = await eventsSoFar();
    expect(await edit({ inStock: true })).toMatchObject({ status: 409, body: { message: 'Stock is counted' } });
    expect(await edit({ inStock: false })).toMatchObject({ status: 200, body: { inStock: false } });
    expect(await eventsSoFar()).toBe(before);
    await put(admin, { count: 3 });
    expect(await edit({ inStock: true })).toMatchObject({ status: 200, body: { inStock: true, left: 3 } });
  });
});

describe('nothing is changed', () => {
  test('for a wrong field, which is named', async () => {
    await put(admin, { count: 5 });
    const before = await eventsSoFar();
    const refuses = async (field: string, wrong: object, problem: unknown = expect.stringMatching(/\S/)) =>
      expect(await put(admin, wrong)).toMatchObject({ status: 400, body: { errors: { [field]: problem } } });
    for (const wrong of [{}, { count: 1, received: 1 }, { count: null, lowAt: null }, { reason: 'x' }]) await refuses('body', wrong);
    for (const count of [-1, 1.5, '3', 1_000_001]) await refuses('count', { count });
    for (const received of [0, true]) await refuses('received', { received }, 'A whole number from 1 to 1000000');
    await refuses('removed', { removed: 0, reason: 'x' });
    for (const lowAt of [-1, [2]]) await refuses('lowAt', { lowAt });
    for (const reason of [undefined, '  ', 7, 'x\0', 'x'.repeat(501)]) await refuses('reason', { removed: 1, reason });
    expect(await eventsSoFar()).toBe(before);
  });

  test('for a product that is unknown or was removed', async () => {
    const answer = { status: 404, body: { message: 'Product not found' } };
    for (const unknown of ['nobody', 'NOT-AN-ID', '%00']) {
      expect(await put(admin, { count: 1 }, unknown)).toMatchObject(answer);
      expect(await admin.get(`/api/admin/stock/${unknown}`)).toMatchObject(answer);
    }
    await admin.send('DELETE', `/api/product/${id}`);
    expect(await put(admin, { count: 1 })).toMatchObject(answer);
    expect(await show()).toMatchObject(answer);
  });
});
