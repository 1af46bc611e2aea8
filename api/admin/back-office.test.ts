import { describe, expect, test } from 'vitest';

import { dateInIndia } from '#domain/shared/time.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { getCookieHeader, browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { placedBy, remember } from '../orders/testing/placing.ts';
import type { EmailAddress } from '../platform/email-address.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { openShopForFile, openTestShop, type TestShop } from '../testing/test-shop.ts';

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

  test('exists for 30, 90 and 365 days', async () => {
    expect(((await admin.get('/api/admin/sales')).body as Days).days).toHaveLength(30);
    expect(((await admin.get('/api/admin/sales?days=365')).body as Days).days).toHaveLength(365);
    expect((await admin.get('/api/admin/sales?days=31')).status).toBe(400);
  });
});

describe('an open page of the staff', () => {
  /** `hears` returns everything up to the last of these words. */
  type Watching = { hears(...words: readonly string[]): Promise<string>; cancel(): Promise<void> };

  /** Reads until all these words have arrived, in any order and chunks; keeps the rest for the next call. */
  const listeningTo = (reader: ReadableStreamDefaultReader<Uint8Array>): Watching => {
    const decoder = new TextDecoder();
    let text = '';
    const hears = async (...words: readonly string[]): Promise<string> => {
      while (!words.every((each) => text.includes(each))) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended without ${words.join(' and ')}: ${text}`);
        text += decoder.decode(value, { stream: true });
      }
      const end = Math.max(...words.map((each) => text.indexOf(each) + each.length));
      const heard = text.slice(0, end);
      text = text.slice(end);
      return heard;
    };
    return { hears, cancel: () => reader.cancel() };
  };

  const watch = async (at: TestShop, cookies: string, lastHeard?: string): Promise<Watching> => {
    const headers = { Cookie: cookies, ...(lastHeard !== undefined && { 'Last-Event-ID': lastHeard }) };
    const answer = await fetch(`${at.url}/api/admin/live`, { headers });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    return listeningTo(answer.body?.getReader() ?? expect.fail('nothing to read'));
  };

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
    projections: ['catalogue', 'my-orders', 'orders-desk', 'payments', 'papers', 'stats'].map((name) => ({ name, ...model })),
    outbox: { parked: 0 },
    reactions: [],
  });
});
