import { beforeEach, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import type { StaffProductView } from '#domain/product/view.ts';

import { browser, type Answer, type Browser } from '../accounts/testing/browser.ts';
import { hashOf } from '../accounts/testing/people.ts';
import { admin as ADMIN, auditor as AUDITOR, signedInAs, signedUp } from '../orders/testing/ordering.ts';
import { openShopForFile } from '../testing/test-shop.ts';

let id: string;

const viewIn = ({ body }: Answer): StaffProductView => body as StaffProductView;
const edit = (at: Browser, of: string, body: unknown): Promise<Answer> => at.send('PUT', `/api/product/${of}`, { body });
const remove = (at: Browser, of: string): Promise<Answer> => at.send('DELETE', `/api/product/${of}`);
const eventsSoFar = async (): Promise<number> => (await shop.store.page(START, 10_000, ['product'])).length;

const shop = await openShopForFile({ people: { admin: ADMIN, auditor: AUDITOR }, projecting: true });
const admin = await signedInAs(shop, ADMIN);
beforeEach(async () => {
  id = viewIn(await admin.post('/api/product', { name: 'Oud Royal', category: 'oud', price: '₹2,500.00' }))._id;
});

describe('adding a product', () => {
  test('needs only a name', async () => {
    const answer = await admin.post('/api/product', { name: 'Bare Musk' });
    const bare = {
      _id: 'bare-musk',
      name: 'Bare Musk',
      price: '',
      category: '',
      ratingStar: 0,
      reviewsCount: 0,
      inStock: true,
      revision: 0,
    };
    expect(answer).toMatchObject({ status: 201, body: { ...bare, stock: null } });
    expect((await admin.get('/api/product/bare-musk')).body).toEqual(answer.body);
  });

  test("shows it in the same browser's very next listing", async () => {
    await admin.post('/api/product', { name: 'Seen At Once', price: '230' });
    const { body } = await admin.get('/api/product?q=Seen+At+Once');
    expect(body).toMatchObject([{ name: 'Seen At Once', price: '₹230.00' }]);
  });

  test('gives two products with the same name different addresses', async () => {
    const again = viewIn(await admin.post('/api/product', { name: 'Oud Royal' }))._id;
    expect(again).toMatch(/^oud-royal-[0-9a-f]{8}$/);
    expect(again).not.toBe(id);
  });

  test.each([
    ['اعود', 'perfume'],
    ['Élixir d\u2019Été №5', 'elixir-d-ete-no5'],
    [`${'long '.repeat(20)}name`, 'long-long-long-long-long-long-long-long-long-long'],
  ])('gives the name %s an address', async (name, slug) => {
    expect(viewIn(await admin.post('/api/product', { name }))._id).toBe(slug);
  });

  test('counts empty ratings and reviews as 0, accepts the old spelling of attar, and drops blanks', async () => {
    const answer = await admin.post('/api/product', {
      name: ' Ruh ',
      ratingStar: '',
      reviewsCount: '',
      category: 'Atar',
      productImageUrl: [' /pictures/products/x.webp ', ''],
      productDetails: ['50 ml', ' '],
    });
    expect(viewIn(answer)).toMatchObject({
      name: 'Ruh',
      ratingStar: 0,
      reviewsCount: 0,
      category: 'attar',
      productImageUrl: ['/pictures/products/x.webp'],
      productDetails: ['50 ml'],
    });
  });

  test.each<[string, object, string]>([
    ['name', { name: undefined }, 'Required'],
    ['name', { name: 7 }, 'Must be text'],
    ['name', { name: '\u200b' }, 'Required'],
    // Postgres refuses both in JSON, so the catalogue could never apply such an event.
    ['name', { name: 'nul\0inside' }, 'Please use letters, digits and signs only'],
    ['name', { name: '\u202e\u2069' }, 'Required'],
    ['tag', { tag: 'half \ud800' }, 'Please use letters, digits and signs only'],
    ['description', { description: '\u001b[31mred' }, 'Please use letters, digits and signs only'],
    ['ratingStar', { ratingStar: 5.5 }, 'A number from 0 to 5 in half steps'],
    ['ratingStar', { ratingStar: 'abc' }, 'Must be a number'],
    ['inStock', { inStock: 'yes' }, 'Either true or false'],
    ['price', { price: '230.005' }, expect.stringMatching(/^A price such as/) as unknown as string],
    ['price', { price: 'free' }, expect.stringMatching(/^A price such as/) as unknown as string],
    ['price', { price: -1 }, expect.stringMatching(/^A price such as/) as unknown as string],
  ])('names the wrong field %s and adds nothing: %j', async (field, wrong, message) => {
    const before = await eventsSoFar();
    const answer = await admin.post('/api/product', { name: 'Refused', ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: message } } });
    expect(await eventsSoFar()).toBe(before);
  });
});

describe('editing a product', () => {
  test('changes the given fields only, whatever else is sent', async () => {
    const before = viewIn(await admin.get(`/api/product/${id}`));
    const answer = await edit(admin, id, { tag: 'New', price: '', _id: 'other', createdAt: 0, isAdmin: true, revision: 99 });
    expect(answer.status).toBe(200);
    expect(viewIn(answer)).toEqual({ ...before, tag: 'New', price: '', revision: before.revision + 2 });
    expect((await admin.get(`/api/product/${id}`)).body).toEqual(answer.body);
  });

  test('without a difference appends nothing to the log', async () => {
    const before = await eventsSoFar();
    expect((await edit(admin, id, { name: 'Oud Royal', price: '2500' })).status).toBe(200);
    expect(await eventsSoFar()).toBe(before);
  });

  test('that another admin has changed is refused, with the current product', async () => {
    const { revision } = viewIn(await edit(admin, id, { tag: 'New' }));
    const { body: current } = await edit(admin, id, { price: '2600', expectedRevision: revision });
    expect(await edit(admin, id, { name: 'Mine', expectedRevision: revision })).toMatchObject({
      status: 409,
      body: { code: 'product_changed', message: 'Somebody else has changed this product meanwhile', current },
    });
    expect((await admin.get(`/api/product/${id}`)).body).toEqual(current);
  });

  test('that is unknown is answered with 404', async () => {
    for (const unknown of ['nobody', 'NOT-AN-ID', '%00'])
      expect(await edit(admin, unknown, { name: 'x' })).toMatchObject({ status: 404, body: { message: 'Product not found' } });
  });
});

test('deleting a product removes it from the shop once', async () => {
  expect(await remove(admin, id)).toMatchObject({ status: 200, body: { message: 'Product deleted' } });
  expect((await admin.get(`/api/product/${id}`)).status).toBe(404);
  expect((await remove(admin, id)).status).toBe(404);
});

describe('the prices of a product', () => {
  test('are listed newest first, with the admin who set them', async () => {
    await edit(admin, id, { price: '2600' });
    await edit(admin, id, { tag: 'New' });
    await edit(admin, id, { price: '2400.50' });
    const { body } = await admin.get(`/api/product/${id}/prices`);
    expect(body).toMatchObject({
      prices: [{ price: '₹2,400.50' }, { price: '₹2,600.00' }, { price: '₹2,500.00', by: { kind: 'admin' } }],
    });
  });

  test('remain after the product is removed', async () => {
    await remove(admin, id);
    expect((await admin.get(`/api/product/${id}/prices`)).status).toBe(200);
    expect((await admin.get('/api/product/never-there/prices')).status).toBe(404);
  });
});

const stockOf = (onHand: number, lowAt: number | null = null) => ({ onHand, reserved: 0, available: onHand, lowAt });
const counting = (body: unknown): Promise<Answer> => admin.send('PUT', `/api/admin/stock/${id}`, { body });
const one = (at: Browser, headers: Record<string, string> = {}): Promise<Answer> => at.get(`/api/product/${id}`, { headers });
const list = (at: Browser, headers: Record<string, string> = {}): Promise<Answer> =>
  at.get('/api/product?sort=newest&limit=1', { headers });

describe('the stock in the JSON of a product', () => {
  test('is shown to admins by all four calls, and is always current', async () => {
    expect((await one(admin)).body).toMatchObject({ stock: null });
    for (const count of [40, 39]) {
      await counting({ count });
      expect((await one(admin)).body).toMatchObject({ inStock: true, stock: stockOf(count) });
      const listed = await list(admin);
      expect(listed.body).toMatchObject([{ name: 'Oud Royal' }]);
      expect(listed.headers).toMatchObject({ 'x-total-count': expect.any(String), link: expect.stringContaining('cursor') });
      expect(listed.body).toEqual([(await one(admin)).body]);
    }
    await counting({ lowAt: 4 });
    const edited = await edit(admin, id, { tag: 'New' });
    expect(edited.body).toMatchObject({ tag: 'New', stock: stockOf(39, 4) });
    expect((await one(admin)).body).toEqual(edited.body);
  });

  test('is included in the product with which a refused edit is answered', async () => {
    await counting({ count: 7 });
    const { revision } = viewIn(await one(admin));
    await edit(admin, id, { tag: 'New' });
    const refused = await edit(admin, id, { tag: 'Old', expectedRevision: revision });
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
          expect(JSON.stringify(body)).toContain('Oud Royal');
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
    // Other browsers do not wait for what this one did.
    await shop.catalogue.waitFor(await shop.store.head(['stock']), 60_000);
    const former = await signedInAs(shop, ADMIN);
    expect(viewIn(await one(former)).stock).toEqual(stockOf(40));
    await former.post('/api/user/logout');
    expect(former.cookies.has('staff')).toBe(false);
    expect((await one(former)).body).not.toHaveProperty('stock');

    const promoted = await signedUp(shop, 'bob@example.com');
    const bob = await hashOf(shop, 'bob@example.com');
    const rights = (roles: string) => shop.pool.query('update shop.users set roles = $1 where address_hash = $2', [roles, bob]);
    const marked = () => expect.poll(async () => promoted.get('/api/user/fetch-user').then(() => promoted.cookies.has('staff')));
    await rights('{catalogue}');
    await marked().toBe(true);
    expect(viewIn(await one(promoted)).stock).toEqual(stockOf(40));
    await rights('{money}');
    expect((await one(promoted)).body).not.toHaveProperty('stock');
    await rights('{}');
    expect((await one(promoted)).body).not.toHaveProperty('stock');
    await marked().toBe(false);
  });

  test('is not shown for an unknown product or an invalid query, which are refused as for anybody', async () => {
    expect(await admin.get('/api/product/nothing-like-it')).toMatchObject({ status: 404, body: { message: 'Product not found' } });
    expect(await admin.get('/api/product?limit=0')).toMatchObject({ status: 400, body: { errors: { limit: expect.any(String) } } });
  });
});
