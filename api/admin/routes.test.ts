import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { OrderView } from '#domain/order/view.ts';
import { instant } from '#domain/shared/time.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { cancel, home, moveTo } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis, remove } from '#domain/testing/products.ts';

import { browser, getFresh, type Browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { checkOutCart, placedBy, remember, toOrder, type Ordered } from '../orders/testing/placing.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

const openDesk = async (projecting = true): Promise<{ shop: TestShop; admin: Browser }> => {
  const shop = await openTestShop({ people: { admin: ADMIN }, projecting });
  return { shop, admin: await signedInAs(shop, ADMIN) };
};

const daysAgo = (days: number, milliseconds = 0) => instant(new Date(Date.now() - days * 86_400_000 + milliseconds).toISOString());
const MINUTE = 60_000;

type Page = { orders: (OrderView & { changedBy: unknown; guest: boolean })[]; nextCursor: string | null };

test('while the read models are built for the first time, staff get a message about it', async () => {
  const { shop, admin } = await openDesk(false);
  const calls = ['/api/admin/stats', '/api/admin/orders', '/api/order/get-AllOrders'];
  const answers = await Promise.all(calls.map((call) => admin.get(call)));
  expect(answers).toMatchObject(calls.map(() => ({ status: 503, headers: { 'retry-after': '2' } })));
  await shop.close();
});

describe('the figures', () => {
  const whole = 11_033;
  let shop: TestShop;
  let admin: Browser;
  beforeAll(async () => {
    ({ shop, admin } = await openDesk());
  });
  afterAll(() => shop.close());

  const figures = async (...ordered: readonly Ordered[]) => {
    if (ordered.length > 0) remember(admin, ...ordered);
    const { status, body } = await getFresh(admin, '/api/admin/stats');
    expect(status).toBe(200);
    return body;
  };

  test('are all zero in a new shop', async () => {
    const none = { totalOrders: 0, lastWeekOrders: 0, totalProducts: 0, totalSubscribers: 0 };
    expect(await figures()).toEqual({ ...none, totalSales: 0, lastMonthSales: 0, contactMessages: 0 });
  });

  test('count orders from their placing, and sales until they are cancelled', async () => {
    expect(await figures(await checkOutCart(shop, 'meera'))).toMatchObject({ totalOrders: 0, totalSales: 0 });
    const orders = [];
    // The last order has left week and month when it is queried; the one before has another minute.
    for (const at of [daysAgo(0), daysAgo(7, MINUTE), daysAgo(7), daysAgo(30, MINUTE), daysAgo(30)])
      orders.push(await placedBy(shop, 'meera', { now: at }));
    expect(await figures(...orders)).toMatchObject({ totalOrders: 5, lastWeekOrders: 2, totalSales: 5 * whole, lastMonthSales: 4 * whole });

    const [first] = orders;
    if (!first) return expect.fail('nothing was ordered');
    const confirmed = await toOrder(shop, first.id, moveTo('confirmed'));
    expect(await figures(confirmed)).toMatchObject({ totalOrders: 5, totalSales: 5 * whole });
    const cancelled = await toOrder(shop, first.id, cancel({ by: shopperId('meera') }));
    expect(await figures(cancelled)).toMatchObject({ totalOrders: 5, lastWeekOrders: 2, totalSales: 4 * whole, lastMonthSales: 3 * whole });
  });

  test('count subscribers and messages immediately', async () => {
    const before = await figures();
    const asha = { name: 'Asha', email: 'asha@example.com', message: 'Hello' };
    await browser(shop.url).post('/api/contact', asha);
    expect(await figures()).toEqual({ ...Object(before), contactMessages: 1 });
    await browser(shop.url).post('/api/subscribe', { email: asha.email });
    expect(await figures()).toEqual({ ...Object(before), contactMessages: 1, totalSubscribers: 1 });
    await browser(shop.url).post('/api/subscribe/unsubscribe', { email: asha.email });
    expect(await figures()).toEqual({ ...Object(before), contactMessages: 1 });
  });

  test('count the products that the shop offers', async () => {
    await change([shop], oudSaffronMajlis, add());
    await change([shop], 'ruh-gulab', add());
    expect(await figures()).toMatchObject({ totalProducts: 2 });
    await change([shop], 'ruh-gulab', remove());
    expect(await figures()).toMatchObject({ totalProducts: 1 });
  });
});

describe('the orders desk', () => {
  let shop: TestShop;
  let admin: Browser;
  let orders: Ordered[];
  beforeAll(async () => {
    ({ shop, admin } = await openDesk());
    orders = [];
    const names = ['Zoë D’Souza', 'Meera Nair', '100% Ravi_', 'Ravi Menon', 'Anand'];
    for (const name of names)
      orders.unshift(await placedBy(shop, `of-${orders.length}`, { shipping: { ...home, name, email: 'Post@Example.com' } }));
    remember(admin, ...orders, await checkOutCart(shop, 'somebody'));
  });
  afterAll(() => shop.close());

  const desk = async (query = '') => {
    const { status, body, headers } = await admin.get(`/api/admin/orders${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    return body as Page;
  };
  const names = ({ orders: found }: Page) => found.map(({ shippingAddress }) => shippingAddress.name);

  test('shows every placed order completely, newest first, with the person who changed it last', async () => {
    const { orders: shown, nextCursor } = await desk();
    expect(shown).toEqual(
      orders.map(({ view }) => ({ ...view, changedBy: { kind: 'system', id: 'test' }, guest: false, mailProblem: null })),
    );
    expect(nextCursor).toBeNull();
  });

  test('finds orders by number, name and e-mail address, in any letter case and without accents', async () => {
    const [, ravi] = orders;
    expect(names(await desk(`?q=${ravi?.view.orderNumber?.toLowerCase()}`))).toEqual(['Ravi Menon']);
    expect(names(await desk('?q=RAVI'))).toEqual(['Ravi Menon', '100% Ravi_']);
    expect(names(await desk('?q=%E2%80%AARavi%E2%80%8B%20Menon%E2%80%AC'))).toEqual(['Ravi Menon']);
    expect(names(await desk('?q=zoe%20d'))).toEqual(['Zoë D’Souza']);
    expect(names(await desk('?q=post@example.COM&limit=3'))).toEqual(['Anand', 'Ravi Menon', '100% Ravi_']);
    expect(names(await desk('?q=oo'))).toEqual([]);
    expect(names(await desk('?q=nobody'))).toEqual([]);
  });

  test('searches for the text as typed, not as a pattern', async () => {
    expect(names(await desk('?q=%25'))).toEqual(['100% Ravi_']);
    expect(names(await desk('?q=vi_'))).toEqual(['100% Ravi_']);
    expect(names(await desk('?q=%5C'))).toEqual([]);
    expect(names(await desk('?q=%00'))).toHaveLength(5);
  });

  test('filters by status as soon as an order has it', async () => {
    const [first] = orders;
    if (!first) return expect.fail('nothing was ordered');
    expect(names(await desk('?status=confirmed'))).toEqual([]);
    remember(admin, await toOrder(shop, first.id, moveTo('confirmed', { note: 'Packed' })));
    expect(names(await desk('?status=confirmed'))).toEqual(['Anand']);
    expect(names(await desk('?status=pending&q=ravi'))).toEqual(['Ravi Menon', '100% Ravi_']);
    expect(names(await desk('?status=pending&limit=1'))).toEqual(['Ravi Menon']);
  });

  test('has pages that neither skip nor repeat an order when new orders arrive in between', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await desk(`?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.orders.length).toBeLessThanOrEqual(2);
      seen.push(...page.orders.map(({ _id }) => _id));
      await placedBy(shop, 'newcomer');
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(orders.map(({ id }) => id));
  });

  test.each([
    ['?status=created', 'status'],
    ['?status=lost', 'status'],
    ['?next=created', 'next'],
    ['?sort=total', 'sort'],
    ['?limit=0', 'limit'],
    ['?limit=many', 'limit'],
    ['?cursor=tomorrow', 'cursor'],
    [`?cursor=${Buffer.from('999999999999999 x').toString('base64url')}`, 'cursor'],
    [`?q=${'x'.repeat(101)}`, 'q'],
    ['?number=RH-7K3MQ2XA%00', 'number'],
  ])('refuses the query %s', async (query, field) => {
    const { status, body } = await admin.get(`/api/admin/orders${query}`);
    expect(status).toBe(400);
    expect(Object.keys((body as { errors: object }).errors)).toEqual([field]);
  });

  test('finds one order by its whole number, which the name on a newer one cannot imitate', async () => {
    const [first] = orders;
    const number = first?.view.orderNumber;
    const imitation = await placedBy(shop, 'anand', { shipping: { ...home, name: `Anand ${number}` } });
    const shown = async (query: string) => (await desk(query)).orders.map(({ orderNumber }) => orderNumber);
    remember(admin, imitation);
    expect(await shown(`?q=${number}&limit=1`)).toEqual([imitation.view.orderNumber]);
    expect(await shown(`?number=${number}&limit=1`)).toEqual([number]);
    expect(await shown(`?number=${imitation.view.orderNumber}&limit=1`)).toEqual([imitation.view.orderNumber]);
    expect(await shown('?number=RH-22222222')).toEqual([]);
  });
});

describe('the lists of what is next', () => {
  let shop: TestShop;
  let admin: Browser;
  beforeAll(async () => {
    ({ shop, admin } = await openDesk());
  });
  afterAll(() => shop.close());

  /** Places an order and moves it on; the name says where it should be listed. */
  const order = async (
    name: string,
    days: number,
    method: 'COD' | 'Prepaid',
    ...steps: readonly ('confirmed' | 'packed' | 'shipped')[]
  ) => {
    let last = await placedBy(shop, name.replaceAll(' ', '-'), { shipping: { ...home, name }, now: daysAgo(days), method });
    for (const step of steps)
      last = await toOrder(shop, last.id, step === 'packed' ? { type: 'MarkPacked', packed: true, now: daysAgo(0) } : moveTo(step));
    remember(admin, last);
  };
  const list = async (query: string) => {
    const { status, body } = await admin.get(`/api/admin/orders?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return (body as Page).orders.map(({ shippingAddress: { name } }) => name);
  };

  test('have the orders by step, and count them', async () => {
    await order('pay', 9, 'Prepaid');
    await order('confirm', 0, 'COD');
    await order('confirm late', 4, 'COD');
    await order('pack', 0, 'COD', 'confirmed');
    await order('ship late', 5, 'COD', 'confirmed', 'packed');
    await order('on its way', 7, 'COD', 'confirmed', 'shipped');
    await order('on its way late', 8, 'COD', 'confirmed', 'shipped');
    const lists = {
      confirm: ['confirm', 'confirm late'],
      pay: ['pay'],
      pack: ['pack'],
      ship: ['ship late'],
      overdue: ['confirm late', 'ship late', 'on its way late'],
    };
    for (const [next, names] of Object.entries(lists)) expect(await list(`next=${next}`), next).toEqual(names);
    const counted = Object.fromEntries(Object.entries(lists).map(([next, names]) => [next, names.length]));
    expect((await admin.get('/api/admin/orders/next')).body).toEqual({ ...counted, decide: 0, receive: 0, refund: 0 });
  });

  test('are searched, and read from the oldest on, page by page', async () => {
    expect(await list('next=overdue&q=ship')).toEqual(['ship late']);
    const { body } = await admin.get('/api/admin/orders?next=overdue&sort=oldest&limit=2');
    const { orders, nextCursor } = body as Page;
    expect(orders.map(({ shippingAddress: { name } }) => name)).toEqual(['on its way late', 'ship late']);
    expect(await list(`next=overdue&sort=oldest&limit=2&cursor=${nextCursor}`)).toEqual(['confirm late']);
  });
});
