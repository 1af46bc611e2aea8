import { describe, expect, test } from 'vitest';

import { home } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { browser, getCookieHeader, type Answer, type Browser } from '../accounts/testing/browser.ts';
import { hashOf } from '../accounts/testing/people.ts';
import { change } from '../cart/testing/shopping.ts';
import { listenTo } from '../testing/server-sent-events.ts';
import { catchUp, openShopForFile } from '../testing/test-shop.ts';
import { createOrderLinks } from './order-links.ts';
import { admin, auditor, orderEvents, ordering, signedInAs, signedUp, type OrderingBrowser } from './testing/ordering.ts';

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true, reacting: true });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
await change([shop], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);

const LINK = /http:\/\/localhost\/order\/([\w-]{48})/;
type Mail = { readonly to: string; readonly subject: string; readonly text: string };
const mailsTo = async (email: string): Promise<readonly Mail[]> =>
  ((await browser(shop.url).get('/dev/mailbox/messages')).body as Mail[]).filter(({ to }) => to === email);
const tokenIn = (mail: Mail | undefined): string => LINK.exec(mail?.text ?? '')?.[1] ?? '';
/** Waits for the newest mail with this subject, and returns the token of its link. */
const mailedToken = async (email: string, subject = /is placed$/): Promise<string> => {
  const find = async () => tokenIn((await mailsTo(email)).find((mail) => subject.test(mail.subject)));
  await expect.poll(find).not.toBe('');
  return find();
};

let people = 0;
/** A guest places an order; each guest has their own address. */
const ordered = async (method: 'COD' | 'Prepaid' = 'COD') => {
  const email = `guest-${++people}@example.com`;
  const at = ordering(shop);
  const order = await at.buy({ shipping: { ...home, email } }, method);
  return { at, email, order, id: order._id, token: await mailedToken(email) };
};
const open = (at: Browser, token: unknown) => at.post('/api/order/open', { token });
/** Opens the order in another browser. */
const opened = async (token: string, at: OrderingBrowser = ordering(shop)): Promise<OrderingBrowser> => {
  expect((await open(at, token)).status).toBe(200);
  return at;
};

const MISSING = { status: 404, body: { message: 'Order not found', code: 'order_not_found' } };
const expectMissing = ({ status, body }: Answer) => expect({ status, body }).toEqual(MISSING);

describe('the link in the mails of an order', () => {
  test('opens it in another browser and process, where it is read, cancelled and explained, but is not that browser’s own', async () => {
    const { order, id, token } = await ordered();
    const at = ordering(other);
    const answer = await open(at, token);
    expect(answer).toMatchObject({ status: 200, body: { _id: id, orderNumber: order.orderNumber, byLink: true } });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await at.order(id)).toMatchObject({ status: 200, order: { _id: id } });
    expect((await at.get(`/api/order/${id}/explain`)).status).toBe(200);
    expect(await at.get(`/api/order/${id}/invoice`)).toMatchObject({ status: 404, body: { message: 'No invoice yet' } });
    expect(await at.cancel(id, { reason: 'Ordered twice' })).toMatchObject({ status: 200, order: { status: 'cancelled' } });
    const cancelled = (await orderEvents(shop)).find(({ type, stream }) => type === 'OrderCancelled' && stream.endsWith(id));
    expect(cancelled?.metadata.actor).toMatchObject({ kind: 'visitor' });
    // The shopper of the order may erase all of theirs, a link may not.
    expectMissing(await at.post(`/api/order/erase/${id}`, {}));
  });

  test('lets the other browser pay, and follow the order while it moves', async () => {
    const { id, token } = await ordered('Prepaid');
    const at = await opened(token);
    const page = await listenTo(`${shop.url}/api/order/${id}/live`, getCookieHeader(at));
    await page.hears('"status":"due"');
    const link = await at.payLink(id);
    await at.post(`/dev/payments/${link}/pay`, {});
    expect(await at.post(`/api/order/check-payment/${id}`, {})).toMatchObject({ status: 200, body: { payment: { status: 'paid' } } });
    await page.hears('"status":"paid"');
    await page.cancel();
  });

  test('lets it return what was delivered, and see the invoice', async () => {
    const { id, token } = await ordered();
    for (const status of ['confirmed', 'shipped', 'delivered']) await desk.move(id, status);
    const at = await opened(token);
    expect(await at.giveBack(id)).toMatchObject({ status: 200, order: { return: { status: 'requested' } } });
    await expect.poll(async () => (await at.get(`/api/order/${id}/invoice`)).status).toBe(200);
  });

  test('does not put it into My Orders of an account, and stays with the browser at sign-in until it signs out', async () => {
    const { id, token } = await ordered();
    const alice = await opened(token, await signedUp(shop, 'alice@example.com'));
    await catchUp(shop);
    expect((await alice.get('/api/order/get-AllOrders')).body).toEqual({ orders: [] });

    const at = await opened(token);
    const bob = { email: 'bob@example.com', password: 'rose water at dusk' };
    await signedUp(shop, bob.email);
    expect((await at.post('/api/user/login', bob)).status).toBe(200);
    expect((await at.order(id)).status).toBe(200);
    const cookies = new Map(at.cookies);
    await at.post('/api/user/logout', {});
    expectMissing(await at.order(id));
    for (const [name, value] of cookies) at.cookies.set(name, value);
    await expect.poll(async () => (await at.order(id)).status).toBe(404);
  });

  test('does not stay with a browser in which another account signs in over the first', async () => {
    const { id, token } = await ordered();
    const [first, second] = ['first@example.com', 'second@example.com'].map((email) => ({ email, password: 'rose water at dusk' }));
    if (!first || !second) return expect.fail('nobody');
    await signedUp(shop, second.email);
    const at = await opened(token, await signedUp(shop, first.email));
    await at.post('/api/user/login', first);
    expect((await at.order(id)).status).toBe(200);
    await at.post('/api/user/login', second);
    expectMissing(await at.order(id));
  });

  test('opens no other order, and nothing in a browser that has not used it', async () => {
    const [one, two] = [await ordered(), await ordered()];
    const at = await opened(one.token);
    for (const answer of [await at.order(two.id), await at.cancel(two.id), await at.giveBack(two.id)]) expectMissing(answer);
    for (const call of ['pay', 'check-payment']) expectMissing(await at.post(`/api/order/${call}/${two.id}`, {}));
    expectMissing(await ordering(shop).order(one.id));
    expectMissing(await (await signedUp(shop, 'carol@example.com')).order(one.id));
  });

  test('is refused alike with a letter changed, of another order, or without meaning, and makes no session then', async () => {
    const [one, two] = [await ordered(), await ordered()];
    const swap = (letter: string | undefined) => (letter === 'A' ? 'B' : 'A');
    const changed = [0, 21, 24, 40, 47].map((place) => one.token.slice(0, place) + swap(one.token[place]) + one.token.slice(place + 1));
    const mixed = [two.token.slice(0, 21) + one.token.slice(21), one.token.slice(0, 27) + two.token.slice(27)];
    const at = ordering(shop);
    for (const token of [...changed, ...mixed, '', 'x', `${one.token}A`, `${one.token}=`, one.id, 'é'.repeat(48)])
      expectMissing(await open(at, token));
    expect(at.setCookies).toEqual([]);
    expect(await open(at, 7)).toMatchObject({ status: 400, body: { errors: { token: expect.any(String) } } });
  });

  test('is good for 180 days, and so is what it opened', async () => {
    const { order, id } = await ordered();
    let now = new Date();
    const links = createOrderLinks({ key: Buffer.alloc(32, 1), publicUrl: '', db: shop.db, now: () => now });
    const addressed = { shippingAddress: order.shippingAddress } as unknown as Parameters<typeof links.to>[0];
    const link = links.read(links.to({ ...addressed, id }).slice('/order/'.length));
    if (!link) throw new Error('It names an order');
    const { token_hash } = await shop.db.selectFrom('sessions').select('token_hash').executeTakeFirstOrThrow();
    const session = token_hash.toString('hex');
    await links.open(session, link);
    const isGood = async () => [links.isGenuine(link, addressed), await links.isOpen(session, id, addressed)];
    now = new Date(now.getTime() + 180 * 86_400_000 - 2_000);
    expect(await isGood()).toEqual([true, true]);
    now = new Date(now.getTime() + 3_000);
    expect(await isGood()).toEqual([false, false]);
  });

  test('ends with the correction of the address, as does what it opened; the next mail has another', async () => {
    const { id, token } = await ordered();
    const at = await opened(token);
    const right = `right-${id}@example.com`;
    await desk.send('PUT', `/api/admin/order/${id}/email`, { body: { email: right, reason: 'She called' } });
    expectMissing(await at.order(id));
    expectMissing(await open(ordering(shop), token));
    await desk.move(id, 'confirmed');
    await opened(await mailedToken(right, /is confirmed$/));
  });

  test('ends with the erasure of the shopper, as do what it opened and the answers that were kept', async () => {
    const { at: guest, id, token } = await ordered();
    const at = await opened(token);
    const keyed = { headers: { 'idempotency-key': 'cancel-by-link' }, body: {} };
    const cancel = () => at.send('PUT', `/api/order/cancel/${id}`, keyed);
    const again = () => at.post('/api/order/open', { token }, { headers: { 'idempotency-key': 'open-by-link' } });
    expect([(await cancel()).status, (await again()).status]).toEqual([200, 200]);
    expect((await guest.post(`/api/order/erase/${id}`, {})).status).toBe(200);
    for (const answer of [await at.order(id), await open(ordering(shop), token), await cancel(), await again()]) expectMissing(answer);
  });

  test('gives staff no more than their rights: an admin cannot pay or cancel, an auditor changes nothing', async () => {
    const { at, id, token } = await ordered('Prepaid');
    // Neither the shopper nor staff reach it by the link.
    for (const each of [at, desk]) {
      const answer = await open(each, token);
      expect(answer).toMatchObject({ status: 200, body: { _id: id } });
      expect(answer.body).not.toHaveProperty('byLink');
    }
    expect(await shop.db.selectFrom('opened_orders').select('until').where('order_id', '=', id).execute()).toEqual([]);
    expect((await desk.post(`/api/order/pay/${id}`, {})).status).toBe(403);
    expectMissing(await desk.cancel(id));
    expect((await open(await signedInAs(shop, auditor), token)).status).toBe(403);
    const email = 'catalogue@example.com';
    const catalogue = await signedUp(shop, email);
    await shop.pool.query(`update shop.users set roles = '{catalogue}' where address_hash = $1`, [await hashOf(shop, email)]);
    expect(await open(catalogue, token)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });
});

describe('finding an order', () => {
  const find = (body: object, from?: string) => browser(shop.url, from).post('/api/order/find', body);

  test('mails the link if number and e-mail belong together, in any spelling, and answers everybody alike', async () => {
    const { email, id, order } = await ordered();
    await catchUp(shop);
    const number = String(order.orderNumber);
    const answers = [
      await find({ orderNumber: ` ${number.toLowerCase()}`, email: email.toUpperCase() }),
      await find({ orderNumber: number, email: 'somebody.else@example.com' }),
      await find({ orderNumber: 'RH-22222222', email }),
    ];
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 202, body: answers[0]?.body });
    const at = await opened(await mailedToken(email, /opens here$/));
    expect((await at.order(id)).status).toBe(200);
    expect((await mailsTo(email)).filter(({ subject }) => subject.endsWith('opens here'))).toHaveLength(1);
    expect(await mailsTo('somebody.else@example.com')).toEqual([]);
    const rows = await shop.db.selectFrom('outbox').select('cause').where('cause', 'like', 'order-link:%').execute();
    expect(rows).toEqual([{ cause: expect.stringContaining(`order-link:${id}:`) }]);
  });

  test('needs a number and an address', async () => {
    const NUMBER = expect.stringContaining('RH-7K3MQ2XA');
    expect(await find({ orderNumber: 'RH-1', email: 'x' })).toMatchObject({
      status: 400,
      body: { errors: { orderNumber: NUMBER, email: expect.any(String) } },
    });
  });
});

test('finding is limited to three an hour for an order, whether it exists or not, and twenty for an address', async () => {
  const strict = await openShopForFile({ people: { rateLimitFactor: 1 }, projecting: true });
  await catchUp(strict);
  const find = async (orderNumber: string, from: string): Promise<number> =>
    (await browser(strict.url, from).post('/api/order/find', { orderNumber, email: 'meera@example.com' })).status;
  const statuses = [];
  for (let time = 0; time < 4; time++) statuses.push(await find('RH-22222222', `127.0.8.${time}`));
  expect(statuses).toEqual([202, 202, 202, 429]);
  const letters = 'ABCDEFGHJKMNPQRSTUVWX';
  const many = [];
  for (const letter of letters) many.push(await find(`RH-2222222${letter}`, '127.0.8.9'));
  expect(many).toEqual([...Array.from({ length: 20 }, () => 202), 429]);
});
