import { afterAll, beforeAll, expect, test } from 'vitest';

import { browser } from '../accounts/testing/browser.ts';
import { alice, getUserId } from '../accounts/testing/people.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

const ADMIN = { email: 'admin@ruhani.example', password: 'the keys of the atelier' };
let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop({ people: { admin: ADMIN } });
});
afterAll(() => shop.close());

const codeFor = async (email: string): Promise<string> => {
  for (;;) {
    const { body } = await browser(shop.url).get('/dev/mailbox/messages');
    const mail = (body as { to: string; subject: string }[]).find(({ to }) => to === email);
    if (mail) return mail.subject.slice(0, 6);
  }
};

test('a shopper can sign up with the mailed code, sign out and sign in again', async () => {
  const at = browser(shop.url);
  const userId = getUserId(await at.post('/api/user/register', alice));
  expect((await at.post('/api/user/verify-otp', { userId, otp: await codeFor(alice.email) })).status).toBe(200);
  expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ name: 'Alice' });
  expect((await at.post('/api/user/logout')).status).toBe(200);
  expect((await at.get('/api/user/fetch-user')).status).toBe(401);
  expect((await at.post('/api/user/login', alice)).status).toBe(200);
});

test('the admin of the environment exists when the shop opens', async () => {
  expect(await browser(shop.url).post('/api/user/login', ADMIN)).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
});

test('viewing the catalogue sets no cookie', async () => {
  const at = browser(shop.url);
  expect((await at.get('/api/product')).status).toBe(200);
  expect(at.setCookies).toEqual([]);
});

test('a frame may show a mail, and no other page of the shop', async () => {
  const { headers } = await browser(shop.url).get('/dev/mailbox');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
});
