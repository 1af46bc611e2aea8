import { describe, expect, test } from 'vitest';

import { dateInIndia, daysLater } from '#domain/shared/time.ts';
import { cancelled } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis, ruhGulab } from '#domain/testing/products.ts';

import { getCookieHeader, browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { placedBy, remember } from '../orders/testing/placing.ts';
import { orderWith } from '../payments/desk/testing/desk-orders.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { listenTo } from '../testing/server-sent-events.ts';
import { catchUp, openShopForFile, openTestShop, type TestShop } from '../testing/test-shop.ts';

const WHOLE = 11_033;

const shop = await openShopForFile({ people: { admin: ADMIN }, projecting: true });
const admin = await signedInAs(shop, ADMIN);

const cookie = (): string => getCookieHeader(admin);

test('only admins may call the back office', async () => {
  for (const call of ['sales', 'live', 'health', 'contact_messages.csv', 'subscribers.csv', 'orders.csv'])
    expect((await browser(shop.url).get(`/api/admin/${call}`)).status, call).toBe(401);
});

describe('the chart of sales', () => {
  type Days = { days: { day: string; orders: number; sales: number }[] };

  test('has every day of its period, today last, with the orders and sales of each', async () => {
    remember(admin, await placedBy(shop, 'meera'));
    const { days } = (await admin.get('/api/admin/sales?days=90')).body as Days;
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ day: dateInIndia(shop.now()), sales: WHOLE * (days.at(-1)?.orders ?? 0) });
    expect(days.at(-1)?.orders).toBeGreaterThan(0);
    expect(days[0]).toMatchObject({ orders: 0, sales: 0 });
  });

  test('has the days before, the average order and the bestsellers of both periods, without what was cancelled', async () => {
    remember(admin, await placedBy(shop, 'meera'));
    const ago = (days: number) => daysLater(shop.now(), -days);
    await orderWith(shop, 'COD', [], ago(31));
    await orderWith(shop, 'COD', [cancelled()], ago(32));
    const asked = async () => (await admin.get('/api/admin/sales')).body as Days & { daysBefore: Days['days'] };
    const sum = (days: Days['days'], of: 'orders' | 'sales') => days.reduce((all, day) => all + day[of], 0);
    await expect.poll(async () => sum((await asked()).daysBefore, 'orders')).toBe(2);
    const sales = await asked();
    const orders = sum(sales.days, 'orders');
    expect(sum(sales.daysBefore, 'sales')).toBe(WHOLE);
    expect(sales.daysBefore).toHaveLength(30);
    expect(dateInIndia(shop.now(), -30)).toBe(sales.daysBefore.at(-1)?.day);
    expect(sales).toMatchObject({
      average: WHOLE,
      averageBefore: WHOLE,
      bestsellers: [
        { _id: oudSaffronMajlis, bottles: 2 * orders, bottlesBefore: 2, sales: 6_900 * orders },
        { _id: ruhGulab, bottles: orders, bottlesBefore: 1, sales: 2_450 * orders },
      ],
    });
  });

  test('exists for 30, 90 and 365 days', async () => {
    expect(((await admin.get('/api/admin/sales')).body as Days).days).toHaveLength(30);
    expect(((await admin.get('/api/admin/sales?days=365')).body as Days).days).toHaveLength(365);
    expect((await admin.get('/api/admin/sales?days=31')).status).toBe(400);
  });
});

describe('an open page of the staff', () => {
  const watch = (at: TestShop, cookies: string, lastHeard?: string) => listenTo(`${at.url}/api/admin/live`, cookies, lastHeard);

  test('gets the figures when it opens, and again when an order is placed or a product added', async () => {
    const page = await watch(shop, cookie());
    await page.hears('retry: 1000');
    await page.hears('event: figures');
    await placedBy(shop, 'ravi');
    await page.hears('event: orders', 'event: figures');
    await change([shop], oudSaffronMajlis, add());
    await page.hears('event: products', '"totalProducts":1');
    await page.cancel();
  });

  test('gets a message about a new contact message and a new subscriber, which have no events', async () => {
    const page = await watch(shop, cookie());
    await browser(shop.url).post('/api/contact', { name: 'Asha', email: 'asha@example.com', message: 'Hello' });
    await page.hears('"contactMessages":1');
    await browser(shop.url).post('/api/subscribe', { email: 'asha@example.com' });
    await page.hears('"totalSubscribers":1');
    await page.cancel();
  });

  test('gets after a reconnection only what it missed', async () => {
    /** Returns the events that a page receives after it reconnects. */
    const back = async (lastHeard: string): Promise<{ kinds: string[]; id: string }> => {
      const page = await watch(shop, cookie(), lastHeard);
      const heard = await page.hears('id: ', '\n\n', 'event: figures');
      await page.cancel();
      return {
        kinds: [...heard.matchAll(/event: (orders|products|sales)/g)].map(([, kind]) => kind ?? ''),
        id: /id: (\S+)/.exec(heard)?.[1] ?? '',
      };
    };
    await catchUp(shop);
    let { kinds, id } = await back('another shop');
    expect(kinds).toEqual(['orders', 'products', 'sales']);
    // The loop waits until all changes of the earlier tests have been sent.
    const told = async (): Promise<string[]> => {
      ({ kinds, id } = await back(id));
      return kinds;
    };
    await expect.poll(told).toEqual([]);
    await change([shop], 'ruh-gulab', add());
    expect(await told()).toEqual(['products']);
    expect(await told()).toEqual([]);
  });

  test('gets nothing more after its session has ended', async () => {
    const other = await signedInAs(shop, ADMIN);
    const page = await watch(shop, getCookieHeader(other));
    await page.hears('event: figures');
    await other.post('/api/user/logout');
    const signedOutAt = performance.now();
    await browser(shop.url).post('/api/contact', { name: 'Asha', email: 'asha@example.com', message: 'After the end' });
    await expect(page.hears('event: never')).rejects.toThrow(/ended|terminated/);
    // Otherwise it ends after a minute.
    expect(performance.now() - signedOutAt).toBeLessThan(20_000);
  });

  test('does not keep the server from closing', async () => {
    const other = await openTestShop({ people: { admin: ADMIN }, projecting: true });
    const there = await signedInAs(other, ADMIN);
    const page = await watch(other, getCookieHeader(there));
    await page.hears('event: figures');
    await other.close();
    await expect(page.hears('event: never')).rejects.toThrow(/ended|terminated/);
  });
});

describe('a CSV file', () => {
  test('has every message, in any number of pages, and no formulas', async () => {
    const sent = Array.from({ length: 2_500 }, (_, index) => index + 1).map((n) => ({
      name: `=cmd ${n}`,
      email: `n${n}@example.com` as EmailAddress,
      phone: '',
      message: 'first\nsecond, "third"',
    }));
    const sealed = await Promise.all(sent.map((message) => shop.sealed.sealByAddress('contact_messages', message)));
    await shop.db
      .insertInto('contact_messages')
      .values(sealed.map((row) => ({ ...row, created_at: new Date() })))
      .execute();
    const answer = await fetch(`${shop.url}/api/admin/contact_messages.csv`, { headers: { Cookie: cookie() } });
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="contact_messages.csv"');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, first, ...rest] = bytes.toString('utf8').slice(1).split('\r\n');
    expect(header).toBe('Name,Email,Phone,Message,Created At');
    expect(first).toMatch(/^"'=cmd 2500",n2500@example\.com,,"first second, ""third""",\d{4}-/);
    expect(rest.filter((line) => line.includes("'=cmd"))).toHaveLength(2_499);
  });

  test('has every placed order', async () => {
    const { view } = await placedBy(shop, 'asha');
    await expect.poll(async () => (await admin.get('/api/admin/orders.csv')).body).toContain(view.orderNumber);
    const { body } = await admin.get('/api/admin/orders.csv');
    const line = String(body)
      .split('\r\n')
      .find((each) => each.startsWith(String(view.orderNumber)));
    expect(line).toContain('Meera Nair,meera@example.com,"\'+91 98470 00000",14 Marine Drive');
    expect(line).toContain('"2 × Oud Saffron Majlis; 1 × Ruh Gulab",9350.00,1683.00,No,11033.00,COD');
  });

  test('has the orders of a selection, and refuses what is none', async () => {
    const [one, other] = [await placedBy(shop, 'asha'), await placedBy(shop, 'ravi')];
    const chosen = async () => (await admin.get(`/api/admin/orders.csv?ids=${other.id}`)).body;
    await expect.poll(chosen).toContain(other.view.orderNumber);
    expect(await chosen()).not.toContain(one.view.orderNumber);
    for (const ids of ['', 'x', `${one.id},`, Array.from({ length: 201 }, () => one.id).join(',')])
      expect((await admin.get(`/api/admin/orders.csv?ids=${ids}`)).status, ids).toBe(400);
  });

  test('has every subscriber', async () => {
    await browser(shop.url).post('/api/subscribe', { email: 'list@example.com' });
    expect((await admin.get('/api/admin/subscribers.csv')).body).toContain('list@example.com,Active,');
  });

  test("is recorded with the admin's id when it is downloaded", async () => {
    await admin.get('/api/admin/subscribers.csv');
    await expect
      .poll(async () => (await shop.pool.query(`select detail from shop.security_log where kind = 'downloaded'`)).rows)
      .toContainEqual({ detail: { file: 'subscribers' } });
  });
});

test("health shows each read model's lag and the waiting mail", async () => {
  const { body } = await admin.get('/api/admin/health');
  const model = { isBuilt: true, parkedEvents: 0, unknownEvents: 0, isAtWork: true };
  expect(body).toMatchObject({
    projections: ['catalogue', 'my-orders', 'orders-desk', 'payments', 'papers', 'stats', 'messages'].map((name) => ({ name, ...model })),
    outbox: { parked: 0 },
    reactions: [],
  });
});
