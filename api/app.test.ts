import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';

import { browser } from './accounts/testing/browser.ts';
import { seedCatalogue } from './catalogue/seed/seed-catalogue.ts';
import { openShopForFile } from './testing/test-shop.ts';

const SHELL = '<!doctype html><head><!--page--><title>RUHANI</title><!--/page--></head><body><div id="root"></div></body>';
const SCRIPT = 'export const perfume = "Ruh Gulab";';
/** Matches `Accept` in `Vary`: the response for an address without a file is a page or JSON, depending on that header. */
const ACCEPT = /\bAccept(?!-)/;

const web = await mkdtemp(path.join(tmpdir(), 'ruhani-web-'));
afterAll(() => rm(web, { recursive: true, force: true }));
for (const folder of ['assets', 'pictures', '.vite']) await mkdir(path.join(web, folder));
await writeFile(path.join(web, '.vite/index.html'), SHELL);
await writeFile(path.join(web, 'assets/index-4f2a.js'), SCRIPT);
await writeFile(path.join(web, 'assets/index-4f2a.js.br'), brotliCompressSync(SCRIPT));
await writeFile(path.join(web, 'pictures/oud.webp'), Buffer.alloc(200_000, 7));
await writeFile(path.join(web, '.secret'), 'of the build');
const shop = await openShopForFile({ webDirectory: web, publicUrl: 'https://ruhani.example', projecting: true, reacting: true });
await seedCatalogue({ execute: shop.execute, streams: shop.store, now: shop.now });
await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000);

const ask = (address: string, init?: RequestInit) => fetch(shop.url + address, init);

describe('every answer', () => {
  const ANSWERS = [
    '/',
    '/shop',
    '/nowhere',
    '/assets/index-4f2a.js',
    '/assets/none.js',
    '/api/product',
    '/api/product/none',
    '/api/none',
    '/healthz',
    '/dev/mailbox',
  ];

  test.each(ANSWERS)('has the security headers: %s', async (address) => {
    const { headers } = await ask(address);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe|img-src[^;]*data:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('set-cookie')).toBeNull();
  });

  test.each(ANSWERS)("has a request id, which is the caller's if it is well-formed: %s", async (address) => {
    const idFor = async (given?: string) =>
      (await ask(address, given ? { headers: { 'X-Request-Id': given } } : {})).headers.get('x-request-id');
    expect(await idFor()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idFor('checkout-4711')).toBe('checkout-4711');
    expect(await idFor('x"} {"level":"fatal')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('calls', () => {
  test('to an unknown address get a 404 as JSON', async () => {
    const response = await ask('/api/none');
    expect({ status: response.status, body: await response.json(), caching: response.headers.get('cache-control') }).toEqual({
      status: 404,
      body: { message: 'There is nothing at this address', code: 'not_found' },
      caching: 'no-store',
    });
  });

  test('with another method of a known address get a 405 with the allowed methods', async () => {
    const response = await ask('/api/product', { method: 'PATCH' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('GET');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

describe('pages', () => {
  const page = async (address: string, headers: Record<string, string> = {}) => {
    const response = await ask(address, { headers });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };

  test.each(['/', '/shop', '/shop?category=oud', '/product/ruh-gulab', '/about', '/return-policy'])('%s is a page', async (address) => {
    const { status, body } = await page(address);
    expect(status).toBe(200);
    expect(body).toMatch(/^<!doctype html>.*<link rel="canonical" href="https:\/\/ruhani\.example\//);
  });

  test.each(['/nowhere', '/shop/else', '/product/', '/product/none', '/product/%E0%A4%A', '/.git/config', '/%E0%A4%A'])(
    '%s is a page with status 404',
    async (address) => {
      const { status, body } = await page(address);
      expect(status).toBe(404);
      expect(body).toContain('<meta name="robots" content="noindex">');
    },
  );

  test('are revalidated each time, and not sent again while unchanged', async () => {
    const { headers } = await page('/shop');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(await page('/shop', { 'If-None-Match': headers.get('etag') ?? '' })).toMatchObject({ status: 304, body: '' });
  });

  test('are compressed for clients that accept it', async () =>
    expect((await page('/', { 'Accept-Encoding': 'br' })).headers.get('content-encoding')).toBe('br'));

  test.each([
    ['/shop/?q=rose', '/shop?q=rose'],
    ['/product/ruh-gulab/', '/product/ruh-gulab'],
    ['/index.html?utm_source=letter', '/?utm_source=letter'],
  ])('%s redirects to %s', async (address, page) => {
    const response = await ask(address, { redirect: 'manual' });
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({ status: 308, location: page });
  });

  test.each(['//ruhani.example.evil/', '/nowhere/', '/shop//'])('%s is not redirected', async (address) =>
    expect((await ask(address, { redirect: 'manual' })).status).toBe(404),
  );

  test('accept GET and HEAD only', async () => expect((await ask('/shop', { method: 'POST' })).status).toBe(405));
});

describe('files of the build', () => {
  test('with a hash in their name are cached for ever, and compressed', async () => {
    const response = await ask('/assets/index-4f2a.js', { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toBe(SCRIPT);
  });

  test('pictures are cached for a month', async () => {
    const response = await ask('/pictures/oud.webp');
    expect(response.headers.get('cache-control')).toBe('public, max-age=2592000');
    expect((await response.arrayBuffer()).byteLength).toBe(200_000);
  });

  test.each(['bytes=5-1', 'bytes=-5', 'bytes=0-0', 'bytes=0-9'])('that are pictures are sent whole for the range %s', async (range) => {
    const response = await ask('/pictures/oud.webp', { headers: { Range: range } });
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(200_000);
  });

  test.each([
    '/assets/none.js',
    '/.secret',
    '/.env',
    '/package.json',
    '/index.html.bak',
    '/index.html.br',
    '/%69ndex.html',
    '/.vite/index.html',
  ])('do not include %s', async (address) => {
    const response = await ask(address);
    expect(response.headers.get('vary')).toMatch(ACCEPT);
    expect({ status: response.status, code: ((await response.json()) as { code: string }).code }).toEqual({
      status: 404,
      code: 'not_found',
    });
  });
});

test.each(['/shop.html', '/assets/none.js', '/.env'])('a page is shown when the missing file %s is opened', async (address) => {
  const response = await ask(address, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('vary')).toMatch(ACCEPT);
  expect(await response.text()).toContain('Page Not Found');
});

describe('for the operator', () => {
  test('liveness has no details', async () => expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' }));

  test('readiness shows the state of each part on this machine', async () => {
    // A part that is slow to answer on a busy machine answers later.
    const asked = async () => {
      const response = await ask('/readyz');
      return { status: response.status, body: await response.json() };
    };
    await expect.poll(asked).toEqual({
      status: 200,
      body: {
        status: 'ready',
        parts: {
          'event store': 'ok',
          database: 'ok',
          disk: 'ok',
          erasures: 'ok',
          mail: 'ok',
          reactions: 'ok',
          'signed log': 'ok',
          keys: 'ok',
          'payment gateway': 'ok',
          payments: 'ok',
          papers: 'ok',
          catalogue: 'ok',
          'my-orders': 'ok',
          'orders-desk': 'ok',
          stats: 'ok',
          messages: 'ok',
        },
      },
    });
  });

  test('readiness reports mail that could not be sent, and reactions that failed', async () => {
    await shop.pool.query(`
      insert into shop.outbox (cause, content, state, attempts, next_attempt_at, created_at)
      values ('test:parked', '', 'parked', 14, now(), now())`);
    await shop.pool.query(`
      insert into shop.postponed_reactions (reaction, stream, position, attempts, next_attempt_at, error)
      select 'empty-cart', 'order-' || n, n, 10 * n, now() + interval '1 day', 'Broken' from generate_series(0, 2) n`);
    const mail = '1 parked: see last_error in shop.outbox';
    const reactions = '2 parked in empty-cart: see error in shop.postponed_reactions';
    await expect.poll(async () => (await ask('/readyz')).json()).toMatchObject({ status: 'ready', parts: { mail, reactions } });
  });

  test('readiness reports that the key-encryption key must be replaced', async () => {
    await shop.keys.erase('somebody');
    await shop.pool.query(`update shop.key_encryption_keys set added_at = now() - interval '31 days'`);
    const keys = expect.stringMatching(/^A rotation of KEY_ENCRYPTION_KEY is due/);
    await expect.poll(async () => (await ask('/readyz')).json()).toMatchObject({ status: 'ready', parts: { keys } });
  });

  const FROM_OUTSIDE = { headers: { 'X-Forwarded-For': '203.0.113.7' } };
  const OUTSIDERS: readonly (readonly [header: string, value: string])[] = [
    ['X-Forwarded-For', '203.0.113.7'],
    ['X-Forwarded-Host', 'ruhani.example'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Real-IP', '203.0.113.7'],
    ['Forwarded', 'for=203.0.113.7'],
    ['Via', '1.1 proxy'],
    ['Host', 'ruhani.example'],
    ['Host', '127.0.0.1.ruhani.example'],
  ];

  test.each(OUTSIDERS)(
    'other machines see only whether it is ready, and neither metrics nor mails nor payments: %s: %s',
    async (name, value) => {
      const asked = (path: string, method = 'GET') => browser(shop.url).send(method, path, { headers: { [name]: value } });
      await expect.poll(async () => (await asked('/readyz')).body).toEqual({ status: 'ready' });
      const paths = ['/metrics', '/dev/mailbox', '/dev/mailbox/messages', '/dev/payments', '/dev/payments/v1/payment_links'];
      expect(await Promise.all(paths.map(async (path) => (await asked(path)).status))).toEqual(paths.map(() => 404));
      expect((await asked('/dev/mailbox/clear', 'POST')).status).toBe(404);
    },
  );

  test('this machine sees mails and payments', async () => {
    const paths = ['/dev/mailbox', '/dev/mailbox/messages', '/dev/payments'];
    expect(await Promise.all(paths.map(async (path) => (await ask(path)).status))).toEqual(paths.map(() => 200));
  });

  test('metrics count requests by route instead of by path, and are shown on this machine only', async () => {
    await ask('/api/product/ruh-gulab');
    const text = await (await ask('/metrics')).text();
    expect(text).toMatch(/ruhani_http_request_seconds_count\{route="GET \/api\/product\/:id",status="2xx"\} \d/);
    expect(text).toContain(`ruhani_read_model_position{model="catalogue"} ${await shop.store.head(['product'])}\n`);
    expect(text).not.toContain('ruh-gulab');
    expect((await ask('/metrics', FROM_OUTSIDE)).status).toBe(404);
  });
});
