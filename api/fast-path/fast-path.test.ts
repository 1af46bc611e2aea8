import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { encodeJson } from '#projections/reading/encoded-json.ts';

import { openLogger, type ShopLogger } from '../platform/logger.ts';
import { seedCatalogue } from '../catalogue/seed/seed-catalogue.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { listening } from '../testing/listening.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { fastPath, type FindCachedResponse } from './fast-path.ts';
import { callsUnderWay } from '../http/load-shedding.ts';
import { requestDurations } from '../observability/metrics.ts';

/** With tracing on, every request goes through Koa; this span tells nobody. */
const span = { traceparent: '', learn: () => undefined, fail: () => undefined, end: () => undefined };
const tracing: Tracing = {
  begin: () => span,
  span: (_, work) => work(span),
  current: () => undefined,
  close: () => Promise.resolve(),
};

const SHELL = '<!doctype html><head><!--page--><title>RUHANI</title><!--/page--></head><body><div id="root"></div></body>';
const AT_ONCE = 4;

type Watched = { readonly shop: TestShop; readonly lines: string[]; readonly log: ShopLogger };

let web: string;
let fast: Watched;
let koa: Watched;

const watched = async (options: Parameters<typeof openTestShop>[0]): Promise<Watched> => {
  const lines: string[] = [];
  const log = openLogger('info', { write: (text) => void lines.push(...text.trimEnd().split('\n')) });
  return { shop: await openTestShop({ ...options, log, webDirectory: web, callsAtOnce: AT_ONCE }), lines, log };
};

beforeAll(async () => {
  web = await mkdtemp(path.join(tmpdir(), 'ruhani-fast-path-'));
  await mkdir(path.join(web, '.vite'));
  await writeFile(path.join(web, '.vite/index.html'), SHELL);
  fast = await watched({});
  await seedCatalogue({ execute: fast.shop.execute, streams: fast.shop.store, now: fast.shop.now });
  koa = await watched({ databaseUrl: fast.shop.databaseUrl, projecting: false, tracing });
  const head = await fast.shop.store.head(['product']);
  for (const { shop } of [fast, koa]) expect(await shop.catalogue.waitFor(head, 5_000)).toBe('fresh');
});
afterAll(async () => {
  await koa.shop.close();
  await fast.shop.close();
  await rm(web, { recursive: true, force: true });
});

type Answer = { readonly status: number | undefined; readonly headers: Record<string, unknown>; readonly body: string };

/** As it goes over the wire, without decoding. */
const ask = (shop: TestShop, target: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(shop.url + target, { headers: { 'X-Request-Id': 'both-ways', ...headers } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        const { date: _, ...rest } = answer.headers;
        resolve({ status: answer.statusCode, headers: rest, body: Buffer.concat(pieces).toString('latin1') });
      });
    });
    sent.once('error', reject).end();
  });

const noted = async ({ lines, log }: Watched): Promise<unknown> => {
  await log.end();
  const { time: _, ms: __, ...line } = JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;
  return line;
};

const counted = async ({ shop }: Watched): Promise<readonly string[]> =>
  (await shop.registry.metrics()).split('\n').filter((line) => line.startsWith('ruhani_http_request_seconds_count'));

const PAGES = ['/', '/shop', '/shop?category=attar&sort=price', '/product/ruh-gulab', '/about', '/sitemap.xml', '/robots.txt'];
const CALLS = [
  '/api/product',
  '/api/product?limit=3&sort=price',
  '/api/product?q=oud&limit=2&category=',
  '/api/product?limit=0',
  '/api/product/ruh-gulab',
  '/api/product/ruh-gulab?from=shop',
  '/api/product/nothing-like-it',
  '/api/product/ruh%2Dgulab',
];
const WITH: readonly (readonly [string, Record<string, string>])[] = [
  ['nothing', {}],
  ['the cookies of a shopper', { Cookie: 'session=1; visitor=1; pos=product.1~cart.999999' }],
  ['another tag', { 'If-None-Match': '"another"' }],
  ['what a browser can read', { 'Accept-Encoding': 'gzip, deflate, br' }],
  ['an encoding that it refuses', { 'Accept-Encoding': 'gzip;q=0.5, br;q=0, *;q=0' }],
];

describe('a ready answer is the same with and without Koa', () => {
  /** Twice: the first time the page is rendered, which the fast path leaves to Koa. */
  const bothWays = async (target: string, headers: Record<string, string>): Promise<Answer> => {
    await ask(fast.shop, target, headers);
    await ask(koa.shop, target, headers);
    const [one, other] = [await ask(fast.shop, target, headers), await ask(koa.shop, target, headers)];
    expect(one).toEqual(other);
    expect(await noted(fast)).toEqual(await noted(koa));
    return one;
  };

  test.each([...CALLS, ...PAGES].flatMap((target) => WITH.map(([name, headers]) => [target, name, headers] as const)))(
    '%s with %s',
    async (target, _, headers) => void (await bothWays(target, headers)),
  );

  test.each(['/api/product?limit=3', '/api/product/ruh-gulab', '/', '/product/ruh-gulab'])(
    '%s that the caller already has',
    async (target) => {
      const { headers } = await bothWays(target, {});
      expect(await bothWays(target, { 'If-None-Match': String(headers['etag']) })).toMatchObject({ status: 304, body: '' });
    },
  );

  test('is measured the same', async () => expect(await counted(fast)).toEqual(await counted(koa)));
});

describe('the fast path', () => {
  test('answers what is ready by itself, and leaves everything else to Koa', async () => {
    const find: FindCachedResponse = (_, target) => {
      if (target === '/refused') throw new Error('no such question');
      return target === '/ready' ? { route: 'GET /ready', status: 200, headers: [], body: encodeJson('₹') } : undefined;
    };
    const parts = { find, headers: [], calls: callsUnderWay(), noteDuration: requestDurations(new Registry()), note: undefined };
    const isCurrent = ({ headers }: IncomingMessage): boolean => headers.cookie === undefined;
    const server = await listening(fastPath({ ...parts, isCurrent }, (_, res) => void res.end('Koa')));
    const said = async (target: string, init?: RequestInit): Promise<string> => (await fetch(server.url + target, init)).text();
    expect(await said('/ready?any')).toBe('₹');
    expect(await said('/elsewhere')).toBe('Koa');
    expect(await said('/refused')).toBe('Koa');
    expect(await said('/ready', { method: 'POST' })).toBe('Koa');
    expect(await said('/ready', { headers: { Cookie: 'pos=product.7' } })).toBe('Koa');
    await server.close();
  });

  /** Koa is what makes a request late: with all calls in use, what Koa would answer is turned away, and so is what is ready. */
  test('turns calls away when too many are under way', async () => {
    const waiting = { Cookie: 'pos=product.999999999' };
    const slow = Array.from({ length: AT_ONCE }, () => ask(fast.shop, '/api/product', waiting));
    await expect.poll(async () => (await ask(fast.shop, '/api/product?limit=1', {})).status).toBe(503);
    expect((await Promise.all(slow)).map(({ status, headers }) => [status, headers['x-stale']])).toEqual(
      Array.from({ length: AT_ONCE }, () => [200, 'true']),
    );
    expect((await ask(fast.shop, '/api/product?limit=1', {})).status).toBe(200);
  });
});
