import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Koa from 'koa';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';

import { browser, type Answer } from '../../accounts/testing/browser.ts';
import { type State, requestId } from '../../http/context.ts';
import { errors } from '../../http/errors.ts';
import { unmatchedRoute } from '../../http/not-found.ts';
import { shopDatabase } from '../../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { listening, type Listening } from '../../testing/listening.ts';
import type { GatewayLink } from './gateway.ts';
import { openGateway, type OpenedGateway } from './open-gateway.ts';
import { razorpayGateway } from './razorpay-gateway.ts';
import { AMOUNT, newOrder } from './testing/gateway-contract.ts';
import { parseWebhook, type Webhook } from './webhook.ts';

const log = pino({ level: 'silent' });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PEOPLE = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let dataDir: string;
let databaseUrl: string;
let pool: pg.Pool;
let opened: OpenedGateway;
let server: Listening;
const told: Webhook[] = [];

const open = (more: { databaseUrl?: string; razorpay?: Parameters<typeof openGateway>[0]['payments']['razorpay'] } = {}) =>
  openGateway(
    { dataDir, databaseUrl: more.databaseUrl, payments: { razorpay: more.razorpay } },
    { db: shopDatabase(pool), now: () => instant(new Date().toISOString()), log, publicUrl: 'http://shop.example' },
  );

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'payments-'));
  databaseUrl = await freshDatabase();
  pool = new pg.Pool({ connectionString: databaseUrl, max: 5 });
  opened = await open();
  opened.testGateway?.deliverTo(async (rawBody, headers) => {
    told.push(parseWebhook(rawBody, headers, opened.webhookSecret ?? ''));
  });
  const app = new Koa<State>();
  app.use(requestId).use(errors(log));
  if (opened.middleware) app.use(opened.middleware);
  app.use(unmatchedRoute);
  server = await listening(app.callback());
});
afterAll(async () => {
  await server.close();
  await opened.close();
  await pool.end();
  await rm(dataDir, { recursive: true });
});
beforeEach(() => told.splice(0));

const newLink = async (): Promise<GatewayLink> => {
  const link = await opened.gateway?.openLink(newOrder());
  if (!link) throw new Error('There is no gateway');
  return link;
};
const state = (id: string) => opened.gateway?.link(id);
const get = (path = '', headers: Record<string, string> = PEOPLE) => browser(server.url).get(`/dev/payments${path}`, { headers });
const post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  browser(server.url).post(`/dev/payments${path}`, body, { headers });

describe('/dev/payments', () => {
  test('lists the links for programs, newest first, in rupees', async () => {
    const first = await newLink();
    const second = await newLink();
    const { status, headers, body } = await get('', { accept: 'application/json' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const json = (link: GatewayLink) => ({
      id: link.id,
      reference: link.reference,
      amount: 4128.62,
      status: 'open',
      url: `http://shop.example/dev/payments/${link.id}`,
    });
    expect((body as { links: unknown[] }).links.slice(0, 2)).toEqual([json(second), json(first)]);
  });

  test('accepts a payment as JSON or without a body', async () => {
    const link = await newLink();
    const json = { id: link.id, reference: link.reference, amount: 4128.62, url: `http://shop.example/dev/payments/${link.id}` };
    expect(await post(`/${link.id}/fail`, { method: 'card' })).toMatchObject({ status: 200, body: { ...json, status: 'open' } });
    expect(await post(`/${link.id}/pay`)).toMatchObject({ status: 200, body: { ...json, status: 'paid' } });
    expect(await post(`/${link.id}/pay`, { method: 'card', amount: 10.5, webhook: 'never' })).toMatchObject({ status: 200 });
    expect((await state(link.id))?.payments).toMatchObject([
      { status: 'failed', method: 'card' },
      { status: 'captured', method: 'upi', amount: AMOUNT },
      { status: 'captured', method: 'card', amount: paise(10_50) },
    ]);
    expect(told.map(({ kind }) => kind)).toEqual(['failed', 'captured', 'captured']);
  });

  test('accepts the form of its page, and redirects to the shop', async () => {
    const { id } = await newLink();
    const paid = await post(`/${id}/pay`, 'method=card&amount=4000.00&webhook=twice', { ...FORM, ...PEOPLE });
    expect(paid).toMatchObject({ status: 303, headers: { location: 'http://127.0.0.1:3000/order-confirmed/1' } });
    expect(await state(id)).toMatchObject({ status: 'partly_paid', payments: [{ method: 'card', amount: paise(4_000_00) }] });
    expect(told).toHaveLength(4);
    expect(await post(`/${id}/fail`, 'method=upi&amount=&webhook=now', { ...FORM, ...PEOPLE })).toMatchObject({
      status: 303,
      headers: { location: `/dev/payments/${id}` },
    });
    expect(await post(`/${id}/pay`, 'method=upi', FORM)).toMatchObject({ status: 200, body: { id, status: 'paid' } });
  });

  test('refunds a part or all that is left, the newest payment first, without a reference, and no more than was paid', async () => {
    const link = await newLink();
    const tooMuch = { status: 400, body: { errors: { amount: 'The total refund amount is greater than the refund payment amount' } } };
    expect(await post(`/${link.id}/refund`)).toMatchObject(tooMuch);
    await post(`/${link.id}/pay`, { webhook: 'never' });
    const again = await post(`/${link.id}/pay`, { amount: 10, webhook: 'never' });
    expect(await post(`/${link.id}/refund`, { amount: 12 })).toMatchObject({ status: 200, body: again.body });
    expect(told.map((each) => 'refund' in each && [each.kind, each.refund.amount, each.refund.reference])).toEqual([
      ['refund_settled', 10_00, ''],
      ['refund_settled', 2_00, ''],
    ]);
    expect(await post(`/${link.id}/refund`, { amount: 4_128, webhook: 'never' })).toMatchObject(tooMuch);
    const [first] = (await state(link.id))?.payments ?? [];
    expect(await post(`/${link.id}/refund`, 'method=upi&amount=&webhook=twice', { ...FORM, ...PEOPLE })).toMatchObject({
      status: 303,
      headers: { location: `/dev/payments/${link.id}` },
    });
    expect((await opened.gateway?.refundsOf(first?.id ?? ''))?.map(({ amount }) => amount)).toEqual([2_00, AMOUNT - 2_00]);
    expect(told).toHaveLength(4);
    expect((await get(`/${link.id}`)).body).toContain('Refund behind the shop');
  });

  test('sends a late webhook after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const { id } = await newLink();
      await opened.testGateway?.pay(id, { webhook: 'late' });
      await vi.advanceTimersByTimeAsync(4_999);
      expect(told).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(told).toMatchObject([{ kind: 'captured' }, { kind: 'captured' }]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('refuses what it cannot read and changes nothing', async () => {
    const { id } = await newLink();
    const amounts = [0, -1, 1.234, '1.234', '0.00', '1e3', '₹10', 1e21, null, true].map((amount) => ({ amount }));
    const refused = { status: 400, body: { code: 'invalid_request', message: expect.any(String) } };
    for (const body of [...amounts, { method: 'cash' }, { method: null }, { webhook: 'later' }, [], 'a text', null])
      for (const what of ['pay', 'fail']) expect(await post(`/${id}/${what}`, JSON.stringify(body))).toMatchObject(refused);
    expect(await state(id)).toMatchObject({ status: 'open', payments: [] });
    expect(told).toEqual([]);
  });

  test('names the wrong field', async () => {
    const { id } = await newLink();
    expect(await post(`/${id}/pay`, { amount: 1.234, method: 'cash' })).toMatchObject({
      status: 400,
      body: { errors: { amount: 'Rupees above 0, with at most two decimals', method: 'One of upi, card' } },
    });
    expect(await post(`/${id}/pay`, '{"method":')).toMatchObject({ status: 400, body: { message: 'The body is neither JSON nor a form' } });
    expect((await post(`/${id}/pay`, 'x'.repeat(20_000))).status).toBe(413);
  });

  test('shows the problem to people on the page itself', async () => {
    const { id } = await newLink();
    const refused = await post(`/${id}/pay`, 'method=upi&amount=12.345&webhook=now', { ...FORM, ...PEOPLE });
    expect(refused).toMatchObject({ status: 400, headers: { 'content-type': expect.stringContaining('text/html') } });
    expect(refused.body).toMatch(/value="12\.345"\s+aria-invalid="true" aria-describedby="problem"/);
    expect(refused.body).toContain('Rupees above 0, with at most two decimals');
    expect((await post('/plink_00000000000000/pay', 'amount=x', { ...FORM, ...PEOPLE })).status).toBe(404);
    expect(await state(id)).toMatchObject({ status: 'open', payments: [] });
  });

  test('answers 404 or 405 for other links, addresses and methods', async () => {
    expect((await post('/plink_00000000000000/pay')).status).toBe(404);
    expect((await post('/plink_00000000000000/fail')).status).toBe(404);
    for (const elsewhere of ['/plink_00000000000000', '/', '/a/b', '/plink_0/pay', "/plink_1'%20or%201=1"])
      expect((await get(elsewhere)).status).toBe(404);
    expect((await browser(server.url).send('DELETE', '/dev/payments')).status).toBe(405);
    expect((await browser(server.url).get('/dev/paymentsx')).status).toBe(404);
  });
});

describe('the hosted page', () => {
  test('shows amount, order and every choice, without script or inline style', async () => {
    const { id } = await newLink();
    const { headers, body } = await get(`/${id}`);
    for (const shown of ['₹4,128.62', 'RH-4WPDX9CT', 'Pay by UPI', 'Pay by card', 'Fail the payment', 'Twice', 'Never', 'logo.svg'])
      expect(body).toContain(shown);
    expect(body).not.toMatch(/<script| style=| on\w+=/);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' http://127.0.0.1:3000; base-uri 'none'; frame-ancestors 'none'",
    );
    expect((await get('/styles.css')).headers['content-type']).toContain('text/css');
  });

  test('shows markup as text', async () => {
    const link = await opened.gateway?.openLink(newOrder({ number: '<script>alert(1)</script>' }));
    for (const page of [await get(`/${link?.id}`), await get()]) {
      expect(page.body).not.toContain('<script');
      expect(page.body).toContain('&lt;script&gt;');
    }
  });
});

describe('opening the gateway', () => {
  test('keeps links, and the webhook secret in a file that only its owner can read', async () => {
    const file = path.join(dataDir, 'payments-webhook-secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(opened.webhookSecret);
    const link = await newLink();
    const again = await open();
    expect(again.webhookSecret).toBe(opened.webhookSecret);
    expect(await again.gateway?.link(link.id)).toEqual(link);
    await again.close();
  });

  test("serves Razorpay's API beside the page, to callers with the secret", async () => {
    const url = `${server.url}/dev/payments`;
    const razorpay = razorpayGateway({ keyId: 'rzp_test_embedded', keySecret: opened.webhookSecret ?? '', url });
    const link = await razorpay.openLink(newOrder());
    expect(await state(link.id)).toEqual(link);
    const stranger = razorpayGateway({ keyId: 'rzp_test_embedded', keySecret: randomBytes(8).toString('hex'), url });
    await expect(stranger.link(link.id)).rejects.toThrow('does not take the keys');
    expect((await get('/v1/payment_links', { accept: 'application/json' })).status).toBe(401);
  });

  test('opens Razorpay if there are keys, and no gateway if there is only a database URL; neither has a page', async () => {
    const razorpay = { keyId: 'rzp_live_1', keySecret: 'secret', webhookSecret: 'hook', url: undefined };
    for (const url of [undefined, databaseUrl]) {
      const real = await open({ razorpay, ...(url && { databaseUrl: url }) });
      expect(real).toMatchObject({ gateway: { openLink: expect.any(Function) }, webhookSecret: 'hook' });
      expect(real).toMatchObject({ middleware: undefined, testGateway: undefined });
    }
    expect(await open({ databaseUrl })).toMatchObject({ gateway: undefined, middleware: undefined, webhookSecret: undefined });
  });
});
