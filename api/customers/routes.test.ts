import { beforeAll, describe, expect, test } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import type { Answer, Browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { join, personCalled, type Person } from '../erasure/testing/person.ts';
import { admin, ordering, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { catchUp, openShopForFile } from '../testing/test-shop.ts';

type Listed = { _id: string; name: string; email: string; orders: number; total: number; guest: boolean; lastOrderAt: string | null };
type Page = { customers: Listed[]; nextCursor: string | null; counts?: object };

const shop = await openShopForFile({ people: { admin }, projecting: true });
await change([shop], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);

const list = async (query = '', at: Browser = desk): Promise<Answer & { page: Page }> => {
  await catchUp(shop);
  const answer = await at.get(`/api/admin/customers${query}`);
  return { ...answer, page: answer.body as Page };
};
const namesIn = ({ page }: { page: Page }): string[] => page.customers.map(({ name }) => name);
const show = async (id: string) => {
  await catchUp(shop);
  return desk.get(`/api/admin/customers/${id}`);
};
const buy = (at: OrderingBrowser, who: Person, changes: object = {}): Promise<OrderView> =>
  at.buy({ shipping: { ...who.shipping, email: who.email, ...changes } });
const deliver = async ({ _id }: OrderView): Promise<void> => {
  for (const status of ['confirmed', 'shipped', 'delivered']) expect((await desk.move(_id, status)).status).toBe(200);
};

const [amina, bushra, chandni, deepa] = [personCalled('Amina'), personCalled('Bushra'), personCalled('Chandni'), personCalled('Deepa')];
/** Amina is a guest in two browsers, Bushra ordered as a visitor and as a user, Chandni and Deepa have accounts without orders. */
const orders: Record<'amina' | 'bushra', OrderView[]> = { amina: [], bushra: [] };
const ids: Record<'bushra' | 'chandni' | 'deepa', string> = { bushra: '', chandni: '', deepa: '' };
let bushraAt: OrderingBrowser;

beforeAll(async () => {
  ids.chandni = await join(shop, ordering(shop), chandni);
  ids.deepa = await join(shop, ordering(shop), deepa);
  orders.amina.push(await buy(ordering(shop), amina));
  bushraAt = ordering(shop);
  orders.bushra.push(await buy(bushraAt, bushra));
  ids.bushra = await join(shop, bushraAt, bushra);
  orders.bushra.push(await buy(bushraAt, bushra));
  orders.amina.push(
    await buy(ordering(shop), amina, { name: 'Amina Q', email: amina.email.toUpperCase().replace('EXAMPLE.COM', 'example.com') }),
  );
  await ordering(shop).draft({ shipping: personCalled('Drafty').shipping });
});

describe('the list of customers', () => {
  test('has who ordered last first, guests by their address in any letter case, and then the newest accounts without orders', async () => {
    const { status, page } = await list();
    expect(status).toBe(200);
    const total = orders.amina.reduce((sum, order) => sum + order.total, 0);
    expect(page.customers.slice(0, 4)).toEqual([
      {
        _id: orders.amina[0]?._id,
        name: 'Amina Q',
        email: amina.email.toUpperCase().replace('EXAMPLE.COM', 'example.com'),
        orders: 2,
        total,
        guest: true,
        lastOrderAt: orders.amina[1]?.placedAt,
      },
      { _id: ids.bushra, name: bushra.name, email: bushra.email, orders: 2, total, guest: false, lastOrderAt: orders.bushra[1]?.placedAt },
      { _id: ids.deepa, name: deepa.name, email: deepa.email, orders: 0, total: 0, guest: false, lastOrderAt: null },
      { _id: ids.chandni, name: chandni.name, email: chandni.email, orders: 0, total: 0, guest: false, lastOrderAt: null },
    ]);
    // The admin has an account too.
    expect(page.customers[4]).toMatchObject({ email: admin.email, orders: 0 });
    expect(page).toMatchObject({ nextCursor: null, counts: { all: 5, accounts: 4, guests: 1 } });
  });

  test('is the same in pages of any size, with a link to the next', async () => {
    const whole = (await list()).page.customers;
    for (const limit of [1, 2, 3, 4]) {
      const found: Listed[] = [];
      let query = `?limit=${limit}`;
      for (let more = true; more;) {
        const { page, headers } = await list(query);
        expect(page.customers.length).toBeLessThanOrEqual(limit);
        expect('counts' in page).toBe(found.length === 0);
        found.push(...page.customers);
        more = page.nextCursor !== null;
        query = `?limit=${limit}&cursor=${page.nextCursor}`;
        expect(headers['link']).toBe(more ? `</api/admin/customers${query}>; rel="next"` : undefined);
      }
      expect(found).toEqual(whole);
    }
  });

  test('has guests or accounts only, if asked', async () => {
    expect(namesIn(await list('?guest=true'))).toEqual(['Amina Q']);
    const accounts = await list('?guest=false');
    expect(namesIn(accounts).slice(0, 3)).toEqual([bushra.name, deepa.name, chandni.name]);
    expect(accounts.page.counts).toEqual({ all: 5, accounts: 4, guests: 1 });
  });

  test.each([
    ['a part of a name', () => 'MINA QUR', () => ['Amina Q']],
    ['a part of an address', () => 'bushra@EX', () => [bushra.name]],
    ['an order number', () => orders.amina[0]?.orderNumber?.toLowerCase(), () => ['Amina Q']],
    ['the whole address of an account without orders', () => ` ${deepa.email.toUpperCase()} `, () => [deepa.name]],
    ['a part of that address', () => deepa.email.slice(1), () => []],
    ['a text that is in no order', () => 'nobody', () => []],
    ['signs that mean something in patterns', () => '%', () => []],
  ])('is searched for %s', async (_, text, names) => {
    const found = await list(`?q=${encodeURIComponent(text() ?? '')}`);
    expect(namesIn(found)).toEqual(names());
    expect(found.page).not.toHaveProperty('counts');
  });

  test('has an account that is found by its address in the place of its newest order, once', async () => {
    expect(namesIn(await list(`?q=${bushra.email}`))).toEqual([bushra.name]);
    expect(namesIn(await list(`?q=${bushra.email}&guest=true`))).toEqual([]);
    expect(namesIn(await list(`?q=${deepa.email}&guest=true`))).toEqual([]);
  });

  test('shows at once what its reader did', async () => {
    const { _id } = await buy(desk, personCalled('Boss'));
    expect(((await desk.get('/api/admin/customers?limit=1')).body as Page).customers).toMatchObject([{ orders: 1, guest: false }]);
    await desk.cancel(_id);
    expect(((await desk.get('/api/admin/customers?limit=1')).body as Page).customers).toMatchObject([{ orders: 1, total: 0 }]);
  });

  test.each([
    ['q', `q=${'x'.repeat(101)}`, 'At most 100 characters'],
    ['guest', 'guest=yes', 'true or false'],
    ['limit', 'limit=0', 'A whole number from 1'],
    ['cursor', 'cursor=abc', 'Not a cursor of this list'],
    [
      'cursor',
      `cursor=${Buffer.from('999999999999999 ordered:00000000-0000-4000-8000-000000000000').toString('base64url')}`,
      'Not a cursor of this list',
    ],
    ['cursor', `cursor=${Buffer.from('1 ordered:x').toString('base64url')}`, 'Not a cursor of this list'],
  ])('refuses a wrong %s: %s', async (field, query, message) =>
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { errors: { [field]: message } } }),
  );
});

describe('a customer', () => {
  test('with an account has sums, orders, returns, addresses and requests', async () => {
    const farida = personCalled('Farida');
    const at = ordering(shop);
    const user = await join(shop, at, farida);
    const [returned, kept, cancelled] = [await buy(at, farida), await buy(at, farida), await buy(at, farida)];
    await at.cancel(cancelled._id);
    await deliver(returned);
    await at.giveBack(returned._id);
    await desk.takeBack(returned._id);
    const address = await at.post('/api/user/addresses', farida.shipping);
    await at.post('/api/contact', { name: farida.name, email: farida.email, phone: '', message: 'Is it strong?' });
    const { data } = (await desk.get('/api/contact?q=strong')).body as { data: { _id: string }[] };
    await desk.send('PUT', `/api/contact/${data[0]?._id}`, { body: { answer: 'It is.' } });
    await at.post('/api/contact', { name: farida.name, email: farida.email, phone: '', message: 'Thank you' });
    await at.post(`/api/product/${oudSaffronMajlis}/notify`, { email: farida.email });

    const { status, body } = await show(user);
    expect(status).toBe(200);
    expect(body).toEqual({
      _id: user,
      name: farida.name,
      email: farida.email,
      phone: farida.phone,
      guest: false,
      since: expect.stringMatching(/^20.*Z$/),
      sums: { spent: kept.total, orders: 3, average: kept.total, cameBack: 1 },
      orders: [
        [cancelled, 'cancelled'],
        [kept, 'pending'],
        [returned, 'returned'],
      ].map(([order, now]) => {
        const { _id, orderNumber, placedAt, total } = order as OrderView;
        return { _id, orderNumber, placedAt, status: now, paymentMethod: 'COD', paymentStatus: expect.any(String), total };
      }),
      returns: [{ orderId: returned._id, orderNumber: returned.orderNumber, status: 'received', requestedAt: expect.any(String) }],
      addresses: [address.body],
      requests: {
        messages: [
          { _id: expect.any(String), message: 'Thank you', at: expect.any(String), state: 'new' },
          { _id: data[0]?._id, message: 'Is it strong?', at: expect.any(String), state: 'answered', answeredBy: expect.any(String) },
        ],
        notices: [{ productId: oudSaffronMajlis, productName: 'Oud Saffron Majlis', at: expect.any(String) }],
        letters: [],
      },
    });
    for (const { _id } of [returned, kept]) expect((await show(_id)).body).toMatchObject({ _id: user });
  });

  test('without an account is found by any of their orders, with what came from that address', async () => {
    await ordering(shop).post('/api/contact', { name: amina.name, email: amina.email, phone: '', message: 'Where is it?' });
    const [first, second] = orders.amina;
    for (const order of orders.amina)
      expect((await show(order._id)).body).toMatchObject({
        _id: first?._id,
        name: 'Amina Q',
        phone: amina.phone,
        guest: true,
        since: first?.placedAt,
        sums: { orders: 2, average: first?.total },
        orders: [{ _id: second?._id }, { _id: first?._id }],
        addresses: [],
        requests: { messages: [{ message: 'Where is it?' }] },
      });
  });

  test('has what came from each address while the account had it, the newest first', async () => {
    const [before, after] = [personCalled('Ismat'), personCalled('Ismath')];
    const at = ordering(shop);
    const user = await join(shop, at, before);
    const write = (email: string, message: string) => at.post('/api/contact', { name: 'I', email, phone: '', message });
    await write(before.email, 'First');
    await at.post('/api/user/email', { email: after.email, password: before.password });
    expect((await at.post('/api/user/email/confirm', { code: await mailedCode(shop, after.email) })).status).toBe(200);
    await write(after.email, 'Second');
    await write(before.email, 'From another holder');
    const messages = ['Second', 'First'].map((message) => ({ message }));
    expect((await show(user)).body).toMatchObject({ email: after.email, requests: { messages } });
  });

  test('who has not ordered is shown with zeros', async () =>
    expect((await show(ids.chandni)).body).toMatchObject({
      guest: false,
      sums: { spent: 0, orders: 0, average: 0, cameBack: 0 },
      orders: [],
    }));

  test('whose address an account has is shown without what came from it', async () => {
    const { _id } = await buy(ordering(shop), chandni);
    await ordering(shop).post('/api/contact', { name: 'C', email: chandni.email, phone: '', message: 'From the account' });
    expect((await show(_id)).body).toMatchObject({ guest: true, requests: { messages: [] } });
    expect((await show(ids.chandni)).body).toMatchObject({ guest: false, requests: { messages: [{ message: 'From the account' }] } });
  });

  test('moves when the address of their order is corrected, and when they sign up', async () => {
    const [wrong, right] = [personCalled('Gulabo'), personCalled('Gulab')];
    const at = ordering(shop);
    const { _id } = await buy(at, wrong);
    expect((await list(`?q=${wrong.email}`)).page.customers).toMatchObject([{ _id, guest: true, orders: 1 }]);
    const corrected = await desk.send('PUT', `/api/admin/order/${_id}/email`, { body: { email: right.email, reason: 'A typo' } });
    expect(corrected.status).toBe(200);
    expect((await list(`?q=${wrong.email}`)).page.customers).toEqual([]);
    expect((await list(`?q=${right.email}`)).page.customers).toMatchObject([{ _id, guest: true }]);
    const user = await join(shop, at, personCalled('Gulbadan'));
    await expect.poll(async () => (await list(`?q=${right.email}`)).page.customers).toMatchObject([{ _id: user, guest: false, orders: 1 }]);
    expect((await show(_id)).body).toMatchObject({ _id: user });
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'nonsense', '%00', 'constructor'])('with the id %s is not found', async (id) =>
    expect(await show(id)).toMatchObject({ status: 404, body: { message: 'Customer not found' } }),
  );

  test('is not found by a draft', async () => {
    const { _id } = await ordering(shop).draft();
    expect((await show(_id)).status).toBe(404);
  });

  test('without a verified account is not found', async () => {
    const unverified = personCalled('Hina');
    const { name, email, phone, password } = unverified;
    const { body } = await ordering(shop).post('/api/user/register', { name, email, phone, password, confirm_password: password });
    expect((await show(Object(body).userId)).status).toBe(404);
    expect(namesIn(await list(`?q=${email}`))).toEqual([]);
  });
});
