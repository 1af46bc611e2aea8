import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import type { ProductView } from '#domain/product/view.ts';

import type { Answer, Browser } from '../accounts/testing/browser.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

let shop: TestShop;
let admin: Browser;
let id: string;

const viewIn = ({ body }: Answer): ProductView => body as ProductView;
const edit = (at: Browser, of: string, body: unknown): Promise<Answer> => at.send('PUT', `/api/product/${of}`, { body });
const remove = (at: Browser, of: string): Promise<Answer> => at.send('DELETE', `/api/product/${of}`);
const eventsSoFar = async (): Promise<number> => (await shop.store.page(START, 10_000, ['product'])).length;

beforeAll(async () => {
  shop = await openTestShop({ people: { admin: ADMIN }, projecting: true });
  admin = await signedInAs(shop, ADMIN);
});
afterAll(() => shop.close());
beforeEach(async () => {
  id = viewIn(await admin.post('/api/product', { name: 'Oud Royal', category: 'oud', price: '₹2,500.00' }))._id;
});

describe('adding a product', () => {
  test('needs only a name', async () => {
    const answer = await admin.post('/api/product', { name: 'Bare Musk' });
    expect(answer).toMatchObject({
      status: 201,
      body: { _id: 'bare-musk', name: 'Bare Musk', price: '', category: '', ratingStar: 0, reviewsCount: 0, inStock: true, revision: 0 },
    });
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
    ['name', { name: '  ' }, 'Required'],
    ['name', { name: 7 }, 'Must be text'],
    ['name', { name: '\u200b' }, 'Required'],
    // Postgres refuses both in JSON, so the catalogue could never apply such an event.
    ['name', { name: 'nul\0inside' }, 'Please use letters, digits and signs only'],
    ['name', { name: '\u202e\u2069' }, 'Required'],
    ['tag', { tag: 'half \ud800' }, 'Please use letters, digits and signs only'],
    ['description', { description: '\u001b[31mred' }, 'Please use letters, digits and signs only'],
    ['category', { category: 'citrus' }, 'One of oud, floral, fresh, musk, attar'],
    ['ratingStar', { ratingStar: 5.5 }, 'A number from 0 to 5 in half steps'],
    ['ratingStar', { ratingStar: 4.3 }, 'A number from 0 to 5 in half steps'],
    ['ratingStar', { ratingStar: 'abc' }, 'Must be a number'],
    ['reviewsCount', { reviewsCount: -3 }, 'A whole number, 0 or more'],
    ['inStock', { inStock: 'yes' }, 'Either true or false'],
    ['price', { price: '230.005' }, expect.stringMatching(/^A price such as/) as unknown as string],
    ['price', { price: 'free' }, expect.stringMatching(/^A price such as/) as unknown as string],
    ['price', { price: -1 }, expect.stringMatching(/^A price such as/) as unknown as string],
    ['productImageUrl', { productImageUrl: ['javascript:alert(1)'] }, 'Each picture is an address that starts with https:// or /'],
    ['productImageUrl', { productImageUrl: ['data:image/svg+xml,<svg/>'] }, 'Each picture is an address that starts with https:// or /'],
    ['productImageUrl', { productImageUrl: ['http://x.example/x.png'] }, 'Each picture is an address that starts with https:// or /'],
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

describe('deleting a product', () => {
  test('removes it from the shop once', async () => {
    expect(await remove(admin, id)).toMatchObject({ status: 200, body: { message: 'Product deleted' } });
    expect((await admin.get(`/api/product/${id}`)).status).toBe(404);
    expect((await remove(admin, id)).status).toBe(404);
  });
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
