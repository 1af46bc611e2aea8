import { afterAll, describe, expect, test } from 'vitest';

import { openAccountsShop, type AccountsShop } from '../testing/accounts-shop.ts';

const PUBLIC = 'https://shop.example';

const embedded = await openAccountsShop({ rateLimitFactor: 100 });
const open = await openAccountsShop({ rateLimitFactor: 100, publicUrl: PUBLIC, isEmbedded: false });
afterAll(() => Promise.all([embedded.close(), open.close()]));

const command = (shop: AccountsShop, headers: Record<string, string>, body: unknown = {}) =>
  shop.browser().post('/api/cart/add-to-cart', body, { headers });
const sessions = async (shop: AccountsShop): Promise<number> =>
  (await shop.db.selectFrom('sessions').select('token_hash').execute()).length;

describe('a state change', () => {
  test.each([
    'https://shop.example.evil.test',
    'https://evil-shop.example',
    'https://sub.shop.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example/',
    'https://SHOP.example',
    'null',
    '',
  ])('from %j is refused and has no effect', async (origin) => {
    const before = await sessions(open);
    expect(await command(open, { origin })).toMatchObject({ status: 403, body: { code: 'cross_site' } });
    expect(await sessions(open)).toBe(before);
  });

  test('that the browser marks as cross-site is refused, whatever its Origin is', async () => {
    expect((await command(open, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await command(open, { 'sec-fetch-site': 'cross-site', origin: PUBLIC })).status).toBe(403);
    expect((await command(embedded, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('from the shop itself, or from a program other than a browser, is accepted', async () => {
    expect((await command(open, { origin: PUBLIC, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await command(open, {})).status).toBe(200);
  });

  test('may come from the requested host in an embedded shop only', async () => {
    const host = new URL(embedded.url).host;
    expect((await command(embedded, { origin: `http://${host}` })).status).toBe(200);
    expect((await command(embedded, { origin: 'http://localhost:1' })).status).toBe(403);
    expect((await command(open, { origin: new URL(open.url).origin })).status).toBe(403);
  });

  test('by a form of another site is refused, because its body is not JSON', async () => {
    const before = await sessions(open);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await command(open, { 'content-type': type }, '{"productId":"oud-royal"}')).status).toBe(415);
    expect(await sessions(open)).toBe(before);
  });

  test('cannot be made by a GET, or by a header that names another method', async () => {
    const at = open.browser();
    expect((await at.get('/api/user/logout')).status).toBe(405);
    expect((await at.get('/api/cart/add-to-cart')).status).toBe(405);
    expect((await at.send('POST', '/api/cart/get-cart', { headers: { 'x-http-method-override': 'DELETE' } })).status).toBe(405);
  });

  test('that was refused is in the security log', async () => {
    // Refusals of before are counted apart.
    await open.accounts.securityLog.flush();
    await command(open, { origin: 'https://evil.test' });
    const refused = { address: '127.0.0.1', detail: { origin: 'https://evil.test', path: '/api/cart/add-to-cart' } };
    expect((await open.securityEvents('cross_site_refused')).at(-1)).toMatchObject(refused);
  });
});

test('a GET from another site is answered', async () => {
  expect(
    (await open.browser().get('/api/cart/get-cart', { headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' } })).status,
  ).toBe(200);
});

test('no response allows another site to read it', async () => {
  const { headers } = await open.browser().get('/api/cart/get-cart', { headers: { origin: 'https://evil.test' } });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(
    (await open.browser().send('OPTIONS', '/api/cart/add-to-cart', { headers: { origin: 'https://evil.test' } })).headers[
      'access-control-allow-origin'
    ],
  ).toBeUndefined();
});
