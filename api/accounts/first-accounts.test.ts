import { expect, test } from 'vitest';

import { alice, logIn, PASSWORD, signUp } from './testing/people.ts';
import { openAccountsForTest } from './testing/accounts-shop.ts';

const admin = { email: 'Admin@Ruhani.example', password: 'the keys of the atelier', right: 'admin' as const };
const auditor = { email: 'auditor@ruhani.example', password: 'the books of the atelier', right: 'auditor' as const };

test('the accounts of the environment are made once, verified and with their permissions', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  await shop.accounts.makeFirst([admin, auditor]);
  await shop.accounts.makeFirst([admin, auditor]);
  const at = shop.browser();
  expect((await logIn(at, admin)).body).toMatchObject({ user: { email: 'admin@ruhani.example', isAdmin: true, isAuditor: true } });
  expect((await at.get('/api/admin/stats')).status).toBe(200);
  const auditing = shop.browser();
  expect((await logIn(auditing, auditor)).body).toMatchObject({ user: { isAdmin: false, isAuditor: true } });
  expect((await auditing.get('/api/audit/events')).status).toBe(200);
  expect((await auditing.get('/api/admin/stats')).status).toBe(403);
  expect((await shop.securityEvents('rights_granted')).map(({ detail }) => detail)).toEqual([
    { right: 'admin', by: 'environment' },
    { right: 'auditor', by: 'environment' },
  ]);
});

test("a new password in the environment becomes the account's and ends its sessions", async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  await shop.accounts.makeFirst([admin]);
  const at = shop.browser();
  await logIn(at, admin);
  await shop.accounts.makeFirst([{ ...admin, password: 'new keys of the atelier' }]);
  expect((await at.get('/api/admin/stats')).status).toBe(401);
  expect((await logIn(shop.browser(), admin)).status).toBe(401);
  expect((await logIn(shop.browser(), { ...admin, password: 'new keys of the atelier' })).status).toBe(200);
});

test('a password that the admin has changed in the shop survives a start', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  await shop.accounts.makeFirst([admin]);
  await shop.browser().post('/api/user/forgot-password', { email: admin.email });
  const token = await shop.resetToken();
  await shop.browser().post('/api/user/reset-password', { token, password: PASSWORD, confirm_password: PASSWORD });
  await shop.accounts.makeFirst([admin]);
  expect((await logIn(shop.browser(), { ...admin, password: PASSWORD })).status).toBe(200);
});

test('a password and sessions that a stranger had at the address before are removed', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  const squatter = shop.browser();
  await signUp(shop, squatter, { ...alice, email: 'admin@ruhani.example' });
  await shop.accounts.makeFirst([admin]);
  expect((await squatter.get('/api/admin/stats')).status).toBe(401);
  expect((await logIn(squatter, { email: 'admin@ruhani.example', password: PASSWORD })).status).toBe(401);
  expect((await logIn(shop.browser(), admin)).status).toBe(200);
});
