import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { StaffProductView } from '#domain/product/view.ts';

import { browser, type Answer, type Browser } from '../accounts/testing/browser.ts';
import { admin as ADMIN, auditor as AUDITOR, signedInAs, signedUp } from '../orders/testing/ordering.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

let shop: TestShop;
let admin: Browser;
let id: string;

const NAME = 'Ruh Gulab';
const viewIn = ({ body }: Answer): StaffProductView => body as StaffProductView;
const stockOf = (onHand: number, lowAt: number | null = null) => ({ onHand, reserved: 0, available: onHand, lowAt });
const counting = (body: unknown): Promise<Answer> => admin.send('PUT', `/api/admin/stock/${id}`, { body });
const one = (at: Browser, headers: Record<string, string> = {}): Promise<Answer> => at.get(`/api/product/${id}`, { headers });
const list = (at: Browser, headers: Record<string, string> = {}): Promise<Answer> =>
  at.get('/api/product?sort=newest&limit=1', { headers });

beforeAll(async () => {
  shop = await openTestShop({ people: { admin: ADMIN, auditor: AUDITOR }, projecting: true });
  admin = await signedInAs(shop, ADMIN);
  await admin.post('/api/product', { name: 'For a second page' });
});
afterAll(() => shop.close());
beforeEach(async () => {
  const { body } = await admin.post('/api/product', { name: NAME, price: '₹2,500.00' });
  expect(body).toMatchObject({ stock: null });
  id = (body as StaffProductView)._id;
});

describe('the stock in the JSON of a product', () => {
  test('is shown to admins by all four calls, and is always current', async () => {
    expect((await one(admin)).body).toMatchObject({ stock: null });
    for (const count of [40, 39]) {
      await counting({ count });
      expect((await one(admin)).body).toMatchObject({ inStock: true, stock: stockOf(count) });
      const listed = await list(admin);
      expect(listed.body).toMatchObject([{ name: NAME }]);
      expect(listed.headers).toMatchObject({ 'x-total-count': expect.any(String), link: expect.stringContaining('cursor') });
      expect(listed.body).toEqual([(await one(admin)).body]);
    }
    await counting({ lowAt: 4 });
    const edited = await admin.send('PUT', `/api/product/${id}`, { body: { tag: 'New' } });
    expect(edited.body).toMatchObject({ tag: 'New', stock: stockOf(39, 4) });
    expect((await one(admin)).body).toEqual(edited.body);
  });

  test('is included in the product with which a refused edit is answered', async () => {
    await counting({ count: 7 });
    const { revision } = viewIn(await one(admin));
    await admin.send('PUT', `/api/product/${id}`, { body: { tag: 'New' } });
    const refused = await admin.send('PUT', `/api/product/${id}`, { body: { tag: 'Old', expectedRevision: revision } });
    expect(refused).toMatchObject({ status: 409, body: { current: { tag: 'New', stock: stockOf(7) } } });
  });

  test('is shown to nobody else, whatever marker their browser sends', async () => {
    await counting({ count: 40 });
    const visitor = browser(shop.url);
    const others = [visitor, await signedUp(shop, 'alice@example.com'), await signedInAs(shop, AUDITOR)];
    const pos = admin.cookies.get('pos') ?? '';
    for (const at of others) {
      expect(at.cookies.has('staff')).toBe(false);
      for (const marker of [undefined, '1', 'true']) {
        at.cookies.set('pos', pos);
        if (marker !== undefined) at.cookies.set('staff', marker);
        const answers = [await one(at), await list(at)];
        for (const { status, headers, body } of answers) {
          expect(status).toBe(200);
          expect(headers['cache-control']).toBe('no-cache');
          expect(JSON.stringify(body)).toContain(NAME);
          expect(JSON.stringify(body)).not.toMatch(/"stock"|onHand/);
        }
        const [product, page] = answers;
        const plain = [await one(visitor, { cookie: '' }), await list(visitor, { cookie: '' })];
        expect([product?.body, page?.body]).toEqual(plain.map(({ body }) => body));
        expect([product?.headers['etag'], page?.headers['etag']]).toEqual(plain.map(({ headers }) => headers['etag']));
        expect((await one(at, { 'if-none-match': String(product?.headers['etag']) })).status).toBe(304);
      }
    }
  });

  test("is not cached, and a shopper's tag never stands for it", async () => {
    await counting({ count: 40 });
    for (const ask of [one, list]) {
      const shoppers = await ask(browser(shop.url));
      const answer = await ask(admin, { 'if-none-match': `${shoppers.headers['etag']}, *` });
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
      expect(answer.headers['etag']).toBeUndefined();
      expect(JSON.stringify(answer.body)).toContain('"onHand":40');
    }
  });

  test("is no longer shown after the session or the admin's permission ended", async () => {
    await counting({ count: 40 });
    const former = await signedInAs(shop, ADMIN);
    expect(viewIn(await one(former)).stock).toEqual(stockOf(40));
    await former.post('/api/user/logout');
    expect(former.cookies.has('staff')).toBe(false);
    expect((await one(former)).body).not.toHaveProperty('stock');

    const promoted = await signedUp(shop, 'bob@example.com');
    const rights = (isAdmin: boolean) => shop.pool.query(`update shop.users set is_admin = $1 where email = 'bob@example.com'`, [isAdmin]);
    const marked = () => expect.poll(async () => promoted.get('/api/user/fetch-user').then(() => promoted.cookies.has('staff')));
    await rights(true);
    await marked().toBe(true);
    expect(viewIn(await one(promoted)).stock).toEqual(stockOf(40));
    await rights(false);
    expect((await one(promoted)).body).not.toHaveProperty('stock');
    await marked().toBe(false);
  });

  test('is not shown for an unknown product or an invalid query, which are refused as for anybody', async () => {
    expect(await admin.get('/api/product/nothing-like-it')).toMatchObject({ status: 404, body: { message: 'Product not found' } });
    expect(await admin.get('/api/product?limit=0')).toMatchObject({ status: 400, body: { errors: { limit: expect.any(String) } } });
  });
});
