import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import { home } from '#domain/testing/orders.ts';

import type { Answer, Browser } from '../accounts/testing/browser.ts';
import { alice, logIn, PASSWORD, signUp, getUserId } from '../accounts/testing/people.ts';
import { admin as ADMIN, auditor as AUDITOR, form, ordering, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { deliveredOrder, paidOrder } from '../payments/desk/testing/desk-orders.ts';
import { mailedCode } from './mailed-code.ts';
import { openTestShop, type TestShop } from './test-shop.ts';

/* These tests cover calls as clients see them: status, exactly these keys, and required messages. Each folder tests what its calls do, and lists exactly. */

const TEXT = expect.stringMatching(/\S/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const NUMBER = expect.stringMatching(/^RH-[2-9A-HJKMNP-Z]{8}$/);
const POSITION = expect.stringMatching(/^\d+$/);

let shop: TestShop;
let admin: OrderingBrowser;
let auditor: OrderingBrowser;
let user: OrderingBrowser;
let userId: string;

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

beforeAll(async () => {
  shop = await openTestShop({ people: { admin: ADMIN, auditor: AUDITOR }, projecting: true, reacting: true });
  [admin, auditor, user] = [await signedInAs(shop, ADMIN), await signedInAs(shop, AUDITOR), ordering(shop)];
  userId = await signUp({ codeFor: (email) => mailedCode(shop, email) }, user, alice);
  await admin.post('/api/product', product);
  await shop.catalogue.waitFor(await shop.store.head(['product']), 30_000);
});
afterAll(() => shop.close());

const put = (at: Browser, path: string, body: unknown = {}): Promise<Answer> => at.send('PUT', path, { body });
const newcomer = (): OrderingBrowser => ordering(shop);

/** Checks that the response has a request id and JSON, and that no cache may keep it. */
const isAnswer = ({ headers }: Answer): void => {
  expect(headers['x-request-id']).toEqual(TEXT);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
};

const is = (answer: Answer, status: number, body: unknown): void => {
  isAnswer(answer);
  expect(answer.body).toStrictEqual(body);
  expect(answer.status).toBe(status);
};

const isNo = (answer: Answer, status: number, message: unknown, errors?: object): void =>
  is(answer, status, { message, code: expect.stringMatching(/^[a-z]+(?:_[a-z]+)*$/), ...(errors && { errors }) });

const aliceView = () => ({ _id: userId, name: 'Alice', email: alice.email, phone: alice.phone, isAdmin: false, isAuditor: false });

describe('/user', () => {
  test('GET fetch-user', async () => {
    is(await user.get('/api/user/fetch-user'), 200, aliceView());
    const staff = { _id: UUID, name: expect.any(String), email: ADMIN.email, phone: expect.any(String), isAdmin: true, isAuditor: true };
    is(await admin.get('/api/user/fetch-user'), 200, staff);
    isNo(await newcomer().get('/api/user/fetch-user'), 401, 'Not signed in');
  });

  test('POST register, verify-otp, resend-otp', async () => {
    const at = newcomer();
    const dora = { ...alice, name: 'Dora', email: 'dora@example.com' };
    const registered = await at.post('/api/user/register', dora);
    is(registered, 201, { userId: UUID, message: TEXT });
    const id = getUserId(registered);
    isNo(await at.post('/api/user/resend-otp', { userId: id }), 429, TEXT);
    const unverified = { message: 'Please verify your email', code: 'email_not_verified', userId: id };
    is(await logIn(at, dora), 403, unverified);
    const otp = await mailedCode(shop, dora.email);
    const wrong = otp === '123456' ? '654321' : '123456';
    isNo(await at.post('/api/user/verify-otp', { userId: id, otp: wrong }), 400, 'Invalid OTP');
    const { phone } = alice;
    is(await at.post('/api/user/verify-otp', { userId: id, otp }), 200, {
      _id: id,
      name: 'Dora',
      email: dora.email,
      phone,
      isAdmin: false,
      isAuditor: false,
    });
    isNo(await newcomer().post('/api/user/register', dora), 409, 'Email already registered');
  });

  test('POST login and logout', async () => {
    const at = newcomer();
    is(await logIn(at), 200, { user: aliceView(), message: TEXT });
    is(await at.post('/api/user/logout'), 200, { message: TEXT });
    is(await at.post('/api/user/logout'), 200, { message: TEXT });
    isNo(await logIn(at, { email: alice.email, password: 'not the password' }), 401, 'Invalid email or password');
    isNo(await logIn(at, { email: 'nobody@example.com', password: PASSWORD }), 401, 'Invalid email or password');
  });

  test('POST forgot-password, reset-password, google-login', async () => {
    const known = await newcomer().post('/api/user/forgot-password', { email: alice.email });
    is(known, 200, { message: TEXT });
    is(await newcomer().post('/api/user/forgot-password', { email: 'nobody@example.com' }), 200, known.body);
    const reset = { token: 'made-up', password: 'another good one', confirm_password: 'another good one' };
    isNo(await newcomer().post('/api/user/reset-password', reset), 400, TEXT);
    isNo(await newcomer().post('/api/user/google-login', { token: 'x' }), 503, TEXT);
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

  test('POST, PUT and DELETE, for admins', async () => {
    const bare = { ...oudRoyal, _id: 'bare', name: 'Bare', details: '', category: '', price: '', ratingStar: 0, reviewsCount: 0 };
    const nothing = {
      productImageUrl: [],
      productDescription: '',
      description: '',
      productDetails: [],
      bestsellers: false,
      tag: '',
      stock: null,
    };
    is(await admin.post('/api/product', { name: 'Bare' }), 201, { ...bare, ...nothing });
    is(await put(admin, '/api/product/bare', { price: '99.50' }), 200, { ...bare, ...nothing, price: '₹99.50', revision: 1 });
    const stale = await put(admin, '/api/product/bare', { name: 'Barer', expectedRevision: 0 });
    const current = { ...bare, ...nothing, price: '₹99.50', revision: 1 };
    is(stale, 409, { message: TEXT, code: 'product_changed', current });
    isNo(await admin.post('/api/product', {}), 400, TEXT, { name: 'Required' });
    isNo(await put(admin, '/api/product/bare', { price: '1.234' }), 400, TEXT, { price: TEXT });
    is(await admin.send('DELETE', '/api/product/bare'), 200, { message: TEXT });
    isNo(await admin.send('DELETE', '/api/product/bare'), 404, 'Product not found');
  });
});

describe('/cart', () => {
  const item = (quantity: number) => ({ productId: 'oud-royal', quantity, product: oudRoyal, rate: 18 });
  const empty = { items: [], totalCartValue: 0 };

  test('responds to each call with the whole cart', async () => {
    const at = newcomer();
    is(await at.cart(), 200, empty);
    is(await at.add({ ...oudRoyal, price: '₹1.00' }), 200, { items: [item(1)], totalCartValue: 2450 });
    is(await at.add({ _id: 'oud-royal', quantity: 2 }), 200, { items: [item(3)], totalCartValue: 7350 });
    is(await at.update('oud-royal', { quantity: 99 }), 200, { items: [item(99)], totalCartValue: 242_550 });
    is(await at.add({ _id: 'oud-royal' }), 200, { items: [item(99)], totalCartValue: 242_550 });
    is(await at.cart(), 200, { items: [item(99)], totalCartValue: 242_550 });
    is(await at.remove('oud-royal'), 200, empty);
    is(await at.remove('oud-royal'), 200, empty);
    is(await newcomer().remove('oud-royal'), 200, empty);
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
  payment: { status: 'none', amount: expect.any(Number), refunded: 0, refunds: [] },
  createdAt: INSTANT,
  placedAt: null,
  estimatedDelivery: null,
  history: [{ status: 'created', at: INSTANT }],
};
const moved = (...history: readonly { status: string; note?: string }[]) => ({
  ...draft,
  orderNumber: NUMBER,
  status: history.at(-1)?.status ?? 'pending',
  paymentMethod: 'COD',
  payment: { ...draft.payment, status: history.at(-1)?.status === 'cancelled' ? 'cancelled' : 'on_delivery' },
  placedAt: INSTANT,
  estimatedDelivery: { from: DATE, to: DATE },
  history: [...draft.history, { status: 'pending', at: INSTANT }, ...history.map((entry) => ({ ...entry, at: INSTANT }))],
});
const gift = { ...form, giftWrap: true, giftMessage: 'For Amma', note: 'Ring twice' };

const drafted = async (at: OrderingBrowser): Promise<string> => {
  await at.add({ _id: 'oud-royal', quantity: 2 });
  return (await at.create(gift)).order._id;
};
const placedIn = async (at: OrderingBrowser): Promise<string> => {
  const id = await drafted(at);
  await at.place(id);
  return id;
};

describe('/order', () => {
  test('POST create-order', async () => {
    const at = newcomer();
    isNo(await at.create(), 400, 'Your cart is empty');
    await at.add({ _id: 'oud-royal', quantity: 2 });
    const created = await at.create(gift);
    is(created, 201, { order: draft });
    is(await at.create(gift), 201, created.body);
    is(await at.create(form), 201, {
      order: {
        ...created.order,
        giftWrap: false,
        giftMessage: '',
        note: '',
        total: 5782,
        payment: { ...created.order.payment, amount: 5782 },
      },
    });
  });

  test('PUT place-order/:id', async () => {
    const at = newcomer();
    const id = await drafted(at);
    const placed = await at.place(id);
    is(placed, 200, moved());
    is(await at.place(id), 200, placed.body);
    isNo(await at.place(id, { method: 'Prepaid' }), 409, 'Order already placed');
    is(await at.cart(), 200, { items: [], totalCartValue: 0 });
  });

  test('GET :id/explain', async () => {
    const at = newcomer();
    const id = await drafted(at);
    const { subtotal, tax, total } = (await at.order(id)).order;
    const event = { stream: `order-${id}`, revision: 0, type: 'OrderCreated' };
    const explained = (name: string, amount: number, ...parts: readonly object[]) => ({ name, amount, formula: TEXT, parts });
    is(await at.get(`/api/order/${id}/explain`), 200, {
      amounts: [
        explained('subtotal', subtotal, { label: TEXT, amount: subtotal, event }),
        explained('tax', tax, { label: TEXT, amount: tax, event }),
        explained('giftWrap', 39, { label: TEXT, amount: 39, event }),
        explained('total', total, ...[subtotal, tax, 39].map((amount) => ({ label: TEXT, amount, event }))),
        explained('paid', 0),
        explained('refunded', 0),
      ],
    });
    isNo(await newcomer().get(`/api/order/${id}/explain`), 404, 'Order not found');
  });

  test('GET get-order/:id and get-AllOrders', async () => {
    const [id] = [await placedIn(user), await drafted(user)];
    const one = await user.order(id);
    is(one, 200, moved());
    is(await user.get('/api/order/get-AllOrders?all=true&userId=1'), 200, { orders: [one.body] });
    is(await admin.order(id), 200, one.body);
    is(await auditor.order(id), 200, one.body);
    isNo(await newcomer().order(id), 404, 'Order not found');
    isNo(await user.order('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4'), 404, 'Order not found');
    isNo(await user.order('x'), 404, 'Order not found');
    isNo(await newcomer().get('/api/order/get-AllOrders'), 401, 'Not signed in');
  });

  test('PUT cancel/:id', async () => {
    const at = newcomer();
    const id = await placedIn(at);
    const cancelled = await at.cancel(id, { reason: 'By mistake' });
    is(cancelled, 200, moved({ status: 'cancelled', note: 'By mistake' }));
    is(await at.cancel(id), 200, cancelled.body);
    isNo(await at.place(id), 409, 'This order was cancelled');
  });

  test('PUT return/:id', async () => {
    const at = newcomer();
    const id = await placedIn(at);
    isNo(await at.giveBack(id), 409, expect.stringMatching(/pending.*returned/));
    for (const status of ['confirmed', 'shipped', 'delivered']) await admin.move(id, status);
    isNo(await at.cancel(id), 409, expect.stringMatching(/delivered.*cancelled/));
    isNo(await at.giveBack(id, {}), 400, TEXT, { reason: 'Required', opened: 'Required' });
    isNo(await at.giveBack(id, { reason: 'Too loud', opened: true }), 409, expect.stringContaining('unopened bottle'));
    const delivered = [{ status: 'confirmed' }, { status: 'shipped' }, { status: 'delivered' }] as const;
    is(await at.giveBack(id, { reason: 'Too loud', opened: false }), 200, moved(...delivered, { status: 'returned', note: 'Too loud' }));
  });
});

describe('/admin', () => {
  test('GET stats returns seven numbers', async () => {
    const at = newcomer();
    await shop.progress.waitFor('stats', await shop.store.head(['order']), 30_000);
    const before = (await admin.get('/api/admin/stats')).body as Record<string, number>;
    const id = await placedIn(at);
    await admin.move(id, 'confirmed');
    const orders = { totalOrders: Number(before['totalOrders']) + 1, lastWeekOrders: Number(before['lastWeekOrders']) + 1 };
    const sales = { totalSales: Number(before['totalSales']) + 5821, lastMonthSales: Number(before['lastMonthSales']) + 5821 };
    const rows = { totalProducts: 1, totalSubscribers: expect.any(Number), contactMessages: expect.any(Number) };
    is(await admin.get('/api/admin/stats'), 200, { ...orders, ...rows, ...sales });
  });

  test('PUT order/:id/status', async () => {
    const id = await placedIn(newcomer());
    is(await admin.move(id, 'confirmed', 'Packed'), 200, moved({ status: 'confirmed', note: 'Packed' }));
    const stale = await admin.move(id, 'confirmed');
    const current = moved({ status: 'confirmed', note: 'Packed' });
    const changedBy = { kind: 'admin', name: TEXT, at: INSTANT };
    is(stale, 409, { message: expect.stringMatching(/confirmed.*confirmed/), code: 'illegal_transition', current, changedBy });
    isNo(await admin.move(id, 'paid'), 400, TEXT, { status: TEXT });
    isNo(await admin.move('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4', 'confirmed'), 404, 'Order not found');
  });

  test('PUT order/:id/refund and cash', async () => {
    const paid = await paidOrder(shop);
    const refund = (amount: number) => put(admin, `/api/admin/order/${paid.id}/refund`, { amount, reason: 'A broken bottle' });
    const { status, body } = await refund(33);
    expect([status, (body as OrderView).payment]).toStrictEqual([
      200,
      {
        status: 'refunding',
        amount: 11_033,
        method: 'upi',
        paidAt: INSTANT,
        refunded: 0,
        refunds: [{ _id: TEXT, amount: 33, reason: 'A broken bottle', status: 'requested', at: INSTANT }],
      },
    ]);
    isNo(await refund(11_001), 409, 'More than was paid');
    isNo(await refund(0), 400, TEXT, { amount: TEXT });
    isNo(await put(admin, '/api/admin/order/nothing/refund', { amount: 1, reason: 'x' }), 404, 'Order not found');

    const byDesk = await deliveredOrder(shop);
    const cash = await put(admin, `/api/admin/order/${byDesk.id}/cash`, { amount: 11_033 });
    const collected = { status: 'collected', amount: 11_033, method: 'cash', paidAt: INSTANT, refunded: 0, refunds: [] };
    expect([cash.status, (cash.body as OrderView).payment]).toStrictEqual([200, collected]);
    isNo(await put(admin, `/api/admin/order/${paid.id}/cash`, { amount: 1 }), 409, TEXT);
  });

  test.each([
    ['GET', '/api/admin/stats'],
    ['GET', '/api/admin/orders'],
    ['PUT', '/api/admin/order/0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4/status'],
    ['PUT', '/api/admin/order/0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4/refund'],
    ['PUT', '/api/admin/order/0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4/cash'],
    ['POST', '/api/admin/remittances'],
    ['PUT', '/api/admin/stock/oud-royal'],
    ['GET', '/api/admin/stock'],
    ['POST', '/api/admin/stock/import'],
    ['GET', '/api/admin/stock/oud-royal'],
    ['GET', '/api/admin/payments'],
    ['GET', '/api/admin/payments.csv'],
    ['GET', '/api/admin/invoices'],
    ['GET', '/api/admin/invoices.csv'],
    ['GET', '/api/admin/invoices/summary'],
    ['GET', '/api/subscribe'],
    ['GET', '/api/contact'],
    ['POST', '/api/product'],
    ['PUT', '/api/product/oud-royal'],
    ['DELETE', '/api/product/oud-royal'],
    ['GET', '/api/product/oud-royal/prices'],
  ])('%s %s is for admins', async (method, path) => {
    const sent = method === 'POST' || method === 'PUT' ? { body: { isAdmin: true } } : {};
    for (const each of [path, `${path}/`, path.replace('/api/', '/api//'), path.toUpperCase().replace('/API', '/api')]) {
      const statuses = [
        await newcomer().send(method, each, sent),
        await user.send(method, each, sent),
        await auditor.send(method, each, sent),
      ];
      expect(statuses.map(({ status }) => (status === 404 ? 'nothing' : status))).toSatisfy(
        (seen: unknown[]) => seen.join() === '401,403,403' || (each !== path && /^nothing,nothing,(nothing|403)$/.test(seen.join())),
      );
    }
  });
});

describe('/audit', () => {
  test('GET events: pages of the log, for auditors and admins', async () => {
    const event = {
      position: POSITION,
      stream: expect.stringMatching(/^product-/),
      revision: expect.any(Number),
      type: TEXT,
      data: expect.any(Object),
      metadata: expect.objectContaining({ actor: { kind: 'admin', id: UUID }, eventId: TEXT, commandId: TEXT, hash: TEXT, version: 1 }),
      recordedAt: INSTANT,
    };
    is(await auditor.get('/api/audit/events?category=product&limit=1'), 200, { events: [event], next: POSITION });
    expect((await admin.get('/api/audit/events?limit=1')).status).toBe(200);
  });

  const metadata = expect.objectContaining({ actor: { kind: 'visitor', id: UUID }, eventId: TEXT, hash: TEXT, recordedAt: INSTANT });

  test('GET orders, orders/:id, orders/:id/verify, orders/:id/explain', async () => {
    const at = newcomer();
    const id = await placedIn(at);
    await shop.progress.waitFor('orders-desk', await shop.store.head(['order']), 30_000);
    const found = { _id: id, orderNumber: NUMBER, status: 'pending', placedAt: INSTANT, total: 5821, email: home.email };
    is(await auditor.get(`/api/audit/orders?q=${id}`), 200, { orders: [found], hasMore: false });
    const stream = `order-${id}`;
    const event = { position: POSITION, stream, metadata, recordedAt: INSTANT, data: expect.any(Object) };
    const mail = { createdAt: INSTANT, sentAt: null, messageId: TEXT, mailbox: null };
    const shown = await auditor.get(`/api/audit/orders/${id}`);
    is({ ...shown, body: { ...Object(shown.body), mails: [mail] } }, 200, {
      stream,
      events: ['OrderCreated', 'OrderPlaced'].map((type, revision) => ({ ...event, type, revision })),
      states: [draft, moved()],
      count: 2,
      next: null,
      cart: expect.stringMatching(/^cart-/),
      mails: [mail],
      people: {},
    });
    const intact = { stream, chain: 'intact', events: 2, savedHeads: 0, unlawful: [], readModel: 'matches', differences: [] };
    is(await auditor.get(`/api/audit/orders/${id}/verify`), 200, { ...intact, compared: expect.any(Number) });
    is(await auditor.get(`/api/audit/orders/${id}/explain`), 200, (await at.get(`/api/order/${id}/explain`)).body);
    for (const path of ['', '/verify', '/explain']) isNo(await auditor.get(`/api/audit/orders/nothing${path}`), 404, TEXT);
  });

  test('GET security', async () => {
    const event = {
      _id: POSITION,
      at: INSTANT,
      kind: 'signed_in',
      subject: TEXT,
      address: TEXT,
      requestId: TEXT,
      detail: expect.any(Object),
    };
    is(await auditor.get('/api/audit/security?kind=signed_in&limit=1'), 200, { events: [event], nextCursor: TEXT });
  });

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
      account: { id, name: 'Zoya', email: zoya.email, phone: zoya.phone, createdAt: INSTANT, verifiedAt: INSTANT, identities: [] },
      sessions: [{ begunAt: INSTANT, lastSeenAt: INSTANT }],
      newsletter: null,
      carts: [{ shopper: id, events: [] }],
      orders: [],
      invoices: [],
      restockNotices: [],
      contactMessages: [],
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

describe('every call', () => {
  test('that is not JSON or from another site is refused', async () => {
    isNo(await user.post('/api/contact', 'name=x', { headers: { 'content-type': 'text/plain' } }), 415, TEXT);
    isNo(await user.post('/api/contact', {}, { headers: { 'sec-fetch-site': 'cross-site' } }), 403, TEXT);
  });
});
