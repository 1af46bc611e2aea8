import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';

import { createAggregates } from '../../command-handler/aggregates.ts';
import { createExecute } from '../../command-handler/execute.ts';
import { memoryEventStore } from '../../event-store/testing/memory-event-store.ts';
import { type State, requestId } from '../../http/context.ts';
import { errors } from '../../http/errors.ts';
import { jsonBody } from '../../http/json-body.ts';
import { getActor, findShopper, getShopper } from '../sessions/session.ts';
import { checkAccess } from '../staff/access.ts';
import { unmatchedRoute } from '../../http/not-found.ts';
import { createRouter } from '../../http/router.ts';
import { openMail } from '../../mail/open-mail.ts';
import { outbox as outboxWith } from '../../mail/outbox.ts';
import { sendDue } from '../../mail/sender.ts';
import { shopDatabase } from '../../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { openSealedRows } from '../../testing/test-keyring.ts';
import { QUICK_HASHING } from '../../testing/quick-hashing.ts';
import { deriveKeys } from '../derived-keys.ts';
import { openAccounts, type AccountOptions } from '../open-accounts.ts';
import { accountRoutes } from '../routes.ts';
import { browser } from './browser.ts';

type Mail = { to: string; subject: string; text: string; html: string; date: string; messageId: string };

export type TestOptions = Partial<
  Omit<AccountOptions, 'db' | 'pool' | 'sealed' | 'outbox' | 'log' | 'now' | 'store' | 'execute' | 'load'>
> & {
  databaseUrl?: string;
  trustedProxies?: number;
};

/** Instances of one database share a log. */
const logs = new Map<string, ReturnType<typeof memoryEventStore>>();

const SECRET = 'a secret of thirty-two characters';

/** Routes with a command, a query, and one for each permission. */
const otherRoutes = (): Router<State> =>
  createRouter()
    .get('/cart/get-cart', async (ctx) => {
      ctx.body = { shopper: (await findShopper(ctx)) ?? null };
    })
    .post('/cart/add-to-cart', async (ctx) => {
      ctx.body = { shopper: await getShopper(ctx), actor: await getActor(ctx) };
    })
    .get('/order/get-AllOrders', async (ctx) => {
      ctx.body = { orders: [] };
    })
    .get('/admin/stats', (ctx) => {
      ctx.body = {};
    })
    .get('/audit/events', (ctx) => {
      ctx.body = {};
    });

/** Stops the clock, including that of limits; `vi.setSystemTime` moves it. */
export const holdTheClock = (): void => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T09:00:00.000Z') });
export const passTime = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** Opens a shop with its own or another instance's database, and a mail server that keeps its mails. */
export const openAccountsShop = async (options: TestOptions = {}) => {
  const databaseUrl = options.databaseUrl ?? (await freshDatabase());
  const store = logs.get(databaseUrl) ?? memoryEventStore();
  logs.set(databaseUrl, store);
  const aggregates = createAggregates({ streams: store });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const db = shopDatabase(pool);
  const sealed = await openSealedRows(pool);
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => logged.push(line) });
  const now = (): Date => new Date();
  const keys = deriveKeys(SECRET);
  const outbox = outboxWith({ key: keys.mail, now });
  const publicUrl = options.publicUrl ?? 'http://shop.example';
  const mergers: { visitor: string; user: string }[] = [];
  const accounts = await openAccounts({
    keys,
    publicUrl,
    isEmbedded: true,
    rateLimitFactor: 1,
    google: undefined,
    hashingCost: QUICK_HASHING,
    onSignedIn: (visitor, user) => {
      if (visitor !== undefined) mergers.push({ visitor, user });
      return Promise.resolve([]);
    },
    ...options,
    db,
    pool,
    sealed,
    outbox,
    log,
    now,
    store,
    execute: createExecute(store, { aggregates }),
    load: aggregates.load,
  });
  const mail = await openMail({ db, outbox, orderPage: () => publicUrl, now, log, smtpUrl: undefined, publicUrl });

  const api = createRouter({ prefix: '/api' });
  for (const routes of [accountRoutes(accounts.deps), otherRoutes()]) api.use(routes.routes());
  const app = new Koa<State>({ proxy: (options.trustedProxies ?? 0) > 0, maxIpsCount: options.trustedProxies ?? 0 });
  for (const middleware of [requestId, errors(log), ...accounts.middlewares]) app.use(middleware);
  if (mail.mailbox) app.use(mail.mailbox);
  app.use(checkAccess).use(jsonBody).use(api.routes()).use(unmatchedRoute);

  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const mails = async (): Promise<Mail[]> => {
    while ((await sendDue({ db, outbox, orderPage: () => publicUrl, transport: mail.transport, now, log })) > 0);
    const { body } = await browser(url).get('/dev/mailbox/messages');
    return body as Mail[];
  };

  return {
    url,
    databaseUrl,
    store,
    db,
    pool,
    sealed,
    accounts,
    logged,
    mergers,
    browser: (from?: string) => browser(url, from),
    mails,
    codeFor: async (email: string) => {
      const mailed = (await mails()).find(({ to, subject }) => to === email && /^\d{6} /.test(subject));
      if (!mailed) throw new Error(`No code was mailed to ${email}`);
      return mailed.subject.slice(0, 6);
    },
    /** Returns the token of the newest mailed link. */
    resetToken: async () => /token=([\w-]+)/.exec((await mails())[0]?.text ?? '')?.[1],
    securityEvents: async (kind?: string) => {
      await accounts.securityLog.flush();
      const rows = await db.selectFrom('security_log').selectAll().execute();
      return rows.filter((row) => kind === undefined || row.kind === kind);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await accounts.close();
      await mail.close();
      await pool.end();
    },
  };
};

export type AccountsShop = Awaited<ReturnType<typeof openAccountsShop>>;

/** Opens a shop that is closed after the test. */
export const openAccountsForTest = async (options: TestOptions = {}): Promise<AccountsShop> => {
  const shop = await openAccountsShop(options);
  onTestFinished(() => shop.close());
  return shop;
};
