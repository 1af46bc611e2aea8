import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';

import { mapOrderTexts } from '#domain/order/texts.ts';
import type { OrderView } from '#domain/order/view.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { browser } from '../accounts/testing/browser.ts';
import { logIn, PASSWORD } from '../accounts/testing/people.ts';
import { enterWith, openProvider } from '../accounts/testing/provider.ts';
import { change } from '../cart/testing/shopping.ts';
import { admin, ordering, signedInAs } from '../orders/testing/ordering.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { catchUp, openShopForTest, openTestShop } from '../testing/test-shop.ts';
import { findTablesWith, join, personCalled, listTexts, withHistory } from './testing/person.ts';

type Exported = {
  account: object;
  sessions: object[];
  addresses: object[];
  newsletter: object | null;
  otherNewsletters: object[];
  carts: { shopper: string; events: { type: string }[] }[];
  wishlists: { shopper: string; events: { type: string }[] }[];
  orders: OrderView[];
  invoices: { orderId: string }[];
  restockNotices: object[];
  contactMessages: object[];
  reviews: object[];
  securityEvents: { kind: string }[];
};

const zubaida = personCalled('Zubaida');
const bilal = personCalled('Bilal');
const MINUTE = 60_000;

const provider = await openProvider();
const shop = await openTestShop({ people: { google: provider.config, admin }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const { at, orders } = await withHistory(shop, zubaida, oudSaffronMajlis);
const { orders: theirs } = await withHistory(shop, bilal, oudSaffronMajlis);
afterAll(() => Promise.all([shop.close(), provider.close()]));
afterEach(() => void vi.useRealTimers());

const passTime = (ms: number): void => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe("a user's export", () => {
  test('is one JSON file with all their data', async () => {
    await logIn(browser(shop.url), { email: zubaida.email, password: 'a wrong one' });
    await shop.people.accounts.securityLog.flush();
    const { status, headers, body } = await at.get('/api/user/export');
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="ruhani-my-data.json"',
        'cache-control': 'no-store',
      },
    });
    const mine = body as Exported;
    expect(mine.account).toMatchObject({ name: zubaida.name, email: zubaida.email, phone: zubaida.phone, identities: [] });
    expect(mine.sessions).toHaveLength(1);
    expect(mine.addresses).toMatchObject([{ ...zubaida.shipping, isDefault: true }]);
    expect(mine.newsletter).toMatchObject({ email: zubaida.email, isActive: true });
    expect(mine.restockNotices).toMatchObject([{ productId: oudSaffronMajlis, email: zubaida.email }]);
    expect(mine.orders.map(({ _id }) => _id).toSorted()).toEqual(orders.toSorted());
    expect(mine.orders.find(({ _id }) => _id === orders[1])).toMatchObject({
      status: 'cancelled',
      shippingAddress: zubaida.shipping,
      ...mapOrderTexts(() => `Ask for ${zubaida.name}`),
      giftMessage: `For ${zubaida.name}`,
      history: [{ status: 'created' }, { status: 'pending' }, { status: 'cancelled', note: `${zubaida.name} is away` }],
    });
    // These are her own cart, and her cart as a visitor.
    expect(mine.carts.map(({ events }) => events.map(({ type }) => type))).toEqual([
      expect.arrayContaining(['ItemAdded', 'OrderedItemsTaken']),
      ['ItemAdded', 'OrderedItemsTaken'],
    ]);
    expect(mine.contactMessages).toMatchObject([{ name: zubaida.name, phone: zubaida.phone, answers: [] }]);
    expect(mine.reviews).toEqual([]);
    expect(mine.securityEvents.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['signed_in', 'login_failed']));
    const text = JSON.stringify(body);
    for (const theirs of listTexts(bilal)) expect(text).not.toContain(theirs);
    expect(text).not.toContain('argon2');
  });

  test('has the invoices of their orders, even those as a visitor, with credit notes', async () => {
    const desk = await signedInAs(shop, admin);
    const shipped = async (id = ''): Promise<object> => {
      for (const status of ['confirmed', 'shipped', 'delivered']) await desk.move(id, status);
      return vi.waitFor(
        async () => {
          const { status, body } = await desk.get(`/api/order/${id}/invoice`);
          expect(status).toBe(200);
          return body as object;
        },
        { timeout: 30_000 },
      );
    };
    await shipped(theirs[0]);
    const { order } = await at.create({ shipping: zubaida.shipping, giftWrap: false, giftMessage: '' });
    await at.place(order._id);
    const asVisitor = await shipped(orders[0]);
    await shipped(order._id);
    await at.giveBack(order._id);
    await desk.takeBack(order._id);
    await expect.poll(async () => (await at.get(`/api/order/${order._id}/invoice`)).body).toMatchObject({ creditNotes: [{ lines: [{}] }] });
    const { invoices } = (await at.get('/api/user/export')).body as Exported;
    const credited = (await at.get(`/api/order/${order._id}/invoice`)).body as object;
    expect(invoices.map(({ orderId }) => orderId).toSorted()).toEqual([orders[0], order._id].toSorted());
    expect(invoices).toEqual(expect.arrayContaining([expect.objectContaining(asVisitor), expect.objectContaining(credited)]));
  });

  test('has the devices of sessions, what was sent from the address before, and the address that waits for its code', async () => {
    const person = personCalled('Wandering');
    const wanderer = ordering(shop);
    await join(shop, wanderer, person);
    await wanderer.post('/api/subscribe', { email: person.email });
    await wanderer.post('/api/contact', { name: person.name, email: person.email, phone: '', message: 'From the old address' });
    const { email } = personCalled('Arrived');
    await wanderer.post('/api/user/email', { email, password: PASSWORD });
    expect((await wanderer.post('/api/user/email/confirm', { code: await mailedCode(shop, email) })).status).toBe(200);
    await wanderer.post('/api/subscribe', { email });
    const { email: pendingEmail } = personCalled('Arriving');
    expect(await wanderer.get('/api/user/export')).toMatchObject({ body: { account: { pendingEmail: null } } });
    passTime(MINUTE);
    expect((await wanderer.post('/api/user/email', { email: pendingEmail, password: PASSWORD })).status).toBe(200);
    await mailedCode(shop, pendingEmail);
    const before = (await wanderer.get('/api/user/export')).body as Exported;
    expect(before.account).toMatchObject({ email, formerEmails: [person.email], pendingEmail, secondFactorSince: null });
    expect([before.newsletter, ...before.otherNewsletters]).toMatchObject([{ email }, { email: person.email }]);
    expect(before.sessions).toMatchObject([{ device: 'Unknown device', address: '127.0.0.1' }]);
    expect(before.contactMessages).toMatchObject([{ message: 'From the old address' }]);
    expect((await wanderer.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    expect(await findTablesWith(shop.databaseUrl, [person.email, email, pendingEmail, person.name])).toEqual([]);
    const { rowCount } = await shop.pool.query('select from shop.contact_messages where subject like $1', ['address-%']);
    expect(rowCount).toBe(2);
  });

  test('has what was sent from a former address that somebody has only begun to register, and their erasure erases it', async () => {
    const [person, { email }] = [personCalled('Wandering'), personCalled('Settled')];
    const wanderer = ordering(shop);
    await join(shop, wanderer, person);
    await wanderer.post('/api/contact', { name: person.name, email: person.email, phone: '', message: 'From the old address' });
    await wanderer.post('/api/user/email', { email, password: PASSWORD });
    expect((await wanderer.post('/api/user/email/confirm', { code: await mailedCode(shop, email) })).status).toBe(200);
    const begun = { ...personCalled('Squatter'), email: person.email, confirm_password: PASSWORD };
    expect((await browser(shop.url).post('/api/user/register', begun)).status).toBe(201);
    const { account, contactMessages } = (await wanderer.get('/api/user/export')).body as Exported;
    expect(account).toMatchObject({ email, formerEmails: [person.email] });
    expect(contactMessages).toMatchObject([{ message: 'From the old address' }]);
    const countMessages = async () => (await shop.pool.query('select from shop.contact_messages')).rowCount ?? 0;
    const before = await countMessages();
    expect((await wanderer.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    expect(await countMessages()).toBe(before - 1);
  });

  test('has nothing that another person sent with a former address since, and their erasure leaves it', async () => {
    const [person, { email }] = [personCalled('Drifting'), personCalled('Landed')];
    const drifter = ordering(shop);
    const user = await join(shop, drifter, person);
    const write = (message: string) =>
      browser(shop.url).post('/api/contact', { name: 'Somebody', email: person.email, phone: '', message });
    await write('Sent while it was theirs');
    passTime(MINUTE);
    await drifter.post('/api/user/email', { email, password: PASSWORD });
    expect((await drifter.post('/api/user/email/confirm', { code: await mailedCode(shop, email) })).status).toBe(200);
    passTime(MINUTE);
    await write('Sent by the next holder');
    await browser(shop.url).post('/api/subscribe', { email: person.email });
    await browser(shop.url).post(`/api/product/${oudSaffronMajlis}/notify`, { email: person.email });
    const mine = (await drifter.get('/api/user/export')).body as Exported;
    expect(mine.contactMessages).toMatchObject([{ message: 'Sent while it was theirs' }]);
    expect([mine.newsletter, mine.otherNewsletters, mine.restockNotices]).toEqual([null, [], []]);
    const desk = await signedInAs(shop, admin);
    const { requests } = (await desk.get(`/api/admin/customers/${user}`)).body as { requests: object };
    expect(requests).toMatchObject({ messages: [{ message: 'Sent while it was theirs' }], notices: [] });

    expect((await drifter.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    const { data } = (await desk.get('/api/contact')).body as { data: { message: string }[] };
    const messages = data.map(({ message }) => message);
    expect(messages).toContain('Sent by the next holder');
    expect(messages).not.toContain('Sent while it was theirs');
    const subscribers = (await desk.get('/api/subscribe')).body as { email: string }[];
    expect(subscribers.map((each) => each.email)).toContain(person.email);
  });

  test('needs a sign-in within the last 15 minutes', async () => {
    expect((await browser(shop.url).get('/api/user/export')).status).toBe(401);
    // The tests before this one take real time.
    expect((await logIn(at, zubaida)).status).toBe(200);
    passTime(14 * MINUTE);
    expect((await at.get('/api/user/export')).status).toBe(200);
    passTime(2 * MINUTE);
    expect(await at.get('/api/user/export')).toMatchObject({
      status: 403,
      body: { code: 'sign_in_again', message: expect.stringMatching(/^Please sign in again to download your data/) },
    });
    expect((await logIn(at, zubaida)).status).toBe(200);
    expect((await at.get('/api/user/export')).status).toBe(200);
  });

  test('has their reviews and the answers to their messages, without the names of staff', async () => {
    const desk = await signedInAs(shop, admin);
    const put = (path: string, body: unknown) => desk.send('PUT', path, { body });
    const { body } = await at.post(`/api/product/${oudSaffronMajlis}/reviews`, { rating: 2, text: 'Gone by noon' });
    await put(`/api/admin/reviews/${Object(body)._id}`, { hidden: true, reason: 'A mistake' });
    const { data } = (await desk.get('/api/contact?q=zubaida')).body as { data: { _id: string }[] };
    await put(`/api/contact/${data[0]?._id}`, { answer: 'It is here.' });
    await catchUp(shop);
    const mine = (await at.get('/api/user/export')).body as Exported;
    const hidden = { reason: 'A mistake', at: expect.any(String) };
    expect(mine.reviews).toMatchObject([{ productId: oudSaffronMajlis, name: 'Zubaida', rating: 2, text: 'Gone by noon', hidden }]);
    expect(mine.contactMessages).toMatchObject([{ answers: [{ text: 'It is here.', at: expect.any(String) }] }]);
  });

  test('has their wishes as a visitor and as a user', async () => {
    const wishing = ordering(shop);
    await wishing.send('PUT', `/api/user/wishlist/${oudSaffronMajlis}`);
    const user = await join(shop, wishing, personCalled('Wishing'));
    await wishing.send('DELETE', `/api/user/wishlist/${oudSaffronMajlis}`);
    const { wishlists } = (await wishing.get('/api/user/export')).body as Exported;
    const wished = wishlists.map(({ shopper, events }) => [shopper === user, events.map(({ type }) => type)]);
    expect(wished).toEqual([
      [true, ['WishesMerged', 'WishRemoved']],
      [false, ['WishAdded']],
    ]);
  });

  test('of a member of the staff has what was decided about them, and not which owner did it', async () => {
    const desk = await signedInAs(shop, admin);
    const { _id: owner } = (await desk.get('/api/user/fetch-user')).body as { _id: string };
    const [member, who] = [ordering(shop), personCalled('Employed')];
    const user = await join(shop, member, who);
    expect((await desk.post('/api/admin/staff', { email: who.email, roles: ['orders'] })).status).toBe(201);
    const findToken = async (): Promise<string | undefined> => {
      const mails = (await desk.get('/dev/mailbox/messages')).body as { to: string; text: string }[];
      return mails.flatMap(({ to, text }) => (to === who.email ? (/\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? []) : []))[0];
    };
    await expect.poll(findToken, { timeout: 30_000 }).toBeDefined();
    expect((await member.post('/api/user/invitation', { token: await findToken() })).status).toBe(200);
    expect((await desk.send('PUT', `/api/admin/staff/${user}`, { body: { roles: ['money'] } })).status).toBe(200);
    const { securityEvents } = (await member.get('/api/user/export')).body as Exported;
    expect(securityEvents.filter(({ kind }) => kind.startsWith('staff_'))).toMatchObject([
      { kind: 'staff_roles_changed', detail: { by: 'owner', roles: 'money' } },
      { kind: 'staff_joined', detail: { by: user, roles: 'orders' } },
    ]);
    expect(JSON.stringify(securityEvents)).not.toContain(owner);
  });

  test('is limited to five an hour', async () => {
    const strict = await openShopForTest({ databaseUrl: shop.databaseUrl, people: { rateLimitFactor: 1 } });
    const eager = ordering(strict);
    await join(strict, eager, personCalled('Eager'));
    const statuses = [];
    for (let times = 0; times < 6; times++) statuses.push((await eager.get('/api/user/export')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

test('a user who signs in through a third party and has no password can erase their account shortly after signing in', async () => {
  const gita = browser(shop.url);
  const signIn = () => enterWith(provider, gita, 'gita');
  expect((await signIn()).status).toBe(200);
  passTime(16 * MINUTE);
  expect(await gita.post('/api/user/erase', { password: PASSWORD })).toMatchObject({ status: 403, body: { code: 'sign_in_again' } });
  vi.useRealTimers();
  expect((await signIn()).status).toBe(200);
  expect((await gita.post('/api/user/erase', {})).status).toBe(200);
  const { rows } = await shop.pool.query(`select 1 from shop.identities`);
  expect(rows).toEqual([]);
});
