import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { catalogue } from '#projections/catalogue/projector.ts';
import { messages } from '#projections/messages/message-answers.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { cart, cartStream } from '#domain/cart/cart.ts';
import { START } from '#domain/event-store.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { shopperId } from '#domain/shared/ids.ts';
import type { OrderView } from '#domain/order/view.ts';
import { addItem } from '#domain/testing/carts.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { readModels } from '#projections/read-models.ts';
import { rebuild } from '#projections/engine/rebuild.ts';

import { checkBooks, type CheckLine } from '../audit/books/check-books.ts';
import { browser } from '../accounts/testing/browser.ts';
import { logIn, PASSWORD } from '../accounts/testing/people.ts';
import { Books } from '../audit/books/books.ts';
import { cartEvents, change } from '../cart/testing/shopping.ts';
import { startEventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { streamCategories } from '../event-store/stored-event.ts';
import { admin, auditor, ordering, sameBrowser, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { createSavedHeads } from '../audit/saved-heads.ts';
import { placedBy } from '../orders/testing/placing.ts';
import { catchUp, openShopForFile, openShopForTest, openTestShop } from '../testing/test-shop.ts';
import { findDifferences, findTablesWith, join, listTexts, mailsTo, personCalled, withHistory } from './testing/person.ts';

const signal = new AbortController().signal;

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true, reacting: true });
/** This instance uses the same database and runs no projections. */
const other = await openShopForFile({ databaseUrl: shop.databaseUrl, people: { dataDir: path.join(shop.dataDir, 'other') } });
await change([shop, other], oudSaffronMajlis, add());
const staff = await signedInAs(shop, admin);

const audited = async () => {
  const books = new Books();
  const stored = await shop.store.storedPage(START, 10_000, streamCategories);
  books.take(stored, await shop.store.page(START, 10_000, streamCategories));
  return books.conclude();
};
describe("an account's erasure", () => {
  const zubaida = personCalled('Zubaida');
  const bilal = personCalled('Bilal');
  /** A code for it was mailed, and not given back. */
  const newAddress = 'new-address@example.com';
  let at: OrderingBrowser;
  let orders: string[];
  let bilals: { at: OrderingBrowser; orders: string[] };
  let before: Awaited<ReturnType<typeof audited>>;
  let stats: unknown;
  /** The request is the same however often it is sent. */
  const confirm = async () => {
    const body = { status: 'confirmed', note: `Call ${zubaida.name} first` };
    const headers = { 'Idempotency-Key': 'confirmation' };
    const answer = await staff.send('PUT', `/api/admin/order/${orders[0] ?? ''}/status`, { body, headers });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  beforeAll(async () => {
    ({ at, orders } = await withHistory(shop, zubaida, oudSaffronMajlis));
    bilals = await withHistory(shop, bilal, oudSaffronMajlis);
    expect(JSON.stringify(await confirm())).toContain(zubaida.shipping.address1);
    for (const status of ['shipped', 'delivered']) expect((await staff.move(orders[0] ?? '', status)).status).toBe(200);
    const review = { rating: 4, text: `${zubaida.name} wears it` };
    const { body } = await at.post(`/api/product/${oudSaffronMajlis}/reviews`, review);
    const put = (path: string, body: unknown) => staff.send('PUT', path, { body });
    expect((await put(`/api/admin/reviews/${Object(body)._id}`, { hidden: true, reason: `Names ${zubaida.name}` })).status).toBe(200);
    const { data } = (await staff.get('/api/contact?q=zubaida')).body as { data: { _id: string }[] };
    expect((await put(`/api/contact/${data[0]?._id}`, { answer: `Dear ${zubaida.name}` })).status).toBe(200);
    const asked = { reason: `${zubaida.name} has two`, opened: false };
    expect((await at.send('PUT', `/api/order/return/${orders[0]}`, { body: asked })).status).toBe(200);
    expect((await put(`/api/admin/return/${orders[0]}`, { decision: 'accepted', note: `Dear ${zubaida.name}` })).status).toBe(200);
    expect((await at.post('/api/user/email', { email: newAddress, password: PASSWORD })).status).toBe(200);
    for (const [address, count] of [
      [zubaida.email, 2],
      [newAddress, 1],
    ] as const)
      await vi.waitFor(async () => expect(await mailsTo(shop, address)).toBeGreaterThanOrEqual(count), 60_000);
    // The other process has decrypted and cached the order too.
    expect((await sameBrowser(at, other).order(orders[0] ?? '')).order.shippingAddress.name).toBe(zubaida.name);
    // The invoice is the last event that follows.
    await vi.waitFor(async () => expect((await at.get(`/api/order/${orders[0]}/invoice`)).status).toBe(200), 60_000);
    await catchUp(shop);
    expect(await findTablesWith(shop.databaseUrl, listTexts(zubaida))).toEqual(
      expect.arrayContaining([
        nameTable(myOrders, 'my_orders'),
        nameTable(ordersDesk, 'orders_desk'),
        nameTable(catalogue, 'reviews'),
        nameTable(messages, 'message_answers'),
        'shop.caught_mail',
      ]),
    );
    before = await audited();
    stats = (await staff.get('/api/admin/stats')).body;
  });

  test('has nothing to remove that can be read in accounts, subscribers, messages and notices, which staff can read', async () => {
    const texts = [...listTexts(zubaida), `Write to ${zubaida.name}, 17 at home`];
    expect((await findTablesWith(shop.databaseUrl, texts)).filter((table) => table.startsWith('shop.'))).toEqual(['shop.caught_mail']);
    for (const table of ['users', 'subscribers', 'contact_messages', 'restock_notices', 'addresses'])
      expect((await shop.pool.query(`select from shop.${table}`)).rowCount).toBeGreaterThan(1);
    const { name, email, phone } = zubaida;
    expect((await staff.get('/api/subscribe')).body).toContainEqual(expect.objectContaining({ email, isActive: true }));
    expect((await staff.get('/api/contact')).body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ name, email, phone })]),
    });
  });

  test('requires the password, and does nothing with a wrong one', async () => {
    expect(await at.post('/api/user/erase', { password: 'a guess' })).toMatchObject({ status: 403, body: { code: 'wrong_password' } });
    expect(await at.post('/api/user/erase', {})).toMatchObject({ status: 400, body: { errors: { password: 'Required' } } });
    expect(await browser(shop.url).post('/api/user/erase', { password: PASSWORD })).toMatchObject({ status: 401 });
    expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ email: zubaida.email });
    expect((await at.order(orders[0] ?? '')).order.shippingAddress).toEqual(zubaida.shipping);
  });

  test('removes the user from every table, log and mailbox, in every process', async () => {
    const there = sameBrowser(at, other);
    expect(await at.post('/api/user/erase', { password: PASSWORD })).toMatchObject({ status: 200, body: { message: /erased/ } });
    expect(await findTablesWith(shop.databaseUrl, listTexts(zubaida))).toEqual([]);
    expect((await shop.pool.query('select from shop.addresses')).rowCount).toBe(1);
    for (const address of [zubaida.email, zubaida.shipping.email, newAddress]) expect(await mailsTo(shop, address)).toBe(0);
    const log = JSON.stringify((await shop.store.page(START, 10_000, ['order', 'cart'])).map(({ data, metadata }) => ({ data, metadata })));
    for (const text of listTexts(zubaida)) expect(log).not.toContain(text);

    const confirmed = JSON.stringify(await confirm());
    for (const text of listTexts(zubaida)) expect(confirmed).not.toContain(text);
    await expect.poll(async () => (await there.get('/api/user/fetch-user')).status).toBe(401);
    expect((await logIn(browser(shop.url), zubaida)).status).toBe(401);
    const list = await readFile(path.join(shop.dataDir, 'erasures.ndjson'), 'utf8');
    for (const text of listTexts(zubaida)) expect(list).not.toContain(text);
    await expect.poll(() => readFile(path.join(shop.dataDir, 'other', 'erasures.ndjson'), 'utf8').catch(() => '')).toBe(list);
  });

  test('keeps orders, figures and hash chains, without name and address', async () => {
    const { body } = await staff.get('/api/admin/orders');
    const theirs = (body as { orders: OrderView[] }).orders.find(({ _id }) => _id === orders[0]);
    expect(theirs).toMatchObject({
      status: 'delivered',
      shippingAddress: { name: 'erased', email: 'erased', address1: 'erased' },
      ...mapOrderTexts(() => 'erased'),
      history: [{ status: 'created' }, { status: 'pending' }, { status: 'confirmed', note: 'erased' }, {}, {}],
    });
    expect(theirs?.total).toBeGreaterThan(0);
    expect(await audited()).toEqual(before);
    expect((await staff.get('/api/admin/stats')).body).toEqual({ ...Object(stats), totalSubscribers: 1, contactMessages: 1 });
  });

  test('keeps read models equal to a rebuild, and a rebuild does not bring the user back', async () => {
    await catchUp(shop);
    expect(await findDifferences(shop)).toEqual([]);
    for (const model of readModels) await rebuild(model, shop.store, shop.read, { signal });
    expect(await findTablesWith(shop.databaseUrl, listTexts(zubaida))).toEqual([]);
  });

  test('keeps the rating, which staff can still show and hide', async () => {
    const [{ _id }] = ((await staff.get('/api/admin/reviews')).body as { reviews: [{ _id: string }] }).reviews;
    const put = (body: object) => staff.send('PUT', `/api/admin/reviews/${_id}`, { body });
    const erased = { name: 'erased', text: '', rating: 4 };
    expect(await put({ hidden: false })).toMatchObject({ status: 200, body: { ...erased, hidden: false } });
    expect((await staff.get(`/api/product/${oudSaffronMajlis}/reviews`)).body).toMatchObject({ reviews: [erased], count: 413 });
    expect(await put({ hidden: true, reason: 'Still' })).toMatchObject({ status: 200, body: { ...erased, hidden: true, reason: '' } });
  });

  test('keeps a return that staff can still receive', async () => {
    const there = sameBrowser(staff, other);
    const received = await there.send('PUT', `/api/admin/return/${orders[0]}`, { body: { received: true, restock: true } });
    expect(received).toMatchObject({ status: 200, body: { status: 'returned', shippingAddress: { name: 'erased' } } });
    await catchUp(shop);
    expect(await findTablesWith(shop.databaseUrl, listTexts(zubaida))).toEqual([]);
  });

  test('erases no data of other people', async () => {
    expect((await bilals.at.get('/api/user/fetch-user')).body).toMatchObject({ name: bilal.name });
    expect((await bilals.at.order(bilals.orders[0] ?? '')).order.shippingAddress).toEqual(bilal.shipping);
    expect(await mailsTo(shop, bilal.shipping.email)).toBe(3);
    expect((await bilals.at.cart()).cart.items).toHaveLength(1);
  });

  test('lets the same person register again as a new user without history', async () => {
    const back = ordering(shop);
    await join(shop, back, zubaida);
    expect((await back.get('/api/order/get-AllOrders')).body).toEqual({ orders: [] });
    expect((await back.cart()).cart.items).toEqual([]);
    const { name, email, phone } = zubaida;
    expect((await back.post('/api/subscribe', { email })).status).toBe(201);
    expect((await back.post('/api/contact', { name, email, phone, message: 'I am back' })).status).toBe(201);
    expect((await back.post(`/api/product/${oudSaffronMajlis}/notify`, { email })).status).toBe(202);
    expect((await staff.get('/api/subscribe')).body).toContainEqual(expect.objectContaining({ email, isActive: true }));
    expect((await staff.get('/api/contact')).body).toMatchObject({ data: [{ name, email, message: 'I am back' }, {}] });
    // A second erasure finds what the person sent since the first.
    expect((await back.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    expect(JSON.stringify((await staff.get('/api/subscribe')).body)).not.toContain(email);
    expect((await staff.get('/api/contact')).body).toMatchObject({ data: [{ name: bilal.name }] });
    const { rows } = await shop.pool.query<{ left: number }>(
      `select (select count(*) from shop.restock_notices) + (select count(*) from shop.subscribers) as left`,
    );
    expect(rows.map(({ left }) => Number(left))).toEqual([2]);
  });
});

test('the erasure of a user with a long cart reprojects their orders, and no order that never existed', async () => {
  const at = ordering(shop);
  const user = await join(shop, at, personCalled('Parveen'));
  const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'user', id: user } }) as const;
  for (let turn = 0; turn < 40; turn++) await shop.execute(cart, cartStream(user), addItem(), metadata());
  const { order } = await at.create();
  await catchUp(shop);
  const epochsOf = `select epoch from read.checkpoints where model in ('my-orders', 'orders-desk') and slot = 'live' order by model, version`;
  const epochs = async () => (await shop.pool.query<{ epoch: number }>(epochsOf)).rows.map(({ epoch }) => Number(epoch));
  const before = await epochs();
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  // The queue raises the epoch by one, and the order and its payment by one each.
  expect(await epochs()).toEqual(before.map((epoch) => epoch + 3));
  expect((await staff.order(order._id)).status).toBe(200);
});

test('the last owner cannot erase themselves, and nothing changes', async () => {
  expect(await staff.post('/api/user/erase', { password: admin.password })).toMatchObject({
    status: 409,
    body: { code: 'last_owner' },
  });
  expect((await staff.get('/api/user/fetch-user')).status).toBe(200);
});

test('attempts to guess the password are limited', async () => {
  const strict = await openShopForTest({ databaseUrl: shop.databaseUrl, people: { rateLimitFactor: 1 } });
  const at = ordering(strict);
  await join(strict, at, personCalled('Guessed'));
  const answers = [];
  for (let tries = 0; tries < 11; tries++) answers.push((await at.post('/api/user/erase', { password: `no ${tries}` })).status);
  expect(answers).toEqual([...Array<number>(10).fill(403), 429]);
});

test('the mail about a refund is deleted even if its address differs from that of the account', async () => {
  const who = personCalled('Wafa');
  const at = ordering(shop);
  await join(shop, at, who);
  const { _id: id } = await at.buy({ shipping: who.shipping }, 'Prepaid');
  await shop.payments.testGateway?.pay(await at.payLink(id));
  await at.cancel(id);
  // The four mails say that the order was placed, paid, cancelled and refunded.
  await expect.poll(() => mailsTo(shop, who.shipping.email)).toBe(4);
  expect((await at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  await expect.poll(() => mailsTo(shop, who.shipping.email)).toBe(0);
});

test('a visitor whose sign-in was interrupted belongs to the user as whom they signed in then', async () => {
  const [first, second] = [personCalled('Interrupted'), personCalled('Continued')];
  const [firstAt, at] = [ordering(shop), ordering(shop)];
  const user = await join(shop, firstAt, first);
  await join(shop, ordering(shop), second);
  const before = await shop.store.head(['cart']);
  const { _id: order } = await at.buy({ shipping: second.shipping });
  await at.add({ _id: oudSaffronMajlis });
  const [added] = await cartEvents(shop, before);
  const visitor = cartStream((added ?? expect.fail('no cart')).stream.slice('cart-'.length));
  const closing = { type: 'CloseCart', into: shopperId(user), now: shop.now() } as const;
  await shop.execute(cart, visitor, closing, {
    commandId: randomUUID(),
    correlationId: 'r',
    causationId: 'r',
    actor: { kind: 'user', id: user },
  });
  expect((await logIn(at, second)).status).toBe(200);
  const { events } = await shop.store.read(cartStream(user));
  expect(events.map(({ type }) => type)).toContain('CartsMerged');

  const exported = await firstAt.get('/api/user/export');
  expect([exported.status, JSON.stringify(exported.body).includes(second.name)]).toEqual([200, false]);
  expect((await firstAt.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  expect((await at.order(order)).order).toMatchObject({ status: 'pending', shippingAddress: { name: second.name } });
});

test('an order and a payment cut in the event store prevent no check of the books, no restart, no erasure', async () => {
  const server = await startEventStoreDbDouble();
  const open = (databaseUrl?: string) =>
    openTestShop({ eventStoreUrl: server.connectionString, databaseUrl, projecting: true, reacting: true });
  const before = await open();
  await change([before], oudSaffronMajlis, add());
  const who = personCalled('Zubaida');
  const at = ordering(before);
  await join(before, at, who);
  const order = await at.buy({ shipping: who.shipping }, 'Prepaid');
  await at.payLink(order._id);
  await catchUp(before);
  const cut = ['order', 'payment'].map((category) => `${category}-${order._id}`);
  for (const stream of cut) server.truncate(`${new URL(before.databaseUrl).pathname.slice(1).replaceAll('_', '-')}-${stream}`, 100);

  let last: CheckLine | undefined;
  const savedHeads = createSavedHeads(before.db, () => new Date(before.now()));
  for await (const line of checkBooks({ ...before, savedHeads }, signal)) last = line;
  expect(last).toMatchObject({ done: true, findings: expect.arrayContaining(cut.map((stream) => expect.objectContaining({ stream }))) });
  await before.close();

  const after = await open(before.databaseUrl);
  const { position } = await placedBy(after, 'ravi');
  expect(await after.progress.waitFor('my-orders', position, 60_000)).toBe('fresh');
  const there = sameBrowser(at, after);
  expect((await there.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
  const { rows } = await after.pool.query(`select from ${nameTable(myOrders, 'my_orders')} where order_id::text = $1`, [order._id]);
  expect(rows).toEqual([]);
  await after.close();
  await (await open(before.databaseUrl)).close();
  server.close();
});
