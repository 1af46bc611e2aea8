import Koa from 'koa';
import pg from 'pg';

import { instant } from '#domain/shared/time.ts';

import type { ShopContext, ShopMiddleware, State } from '../../../http/context.ts';
import { shopDatabase } from '../../../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../../../testing/database-per-test.ts';
import { listening } from '../../../testing/listening.ts';
import { razorpayGateway, type RazorpayOptions } from '../razorpay-gateway.ts';
import { createTestLinks } from '../test-gateway-rows.ts';
import { testGatewayWire } from '../test-gateway-wire.ts';
import { testGateway } from '../test-gateway.ts';
import type { WebhookHeaders } from '../webhook.ts';
import type { Fault, GatewayHarness } from './gateway-contract.ts';

export const KEYS = { keyId: 'rzp_test_key', keySecret: 'the-secret-of-the-key' };
export const WEBHOOK_SECRET = 'a webhook secret';

export type TestGatewayHarness = GatewayHarness & {
  readonly webhooks: { rawBody: Buffer; headers: WebhookHeaders }[];
  readonly databaseUrl: string;
};

const shiftedClock = () => {
  let shift = 0;
  return { clock: () => performance.now() + shift, passTime: (ms: number) => void (shift += ms) };
};

/** Opens the embedded gateway on this database, or on a database of its own. */
export const openTestGateway = async (databaseUrl?: string): Promise<TestGatewayHarness> => {
  const url = databaseUrl ?? (await freshDatabase());
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  const { clock, passTime } = shiftedClock();
  const webhooks: TestGatewayHarness['webhooks'] = [];
  const now = () => instant(new Date().toISOString());
  const behind = testGateway({
    links: createTestLinks(shopDatabase(pool), now),
    now,
    log: { warn: () => {} },
    webhookSecret: WEBHOOK_SECRET,
    urlOf: (id) => `http://127.0.0.1:3000/dev/payments/${id}`,
    clock,
  });
  behind.deliverTo(async (rawBody, headers) => void webhooks.push({ rawBody, headers }));
  return {
    gateway: behind,
    impatient: behind,
    behind,
    webhooks,
    databaseUrl: url,
    passTime,
    setFault: (fault) => (fault ? behind.beUnreachable() : behind.beReachable()),
    close: async () => {
      await behind.close();
      await pool.end();
    },
  };
};

const failing = (ctx: ShopContext, fault: Fault): void => {
  switch (fault) {
    case 'no connection':
      ctx.req.socket.destroy();
      return;
    case 'no answer':
      ctx.respond = false;
      return;
    case 'an answer without end': {
      ctx.respond = false;
      ctx.res.writeHead(200, { 'content-type': 'application/json' });
      const trickle = setInterval(() => ctx.res.write(' '), 50);
      ctx.res.once('close', () => clearInterval(trickle));
      return;
    }
    case 'redirect':
      ctx.status = 302;
      ctx.set('Location', 'http://127.0.0.1:9/v1/elsewhere');
      return;
    case '502 without JSON':
      ctx.status = 502;
      ctx.body = '';
      return;
    default:
      ctx.status = Number(fault);
      ctx.body = { error: { code: 'SERVER_ERROR', description: 'Something went wrong' } };
  }
};

export type Asked = { readonly method: string; readonly path: string; readonly query: object; readonly headers: ShopContext['headers'] };
export type RazorpayHarness = TestGatewayHarness & {
  readonly url: string;
  readonly asked: Asked[];
  intercept(by: ShopMiddleware | undefined): void;
};

/** Opens Razorpay's library against the API of the embedded gateway, over HTTP. */
export const openRazorpay = async (): Promise<RazorpayHarness> => {
  const inner = await openTestGateway();
  const { clock, passTime } = shiftedClock();
  const asked: Asked[] = [];
  const untouched: ShopMiddleware = (_, next) => next();
  let interceptor = untouched;
  let fault: Fault | undefined;
  const app = new Koa<State>();
  app.silent = true;
  app.use(async (ctx, next) => {
    asked.push({ method: ctx.method, path: ctx.path, query: { ...ctx.query }, headers: ctx.headers });
    return fault ? failing(ctx, fault) : interceptor(ctx, next);
  });
  app.use(testGatewayWire(inner.behind.core, { root: '/v1', ...KEYS }));
  const server = await listening(app.callback());
  const gatewayWith = (more: Partial<RazorpayOptions>) => razorpayGateway({ ...KEYS, url: server.url, clock, ...more });
  return {
    ...inner,
    gateway: gatewayWith({}),
    impatient: gatewayWith({ timeout: 300 }),
    url: server.url,
    asked,
    intercept: (by = untouched) => {
      interceptor = by;
    },
    passTime,
    setFault: (next) => {
      fault = next;
    },
    close: async () => {
      await server.close();
      await inner.close();
    },
  };
};
