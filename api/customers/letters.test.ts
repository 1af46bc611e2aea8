import { describe, expect, test, vi } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { nameTable } from '#projections/engine/table-set.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';

import type { Browser } from '../accounts/testing/browser.ts';
import { logIn } from '../accounts/testing/people.ts';
import { change } from '../cart/testing/shopping.ts';
import {
  findDifferences,
  findTablesWith,
  join,
  listTexts,
  mailsTo,
  personCalled,
  withHistory,
  type Person,
} from '../erasure/testing/person.ts';
import { admin, ordering, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { catchUp, openShopForFile, openShopForTest } from '../testing/test-shop.ts';

type Exported = {
  exportedAt: string;
  account: object | null;
  newsletter: object | null;
  orders: OrderView[];
  contactMessages: { message: string }[];
  restockNotices: object[];
  securityEvents: { kind: string; address: string | null; detail: object }[];
};

const shop = await openShopForFile({ people: { admin }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);
const staffId = (await shop.pool.query<{ id: string }>(`select id from shop.users where 'owner' = any (roles)`)).rows[0]?.id ?? '';

const REASON = 'Asked by letter of 3 November';
const ask = (call: 'export' | 'erase', id: string, body: unknown = { reason: REASON }, at: Browser = desk) =>
  at.post(`/api/admin/customers/${id}/${call}`, body);
const show = (id: string) => desk.get(`/api/admin/customers/${id}`);
const search = async (text: string) => {
  await catchUp(shop);
  return ((await desk.get(`/api/admin/customers?q=${encodeURIComponent(text)}`)).body as { customers: { _id: string }[] }).customers;
};
const buy = (at: OrderingBrowser, who: Person): Promise<OrderView> => at.buy({ shipping: { ...who.shipping, email: who.email } });
const write = (who: Person, message: string) =>
  ordering(shop).post('/api/contact', { name: who.name, email: who.email, phone: who.phone, message });
const ship = async ({ _id }: OrderView) => {
  for (const status of ['confirmed', 'shipped']) expect((await desk.move(_id, status)).status).toBe(200);
};
/** Returns the names of these orders' customers in the read model. */
const customersOf = async (...ids: readonly string[]) => {
  const table = nameTable(ordersDesk, 'orders_desk');
  return (await shop.pool.query(`select distinct customer from ${table} where order_id = any ($1)`, [ids])).rows;
};
const securityLog = async (kind: string, subject: string) =>
  (await shop.pool.query('select detail, address from shop.security_log where kind = $1 and subject = $2 order by id', [kind, subject]))
    .rows;
const shopperOf = async ({ _id }: OrderView): Promise<string> => Object((await shop.store.read(`order-${_id}`)).events[0]?.data).shopper;

describe.each(['export', 'erase'] as const)('a request to %s', (call) => {
  test.each([
    ['without a reason', {}, 'Required'],
    ['with a blank reason', { reason: ' \n ' }, 'Required'],
    ['with a reason of 501 characters', { reason: 'x'.repeat(501) }, 'Please use at most 500 characters'],
    ['with another reason than a text', { reason: 7 }, 'Must be text'],
  ])('%s is refused, and changes nothing', async (_, body, message) => {
    const at = ordering(shop);
    const { _id } = await buy(at, personCalled('Maha'));
    expect(await ask(call, _id, body)).toMatchObject({ status: 400, body: { errors: { reason: message } } });
    expect((await at.order(_id)).order).toMatchObject({ status: 'pending', shippingAddress: { name: 'Maha Quraishi' } });
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'nonsense'])('for the unknown customer %s is not found', async (id) =>
    expect(await ask(call, id)).toMatchObject({ status: 404, body: { message: 'Customer not found' } }),
  );

  test('is refused while an event of an order is parked, which may be theirs', async () => {
    const { _id } = await buy(ordering(shop), personCalled('Talat'));
    await catchUp(shop);
    const parked = [ordersDesk.name, ordersDesk.version];
    await shop.pool.query(
      `insert into read.parked (model, version, slot, stream, position, event_id, error) values ($1, $2, 'live', 'order-parked', 1, '', 'Broken')`,
      parked,
    );
    const hasParked = (expected: boolean) =>
      expect.poll(() => shop.progress.hasParked(ordersDesk.name), { timeout: 10_000 }).toBe(expected);
    await hasParked(true);
    const refused = await ask(call, _id);
    await shop.pool.query(`delete from read.parked where model = $1 and version = $2`, parked);
    await hasParked(false);
    expect(refused.status).toBe(503);
    expect((await ask(call, _id)).status).toBe(200);
  });

  test('about a member of the staff is refused', async () => {
    const user = await join(shop, ordering(shop), personCalled(`Clerk${call}`));
    await shop.pool.query(`update shop.users set roles = '{catalogue}' where id = $1`, [user]);
    for (const id of [user, staffId]) expect(await ask(call, id)).toMatchObject({ status: 409, body: { code: 'is_staff' } });
    expect((await show(user)).status).toBe(200);
    expect(await securityLog(call === 'export' ? 'exported' : 'erasure_asked', `user:${user}`)).toEqual([]);
  });
});

describe('an export by letter', () => {
  test('is the file that the user would get, and its reason stands in the security log', async () => {
    const who = personCalled('Zeenat');
    const { at, user } = await withHistory(shop, who, oudSaffronMajlis);
    const { securityEvents: _, exportedAt: __, ...mine } = (await at.get('/api/user/export')).body as Exported;
    const longest = `${REASON}: ${'x'.repeat(500 - REASON.length - 2)}`;
    const { status, headers, body } = await ask('export', user, { reason: `  ${longest} ` });
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="ruhani-customer-data.json"',
        'cache-control': 'no-store',
      },
    });
    expect(body).toMatchObject(mine);
    expect(Object.keys(body as object)).toEqual(Object.keys((await at.get('/api/user/export')).body as object));
    const logged = { by: 'admin', admin: staffId, reason: longest };
    expect((await securityLog('exported', `user:${user}`)).map(({ detail }) => detail)).toContainEqual(logged);
    expect((await show(user)).body).toMatchObject({
      requests: { letters: [{ kind: 'export', reason: longest, at: expect.any(String), by: expect.any(String) }] },
    });
  });

  test('does not say who of the staff did it, nor from where', async () => {
    const who = personCalled('Yamuna');
    const at = ordering(shop);
    const user = await join(shop, at, who);
    await ask('export', user);
    const { securityEvents } = (await at.get('/api/user/export')).body as Exported;
    expect(securityEvents.filter(({ detail }) => 'reason' in detail)).toMatchObject([
      { kind: 'exported', address: null, detail: { by: 'admin', reason: REASON } },
    ]);
    expect(JSON.stringify(securityEvents)).not.toContain(staffId);
  });

  test('of a guest has what belongs to their address, from all of their browsers, and nothing else of these', async () => {
    const [who, other] = [personCalled('Warisha'), personCalled('Vilayat')];
    const [phone, laptop] = [ordering(shop), ordering(shop)];
    const orders = [await buy(phone, who), await buy(laptop, { ...who, email: who.email.replace('warisha', 'WARISHA') })];
    const theirs = await buy(laptop, other);
    await write(who, 'Is it here?');
    await write(other, 'And mine?');
    for (const { email } of [who, other]) await phone.post('/api/subscribe', { email });
    await phone.post(`/api/product/${oudSaffronMajlis}/notify`, { email: who.email });
    const { status, body } = await ask('export', orders[1]?._id ?? '');
    expect(status).toBe(200);
    const file = body as Exported;
    expect(file).toMatchObject({
      account: null,
      sessions: [],
      addresses: [],
      newsletter: { email: who.email },
      otherNewsletters: [],
      carts: [],
      wishlists: [],
      restockNotices: [{ email: who.email }],
      contactMessages: [{ message: 'Is it here?', answers: [] }],
      reviews: [],
      securityEvents: [{ kind: 'exported', detail: { by: 'admin', reason: REASON } }],
    });
    expect(file.orders.map(({ _id }) => _id)).toEqual(orders.map(({ _id }) => _id).toReversed());
    for (const text of [theirs._id, ...listTexts(other)]) expect(JSON.stringify(file)).not.toContain(text);
    expect((await show(orders[0]?._id ?? '')).body).toMatchObject({ requests: { letters: [{ kind: 'export', reason: REASON }] } });
    expect((await show(theirs._id)).body).toMatchObject({ requests: { letters: [] } });
  });

  test('of a guest whose address an account has leaves what came from it to the account', async () => {
    const who = personCalled('Umrao');
    const user = await join(shop, ordering(shop), who);
    await write(who, 'From the account');
    const { _id } = await buy(ordering(shop), who);
    expect((await ask('export', _id)).body).toMatchObject({ account: null, orders: [{ _id }], contactMessages: [] });
    expect((await ask('export', user)).body).toMatchObject({ orders: [], contactMessages: [{ message: 'From the account' }] });
  });

  test('is not kept for an Idempotency-Key', async () => {
    const { _id } = await buy(ordering(shop), personCalled('Tasneem'));
    for (let time = 0; time < 2; time++) {
      const headers = { 'Idempotency-Key': 'letter' };
      const answer = await desk.send('POST', `/api/admin/customers/${_id}/export`, { body: { reason: REASON }, headers });
      expect(answer).toMatchObject({ status: 200, body: { orders: [{ _id }] } });
    }
    expect((await shop.pool.query('select from shop.kept_answers where answer is not null')).rowCount).toBe(0);
  });
});

describe('an erasure by letter', () => {
  test('of an account leaves nothing readable, and its reason stays in the security log', async () => {
    const who = personCalled('Sabiha');
    const { user, orders, at } = await withHistory(shop, who, oudSaffronMajlis);
    await catchUp(shop);
    expect(await search(who.shipping.email)).toMatchObject([{ _id: user }]);
    expect(await ask('erase', user)).toMatchObject({ status: 200, body: { message: 'The account and its data are erased' } });
    expect(await search(who.shipping.email)).toEqual([]);
    expect(await customersOf(...orders)).toEqual([{ customer: null }]);
    for (const id of [user, orders[0] ?? '']) expect((await show(id)).status).toBe(404);
    expect((await ask('erase', user)).status).toBe(404);
    expect((await at.get('/api/user/account')).status).toBe(401);
    expect((await logIn(ordering(shop), who)).status).toBe(401);
    expect(await findTablesWith(shop.databaseUrl, listTexts(who))).toEqual([]);
    expect((await desk.order(orders[0] ?? '')).order).toMatchObject({ status: 'cancelled', shippingAddress: { name: 'erased' } });
    expect(await securityLog('erasure_asked', `user:${user}`)).toMatchObject([{ detail: { by: 'admin', admin: staffId, reason: REASON } }]);
    expect(await securityLog('erased', `user:${user}`)).toHaveLength(1);
    const { events } = (await desk.get('/api/audit/security?kind=erasure_asked')).body as { events: object[] };
    expect(events[0]).toMatchObject({ kind: 'erasure_asked', detail: { admin: staffId, reason: REASON } });
    await catchUp(shop);
    expect(await findDifferences(shop)).toEqual([]);
  });

  test('of a guest erases them in all of their browsers, with what belongs to their address', async () => {
    const who = personCalled('Rabia');
    const [phone, laptop] = [ordering(shop), ordering(shop)];
    const orders = [await buy(phone, who), await buy(laptop, who)] as const;
    await write(who, `Write to ${who.name}`);
    const { data } = (await desk.get('/api/contact?q=rabia')).body as { data: { _id: string }[] };
    await desk.send('PUT', `/api/contact/${data[0]?._id}`, { body: { answer: `Dear ${who.name}` } });
    await phone.post('/api/subscribe', { email: who.email });
    await phone.post(`/api/product/${oudSaffronMajlis}/notify`, { email: who.email });
    await vi.waitFor(async () => expect(await mailsTo(shop, who.email)).toBeGreaterThan(3), 60_000);
    await catchUp(shop);

    expect(await ask('erase', orders[0]._id)).toMatchObject({
      status: 200,
      body: { message: 'The personal data of this guest are erased' },
    });
    expect(await search(orders[0].orderNumber ?? '')).toEqual([]);
    expect(await customersOf(...orders.map(({ _id }) => _id))).toEqual([{ customer: null }]);
    expect(await findTablesWith(shop.databaseUrl, listTexts(who))).toEqual([]);
    for (const order of orders) {
      expect((await show(order._id)).status).toBe(404);
      expect((await desk.order(order._id)).order).toMatchObject({ status: 'cancelled', shippingAddress: { email: 'erased' } });
      const subject = `visitor:${await shopperOf(order)}`;
      expect(await securityLog('erasure_asked', subject)).toMatchObject([{ detail: { by: 'admin', admin: staffId, reason: REASON } }]);
      expect(await securityLog('erased', subject)).toHaveLength(1);
    }
    for (const at of [phone, laptop]) expect((await at.order(orders[0]._id)).status).toBe(404);
    await catchUp(shop);
    expect(await findDifferences(shop)).toEqual([]);
  });

  test('of a guest who comes back is another one: neither their letters nor the erasure are known any more', async () => {
    const who = personCalled('Qamar');
    const erase = async () => {
      const order = await buy(ordering(shop), who);
      await write(who, 'Hello');
      expect((await ask('export', order._id)).status).toBe(200);
      expect((await show(order._id)).body).toMatchObject({
        sums: { orders: 1 },
        requests: { messages: [{}], letters: [{ kind: 'export' }] },
      });
      expect((await ask('erase', order._id)).status).toBe(200);
      expect(await findTablesWith(shop.databaseUrl, listTexts(who))).toEqual([]);
    };
    await erase();
    await erase();
  });

  test('is refused while a parcel is on its way, and changes nothing', async () => {
    const who = personCalled('Pakeezah');
    const at = ordering(shop);
    const [waiting, shipped] = [await buy(ordering(shop), who), await buy(at, who)];
    await write(who, 'Still here');
    await ship(shipped);
    const member = personCalled('Nargis');
    const user = await join(shop, at, member);
    const theirs = await buy(at, member);
    await ship(theirs);
    await ship(await buy(ordering(shop), who));
    for (const id of [user, waiting._id]) expect(await ask('erase', id)).toMatchObject({ status: 409, body: { code: 'order_is_open' } });
    expect((await desk.order(waiting._id)).order).toMatchObject({ status: 'pending', shippingAddress: { name: who.name } });
    expect((await show(waiting._id)).body).toMatchObject({ requests: { messages: [{ message: 'Still here' }], letters: [] } });
    expect((await at.get('/api/user/account')).status).toBe(200);
  });

  test('leaves a visitor who has an account by now to that account', async () => {
    const who = personCalled('Lubna');
    const [mine, family] = [ordering(shop), ordering(shop)];
    const [first, second] = [await buy(mine, who), await buy(family, who)];
    await catchUp(shop);
    const user = await join(shop, ordering(shop), personCalled('Kiran'));
    // As between the sign-in and the claim of the orders, which nothing may claim later.
    const placed = await shop.store.head(['order']);
    const handled = async () =>
      (await shop.pool.query<{ position: string }>(`select position from shop.reactions where name = 'claim-orders'`)).rows[0]?.position ??
      -1;
    await expect.poll(async () => BigInt(await handled())).toBeGreaterThanOrEqual(placed);
    await shop.pool.query('insert into shop.visitors (visitor_id, user_id, signed_in_at) values ($1, $2, now())', [
      await shopperOf(second),
      user,
    ]);
    expect((await ask('erase', first._id)).status).toBe(200);
    expect((await desk.order(first._id)).order.shippingAddress.name).toBe('erased');
    expect((await desk.order(second._id)).order.shippingAddress.name).toBe(who.name);
    expect(await ask('erase', second._id)).toMatchObject({ status: 409, body: { code: 'has_account' } });
  });

  test('of a guest whose address an account has leaves what came from it to the account', async () => {
    const who = personCalled('Jameela');
    const user = await join(shop, ordering(shop), who);
    await write(who, 'From the account');
    const { _id } = await buy(ordering(shop), who);
    expect((await ask('erase', _id)).status).toBe(200);
    expect((await show(user)).body).toMatchObject({ email: who.email, requests: { messages: [{ message: 'From the account' }] } });
  });
});

test('exports and erasures are limited for each member of the staff', async () => {
  const strict = await openShopForTest({ people: { admin, rateLimitFactor: 1 }, projecting: true });
  await change([strict], oudSaffronMajlis, add());
  const clerk = await signedInAs(strict, admin);
  const order = await buy(ordering(strict), personCalled('Ishrat'));
  for (const status of ['confirmed', 'shipped']) await clerk.move(order._id, status);
  for (const [call, status] of [
    ['export', 200],
    ['erase', 409],
  ] as const) {
    const statuses: number[] = [];
    for (let time = 0; time < 21; time++) statuses.push((await ask(call, order._id, { reason: REASON }, clerk)).status);
    expect(statuses).toEqual([...Array(20).fill(status), 429]);
  }
});
