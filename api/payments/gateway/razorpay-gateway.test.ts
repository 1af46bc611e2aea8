import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import Razorpay from 'razorpay';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';

import type { ShopContext } from '../../http/context.ts';
import { readBody } from '../../http/json-body.ts';
import { listening } from '../../testing/listening.ts';
import { GatewayRefused, GatewayUnavailable } from './gateway.ts';
import { TESTED_VERSION } from './razorpay-client.ts';
import { razorpayGateway } from './razorpay-gateway.ts';
import { AMOUNT, newOrder } from './testing/gateway-contract.ts';
import { KEYS, openRazorpay, type RazorpayHarness } from './testing/razorpay-stand-in.ts';

let razorpay: RazorpayHarness;

beforeAll(async () => {
  razorpay = await openRazorpay();
});
afterAll(() => razorpay.close());
beforeEach(() => razorpay.asked.splice(0));
afterEach(() => razorpay.intercept(undefined));

const posts = () => razorpay.asked.filter(({ method }) => method === 'POST').map(({ path }) => path);
const answering = (status: number, body: unknown) => (ctx: ShopContext) => {
  ctx.status = status;
  ctx.body = body;
};
const refusal = (description: string) => ({ error: { code: 'BAD_REQUEST_ERROR', description } });

const sentBy = async (call: () => Promise<unknown>): Promise<unknown> => {
  let sent: unknown;
  razorpay.intercept(async (ctx, next) => {
    if (ctx.method !== 'POST') return next();
    sent = JSON.parse((await readBody(ctx, 10_000)).toString('utf8'));
    ctx.status = 500;
  });
  await expect(call()).rejects.toBeInstanceOf(GatewayUnavailable);
  return sent;
};
const paidLink = async () => {
  const { id } = await razorpay.gateway.openLink(newOrder());
  await razorpay.behind.pay(id);
  return (await razorpay.gateway.link(id))?.payments[0]?.id ?? '';
};

describe("Razorpay's library", () => {
  test('is installed in the version that its axios instance was tried with', () => {
    const { version } = createRequire(import.meta.url)('razorpay/package.json') as { version: string };
    expect(version).toBe(TESTED_VERSION);
    const { api } = new Razorpay({ key_id: 'key', key_secret: 'secret' });
    expect(api).toHaveProperty('rq.defaults.baseURL', 'https://api.razorpay.com');
    expect(api).toHaveProperty('rq.interceptors.request.use', expect.any(Function));
  });

  test('sends the keys to no other origin', async () => {
    const seen: string[] = [];
    const elsewhere = await listening((req, res) => {
      seen.push(req.url ?? '');
      res.end('{}');
    });
    razorpay.intercept((ctx) => ctx.redirect(`${elsewhere.url}/v1/stolen`));
    await expect(razorpay.gateway.link('plink_00000000000000')).rejects.toBeInstanceOf(GatewayUnavailable);
    await elsewhere.close();
    expect(seen).toEqual([]);
  });
});

describe('a new payment link', () => {
  test('carries the order and no data of its shopper', async () => {
    const order = newOrder({ expiresAt: instant(new Date(Date.now() + 86_400_000).toISOString()) });
    expect(await sentBy(() => razorpay.gateway.openLink(order))).toEqual({
      amount: 4_128_62,
      currency: 'INR',
      accept_partial: false,
      description: 'RUHANI order RH-4WPDX9CT',
      reference_id: order.reference,
      notes: { order_id: order.reference, order_number: 'RH-4WPDX9CT' },
      notify: { sms: false, email: false },
      reminder_enable: false,
      callback_url: order.returnTo,
      callback_method: 'get',
      expire_by: Math.floor(Date.parse(order.expiresAt ?? '') / 1_000),
    });
  });

  test('has no time limit if fewer than fifteen minutes are left', async () => {
    const expiresAt = instant(new Date(Date.now() + 15 * 60_000).toISOString());
    expect(await sentBy(() => razorpay.gateway.openLink(newOrder({ expiresAt })))).not.toHaveProperty('expire_by');
  });

  test('whose answer was lost is found by the next call', async () => {
    const order = newOrder();
    razorpay.intercept(async (ctx, next) => {
      await next();
      if (ctx.method === 'POST') ctx.req.socket.destroy();
    });
    await expect(razorpay.gateway.openLink(order)).rejects.toBeInstanceOf(GatewayUnavailable);
    razorpay.intercept(undefined);
    expect(await razorpay.gateway.openLink(order)).toMatchObject({ status: 'open', reference: order.reference });
    expect(posts()).toHaveLength(1);
  });

  test('is found by the next call even if lists are not filtered by reference', async () => {
    const order = newOrder();
    const { id } = await razorpay.gateway.openLink(order);
    razorpay.intercept((ctx, next) => {
      if (ctx.query['reference_id'] !== undefined) ctx.body = { payment_links: [] };
      else return next();
    });
    expect((await razorpay.gateway.openLink(order)).id).toBe(id);
    razorpay.intercept((ctx, next) => {
      ctx.query = { count: '100' };
      return next();
    });
    expect((await razorpay.gateway.openLink(order)).id).toBe(id);
    expect((await razorpay.gateway.openLink(newOrder())).id).not.toBe(id);
  });
});

describe('a call that comes too soon', () => {
  test('is sent again later', async () => {
    const { id } = await razorpay.gateway.openLink(newOrder());
    let refused = 0;
    razorpay.intercept((ctx, next) => {
      if (refused === 2) return next();
      refused += 1;
      ctx.status = 429;
    });
    expect(await razorpay.gateway.link(id)).toMatchObject({ id, status: 'open' });
    expect(refused).toBe(2);
  });

  test('does not cut the calls of others', async () => {
    const { id } = await razorpay.gateway.openLink(newOrder());
    razorpay.intercept(answering(429, {}));
    const calls = Array.from({ length: 20 }, () => razorpay.gateway.link(id));
    for (const call of await Promise.allSettled(calls)) expect(call.status).toBe('rejected');
    razorpay.intercept(answering(401, {}));
    for (let time = 0; time < 6; time += 1) await expect(razorpay.gateway.link(id)).rejects.toBeInstanceOf(GatewayUnavailable);
    razorpay.intercept(undefined);
    expect(razorpay.gateway.isAvailable()).toBe(true);
    expect(await razorpay.gateway.link(id)).toMatchObject({ id });
  });
});

describe('a refund', () => {
  test('of less than a rupee is refused', async () => {
    const [payment, reference] = [await paidLink(), randomUUID()];
    await expect(razorpay.gateway.refund({ payment, amount: paise(99), reference })).rejects.toThrow(/at least INR 1\.00/);
    expect(await razorpay.gateway.refund({ payment, amount: paise(1_00), reference })).toMatchObject({ status: 'settled' });
  });

  test('carries our reference as receipt, note and idempotency key', async () => {
    const payment = await paidLink();
    const reference = randomUUID();
    razorpay.asked.splice(0);
    expect(await sentBy(() => razorpay.gateway.refund({ payment, amount: paise(100_00), reference }))).toEqual({
      amount: 100_00,
      speed: 'normal',
      notes: { refund_reference: reference },
      receipt: reference,
    });
    expect(razorpay.asked.at(-1)).toMatchObject({ path: `/v1/payments/${payment}/refund`, headers: { 'x-refund-idempotency': reference } });
  });

  test('whose answer was lost is not made again', async () => {
    const payment = await paidLink();
    const asked = { payment, amount: AMOUNT, reference: randomUUID() };
    razorpay.intercept(async (ctx, next) => {
      await next();
      if (ctx.method === 'POST') ctx.req.socket.destroy();
    });
    await expect(razorpay.gateway.refund(asked)).rejects.toBeInstanceOf(GatewayUnavailable);
    razorpay.intercept(undefined);
    razorpay.asked.splice(0);
    expect(await razorpay.gateway.refund(asked)).toMatchObject({ status: 'settled', reference: asked.reference });
    expect(posts()).toEqual([]);
  });

  test('that is answered as failed is returned with the id that its webhook carries', async () => {
    const payment = await paidLink();
    razorpay.intercept(async (ctx, next) => {
      await next();
      if (ctx.method === 'POST') ctx.body = { ...(ctx.body as object), id: 'rfnd_1', status: 'failed' };
    });
    expect(await razorpay.gateway.refund({ payment, amount: AMOUNT, reference: randomUUID() })).toMatchObject({
      id: 'rfnd_1',
      status: 'refused',
    });
  });
});

describe('an error', () => {
  test.each([401, 403])('with status %i means that the keys are wrong, not that the request was refused', async (status) => {
    razorpay.intercept(answering(status, refusal('Authentication failed')));
    await expect(razorpay.gateway.link('plink_00000000000000')).rejects.toBeInstanceOf(GatewayUnavailable);
  });

  test("has the gateway's message without the keys", async () => {
    const said = `The api key ${KEYS.keyId} and its secret ${KEYS.keySecret} are invalid`;
    razorpay.intercept(answering(400, refusal(said)));
    const error: unknown = await razorpay.gateway.link('plink_00000000000000').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayRefused);
    expect(error).toMatchObject({ status: 400, message: 'The api key … and its secret … are invalid' });
  });

  test('of the network has neither keys nor a cause', async () => {
    const gateway = razorpayGateway({ ...KEYS, url: 'http://127.0.0.1:9' });
    const error: unknown = await gateway.link('plink_00000000000000').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayUnavailable);
    expect(error).not.toHaveProperty('cause');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEYS.keySecret);
  });

  test.each([{}, 'text', { id: 'plink_1', status: 'sleeping', amount: 1 }, null])('is thrown for the answer %j', async (body) => {
    razorpay.intercept(answering(200, body ?? 'null'));
    await expect(razorpay.gateway.link('plink_00000000000000')).rejects.toBeInstanceOf(GatewayUnavailable);
    razorpay.passTime(10_000);
  });

  test('is thrown when an open link cannot be cancelled', async () => {
    const { id } = await razorpay.gateway.openLink(newOrder());
    razorpay.intercept((ctx, next) => (ctx.method === 'POST' ? answering(400, refusal('Not now'))(ctx) : next()));
    await expect(razorpay.gateway.closeLink(id)).rejects.toThrow('Not now');
  });
});

test('a call fails when all of its requests together take too long', async () => {
  razorpay.intercept((_, next) => {
    razorpay.passTime(10_000);
    return next();
  });
  await expect(razorpay.gateway.openLink(newOrder())).rejects.toThrow(/in time/);
  expect(razorpay.asked.map(({ method }) => method)).toEqual(['GET']);
});

test('an unreadable payment hides no other payment, nor does a method that cannot be stored', async () => {
  const { id } = await razorpay.gateway.openLink(newOrder());
  await razorpay.behind.pay(id);
  razorpay.intercept(async (ctx, next) => {
    await next();
    const link = ctx.body as { payments: object[] };
    const other = { payment_id: 'pay_2', amount: '100', created_at: '1700000000', method: 'net\0bank\ud800ing', status: 'refunded' };
    ctx.body = { ...link, notes: [], payments: [{ odd: true }, ...link.payments, other, { ...other, status: 'authorized' }] };
  });
  expect(await razorpay.gateway.link(id)).toMatchObject({
    payments: [
      { amount: AMOUNT },
      { id: 'pay_2', amount: 100, method: 'net\uFFFDbank\uFFFDing', status: 'captured', at: '2023-11-14T22:13:20.000Z' },
    ],
  });
});
