import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { expect, test } from 'vitest';

import { instant } from '#domain/shared/time.ts';
import type { MemberId, StaffEvent } from '#domain/staff/events.ts';
import { STAFF } from '#domain/staff/staff.ts';

import { applyRights } from './staff/rights.ts';
import { openAccountsForTest, type AccountsShop } from './testing/accounts-shop.ts';
import type { Browser } from './testing/browser.ts';
import { alice, hashOf, logIn, PASSWORD, signUp } from './testing/people.ts';

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
  expect((await shop.securityEvents('staff_joined')).map(({ detail }) => detail)).toEqual([
    { roles: 'owner', by: 'environment' },
    { roles: 'auditor', by: 'environment' },
  ]);
});

const at9 = instant('2026-11-21T09:00:00.000Z');

const memberOf = async (shop: AccountsShop, email: string): Promise<MemberId> => {
  const account = shop.db
    .selectFrom('users')
    .select('id')
    .where('address_hash', '=', await hashOf(shop, email));
  return (await account.executeTakeFirstOrThrow()).id as MemberId;
};

/** Appends what no command would lead to. */
const append = async ({ store, db }: AccountsShop, event: StaffEvent): Promise<void> => {
  const { head } = await store.read(STAFF);
  await store.append(STAFF, head, [event], {
    commandId: randomUUID(),
    correlationId: 'test',
    causationId: 'test',
    actor: { kind: 'system', id: 'test' },
  });
  await applyRights({ store, db });
};

const setRights = async (shop: AccountsShop, email: string, rights: object): Promise<void> => {
  await shop.db
    .updateTable('users')
    .set(rights)
    .where('address_hash', '=', await hashOf(shop, email))
    .execute();
};
const rolesIn = async (at: Browser): Promise<unknown> => ((await at.get('/api/user/fetch-user')).body as { roles: unknown }).roles;

test('accounts from before there were roles keep their rights and their sessions', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  const [former, reader, shopper] = [shop.browser(), shop.browser(), shop.browser()];
  for (const [at, email] of [
    [former, 'former@example.com'],
    [reader, 'reader@example.com'],
    [shopper, 'shopper@example.com'],
  ] as const)
    await signUp(shop, at, { ...alice, email });
  await setRights(shop, 'former@example.com', { is_admin: true });
  await setRights(shop, 'reader@example.com', { is_auditor: true });
  for (let start = 0; start < 2; start++) {
    await shop.accounts.makeFirst([admin]);
    expect(await Promise.all([former, reader, shopper].map(rolesIn))).toEqual([['owner'], ['auditor'], []]);
  }
  // There is an owner already, so the account of the environment is not even made.
  expect((await logIn(shop.browser(), admin)).status).toBe(401);
});

test('rights that were taken in the shop are not given again at the next start', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  await shop.accounts.makeFirst([admin, auditor]);
  const at = shop.browser();
  await logIn(at, auditor);
  await append(shop, { type: 'StaffRolesChanged', data: { member: await memberOf(shop, auditor.email), roles: [], changedAt: at9 } });
  await shop.accounts.makeFirst([admin, auditor]);
  expect(await rolesIn(at)).toEqual([]);
});

test('the admin of the environment is an owner again only when no enabled owner is left', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  await shop.accounts.makeFirst([admin]);
  await signUp(shop, shop.browser(), alice);
  const [first, second] = [await memberOf(shop, admin.email), await memberOf(shop, alice.email)];
  await append(shop, { type: 'StaffJoined', data: { member: second, roles: ['owner'], invitation: null, joinedAt: at9 } });
  await append(shop, { type: 'StaffRolesChanged', data: { member: first, roles: ['money'], changedAt: at9 } });
  await shop.accounts.makeFirst([admin]);
  const at = shop.browser();
  await logIn(at, admin);
  expect(await rolesIn(at)).toEqual(['money']);
  await append(shop, { type: 'StaffDisabled', data: { member: second, disabledAt: at9 } });
  await shop.accounts.makeFirst([admin]);
  expect(await rolesIn(at)).toEqual(['owner', 'money']);
  expect((await logIn(shop.browser(), alice)).status).toBe(403);
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

test('password, second factor and sessions that a stranger had at the address before are removed', async () => {
  const shop = await openAccountsForTest({ rateLimitFactor: 100 });
  const squatter = shop.browser();
  await signUp(shop, squatter, { ...alice, email: 'admin@ruhani.example' });
  await squatter.post('/api/user/email', { email: 'squatter@example.com', password: PASSWORD });
  const { secret } = (await squatter.post('/api/user/totp/begin')).body as { secret: string };
  expect((await squatter.post('/api/user/totp/confirm', { code: generateSync({ secret }) })).status).toBe(200);
  await shop.accounts.makeFirst([admin]);
  expect(await shop.db.selectFrom('email_changes').select('user_id').execute()).toEqual([]);
  expect((await squatter.get('/api/admin/stats')).status).toBe(401);
  expect((await logIn(squatter, { email: 'admin@ruhani.example', password: PASSWORD })).status).toBe(401);
  expect((await logIn(shop.browser(), admin)).body).toMatchObject({ user: { totp: false } });
});
