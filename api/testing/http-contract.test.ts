import { describe, expect, test } from 'vitest';

import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import { home } from '#domain/testing/orders.ts';

import type { Answer } from '../accounts/testing/browser.ts';
import { alice, logIn, PASSWORD, signUp } from '../accounts/testing/people.ts';
import { form, admin as ADMIN, ordering, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { mailedCode } from './mailed-code.ts';
import { openShopForFile } from './test-shop.ts';

/* These tests cover the main answers as clients see them, with exactly these keys. Each folder tests its other calls, and `accounts/staff` who may make them. */

const TEXT = expect.stringMatching(/\S/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const NUMBER = expect.stringMatching(/^RH-[2-9A-HJKMNP-Z]{8}$/);

const product = {
  name: 'Oud Royal',
  details: 'Smoked oud · saffron',
  category: 'oud',
  price: '₹2,450.00',
  ratingStar: 4.5,
  reviewsCount: 12,
  productImageUrl: ['/pictures/products/oud-royal.webp'],
  productDescription: 'Dark and dry.',
  description: 'It opens with saffron.',
  productDetails: ['50 ml'],
  inStock: true,
  bestsellers: true,
  isFeatured: false,
  isTrending: false,
  tag: 'New',
};
const oudRoyal = { _id: 'oud-royal', ...product, hsn: '3303', revision: 0 };

const shop = await openShopForFile({ people: { admin: ADMIN }, projecting: true });
const [admin, user] = [await signedInAs(shop, ADMIN), ordering(shop)];
const userId = await signUp({ codeFor: (email) => mailedCode(shop, email) }, user, alice);
await admin.post('/api/product', product);
await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000);

const newcomer = (): OrderingBrowser => ordering(shop);

const is = (answer: Answer, status: number, body: unknown): void => {
  expect(answer.headers).toMatchObject({ 'x-request-id': TEXT, 'content-type': 'application/json; charset=utf-8' });
  expect(answer.body).toStrictEqual(body);
  expect(answer.status).toBe(status);
};

const isNo = (answer: Answer, status: number, message: unknown, errors?: object): void =>
  is(answer, status, { message, code: expect.stringMatching(/^[a-z]+(?:_[a-z]+)*$/), ...(errors && { errors }) });

const aliceView = () => ({
  _id: userId,
  name: 'Alice',
  email: alice.email,
  phone: alice.phone,
  isAdmin: false,
  isAuditor: false,
  roles: [],
  totp: false,
});

describe('/user', () => {
  test('GET fetch-user', async () => {
    is(await user.get('/api/user/fetch-user'), 200, aliceView());
    const staff = {
      _id: UUID,
      name: expect.any(String),
      email: ADMIN.email,
      phone: expect.any(String),
      isAdmin: true,
      isAuditor: true,
      roles: ['owner'],
      totp: false,
    };
    is(await admin.get('/api/user/fetch-user'), 200, staff);
    isNo(await newcomer().get('/api/user/fetch-user'), 401, 'Not signed in');
  });

  test('POST login and logout', async () => {
    const at = newcomer();
    is(await logIn(at), 200, { user: aliceView(), message: TEXT });
    is(await at.post('/api/user/logout'), 200, { message: TEXT });
    is(await at.post('/api/user/logout'), 200, { message: TEXT });
    isNo(await logIn(at, { email: alice.email, password: 'not the password' }), 401, 'Invalid email or password');
    isNo(await logIn(at, { email: 'nobody@example.com', password: PASSWORD }), 401, 'Invalid email or password');
  });
});

describe('/product', () => {
  test('GET the list and a product', async () => {
    const all = await newcomer().get('/api/product');
    is(all, 200, [oudRoyal]);
    expect(all.headers).toMatchObject({ 'x-total-count': '1', etag: expect.stringMatching(/^"[^"]+"$/) });
    expect((await newcomer().get('/api/product', { headers: { 'if-none-match': String(all.headers['etag']) } })).status).toBe(304);
    is(await newcomer().get('/api/product/oud-royal'), 200, oudRoyal);
    is(await admin.get('/api/product'), 200, [{ ...oudRoyal, stock: null }]);
    is(await admin.get('/api/product/oud-royal'), 200, { ...oudRoyal, stock: null });
    isNo(await newcomer().get('/api/product/nothing'), 404, 'Product not found');
  });
});

const { price, name, details, productImageUrl } = product;
const orderItem = {
  product: { _id: 'oud-royal', id: 'oud-royal', name, price, productImageUrl, details },
  quantity: 2,
  hsn: '3303',
  rate: 18,
};
const draft = {
  _id: UUID,
  orderNumber: null,
  status: 'created',
  items: [orderItem],
  shippingAddress: home,
  subtotal: 4900,
  tax: 882,
  shipping: 0,
  discount: 0,
  total: 5821,
  giftWrap: true,
  giftMessage: 'For Amma',
  note: 'Ring twice',
  paymentMethod: null,
  payment: { status: 'none', amount: expect.any(Number), refunded: 0, refundable: 0, refunds: [] },
  createdAt: INSTANT,
  placedAt: null,
  estimatedDelivery: null,
  history: [{ status: 'created', at: INSTANT }],
  placeOfSupply: 'Kerala',
  packedAt: null,
  shipment: null,
  return: null,
  returns: [],
};
const gift = { ...form, giftWrap: true, giftMessage: 'For Amma', note: 'Ring twice' };

describe('an e-mail address', () => {
  const email = 'meera@gmail..com';
  test.each([
    '/api/user/register',
    '/api/user/login',
    '/api/user/forgot-password',
    '/api/subscribe',
    '/api/subscribe/unsubscribe',
    '/api/contact',
    '/api/product/oud-royal/notify',
  ])('is refused by POST %s if it is none', async (path) =>
    expect(await newcomer().post(path, { email })).toMatchObject({ status: 400, body: { errors: { email: NOT_AN_EMAIL } } }),
  );
  test('is checked in an address of delivery, and stored in plain signs', async () => {
    const at = newcomer();
    await at.add({ _id: 'oud-royal' });
    const refused = await at.create({ ...form, shipping: { ...home, email } });
    isNo(refused, 400, 'Please correct the marked fields', { email: NOT_AN_EMAIL });
    const { order } = await at.create({ ...form, shipping: { ...home, email: 'Ｍｅｅｒａ＠ｇｍａｉｌ．ｃｏｍ' } });
    expect(order.shippingAddress).toEqual({ ...home, email: 'Meera@gmail.com' });
  });
});

describe('/order', () => {
  test('POST create-order, PUT place-order/:id, PUT cancel/:id', async () => {
    const at = newcomer();
    await at.add({ _id: 'oud-royal', quantity: 2 });
    const created = await at.create(gift);
    is(created, 201, { order: draft });
    const { _id: id } = created.order;
    const placed = { ...draft, orderNumber: NUMBER, paymentMethod: 'COD', placedAt: INSTANT, estimatedDelivery: { from: DATE, to: DATE } };
    const history = [...draft.history, { status: 'pending', at: INSTANT }];
    const money = (status: string) => ({ ...draft.payment, status });
    is(await at.place(id), 200, { ...placed, status: 'pending', payment: money('on_delivery'), history });
    isNo(await at.place(id, { method: 'Prepaid' }), 409, 'Order already placed');
    const cancelled = { status: 'cancelled', note: 'By mistake', at: INSTANT };
    is(await at.cancel(id, { reason: 'By mistake' }), 200, {
      ...placed,
      status: 'cancelled',
      payment: money('cancelled'),
      history: [...history, cancelled],
    });
    isNo(await at.place(id), 409, 'This order was cancelled');
  });

  test('PUT place-order/:id of a draft whose bottles another order has taken', async () => {
    const at = newcomer();
    const drafts: string[] = [];
    for (const _id of ['oud-royal', 'oud-royal']) {
      await at.add({ _id });
      drafts.push((await at.create()).order._id);
    }
    const [left = '', placed = ''] = drafts;
    const { orderNumber } = (await at.place(placed)).order;
    is(await at.place(left), 409, { message: TEXT, code: 'already_ordered', orderNumber, orderId: placed });
    expect((await at.place(left, { method: 'COD', again: true })).status).toBe(200);
  });
});

describe('/audit', () => {
  test.each([
    'events',
    'orders?q=x',
    'orders/x',
    'orders/x/verify',
    'orders/x/explain',
    'verify',
    'what-if',
    'products/oud-royal/prices',
    'products/oud-royal/stock',
    'security',
  ])('GET %s is for auditors and admins', async (path) => {
    isNo(await newcomer().get(`/api/audit/${path}`), 401, TEXT);
    isNo(await user.get(`/api/audit/${path}`), 403, TEXT);
  });
});

describe("users' own data", () => {
  test('GET user/export, POST user/erase', async () => {
    const at = ordering(shop);
    const zoya = { ...alice, name: 'Zoya', email: 'zoya@example.com' };
    const id = await signUp({ codeFor: (email) => mailedCode(shop, email) }, at, zoya);
    const exported = await at.get('/api/user/export');
    expect(exported.headers['content-disposition']).toBe('attachment; filename="ruhani-my-data.json"');
    is(exported, 200, {
      exportedAt: INSTANT,
      account: {
        id,
        name: 'Zoya',
        email: zoya.email,
        phone: zoya.phone,
        formerEmails: [],
        pendingEmail: null,
        createdAt: INSTANT,
        verifiedAt: INSTANT,
        secondFactorSince: null,
        identities: [],
      },
      sessions: [{ begunAt: INSTANT, lastSeenAt: INSTANT, device: 'Unknown device', address: '127.0.0.1' }],
      addresses: [],
      newsletter: null,
      otherNewsletters: [],
      carts: [{ shopper: id, events: [] }],
      wishlists: [{ shopper: id, events: [] }],
      orders: [],
      invoices: [],
      restockNotices: [],
      contactMessages: [],
      reviews: [],
      securityEvents: expect.any(Array),
    });
    isNo(await newcomer().get('/api/user/export'), 401, 'Not signed in');
    isNo(await at.post('/api/user/erase', {}), 400, TEXT, { password: 'Required' });
    isNo(await at.post('/api/user/erase', { password: 'not this one' }), 403, 'Wrong password');
    isNo(await newcomer().post('/api/user/erase', { password: PASSWORD }), 401, TEXT);
    is(await at.post('/api/user/erase', { password: PASSWORD }), 200, { message: 'Your account and your data are erased' });
    isNo(await at.get('/api/user/fetch-user'), 401, 'Not signed in');
  });
});
