import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { alice, bob, hashOf, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { holdTheClock, openAccountsForTest, openAccountsShop, passTime, type AccountsShop } from '../testing/accounts-shop.ts';

const MINUTE = 60_000;
const WRONG = { email: alice.email, password: 'not her password' };

describe('signing in', () => {
  let shop: AccountsShop;
  beforeAll(async () => {
    shop = await openAccountsShop({ rateLimitFactor: 1_000 });
    await signUp(shop, shop.browser());
  });
  afterAll(() => shop.close());

  test('gives the same response to a wrong password and to an unknown address', async () => {
    const wrong = await logIn(shop.browser(), WRONG);
    const unknown = await logIn(shop.browser(), { ...WRONG, email: 'nobody@example.com' });
    expect(wrong).toMatchObject({ status: 401, body: { message: 'Invalid email or password', code: 'wrong_credentials' } });
    expect(unknown.status).toBe(wrong.status);
    expect(unknown.body).toEqual(wrong.body);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers));
  });

  test('says that an account is not verified only after the right password', async () => {
    const carol = { ...alice, email: 'carol@example.com' };
    const { body } = await shop.browser().post('/api/user/register', carol);
    expect(await logIn(shop.browser(), { ...carol, password: 'a wrong one' })).toMatchObject({
      status: 401,
      body: { message: 'Invalid email or password' },
    });
    expect(await logIn(shop.browser(), carol)).toMatchObject({
      status: 403,
      body: { message: 'Please verify your email', code: 'email_not_verified', userId: (body as { userId: string }).userId },
    });
  });

  test('with the right password allows the code to be entered in another browser than the last one that registered', async () => {
    const dora = { ...alice, email: 'dora@example.com' };
    const older = shop.browser();
    await older.post('/api/user/register', dora);
    const { body } = await shop.browser().post('/api/user/register', dora);
    const { userId } = body as { userId: string };
    expect((await logIn(older, dora)).status).toBe(403);
    expect((await older.post('/api/user/verify-otp', { userId, otp: await shop.codeFor(dora.email) })).status).toBe(200);
  });

  test.each([
    ['64 characters', 'ab3$'.repeat(16)],
    ['128 characters', 'ab3$'.repeat(32)],
    ['blanks around it', '  two blanks each side  '],
    ['emoji', '🌹 rose and 🪷 lotus'],
    ['quotes and dashes', `'";-- or 1=1 /*`],
    ['a NUL', 'before\0after'],
  ])('compares a password with %s to the last byte', async (_, password) => {
    const who = {
      ...alice,
      email: `password-of-${password.length}-${encodeURIComponent(password).length}@example.com`,
      password,
      confirm_password: password,
    };
    await signUp(shop, shop.browser(), who);
    expect((await logIn(shop.browser(), who)).status).toBe(200);
    for (const close of [
      password.trim() === password ? `${password} ` : password.trim(),
      password.slice(0, -1),
      `${password}x`,
      password.slice(0, 72),
    ])
      if (close !== password) expect((await logIn(shop.browser(), { ...who, password: close })).status).toBe(401);
  });

  test('says that an account is closed only after the right password', async () => {
    await signUp(shop, shop.browser(), { ...alice, email: 'eve@example.com' });
    await shop.db
      .updateTable('users')
      .set({ disabled: true })
      .where('address_hash', '=', await hashOf(shop, 'eve@example.com'))
      .execute();
    expect((await logIn(shop.browser(), { email: 'eve@example.com', password: 'not her password' })).status).toBe(401);
    expect(await logIn(shop.browser(), { email: 'eve@example.com', password: PASSWORD })).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
  });

  test('never writes the password to a log line, a row or a response', async () => {
    await logIn(shop.browser(), { ...alice, password: 'so secret that it is nowhere' });
    const users = await shop.db.selectFrom('users').selectAll().execute();
    const events = await shop.securityEvents();
    const everything = JSON.stringify([users, events, shop.logged]);
    expect(everything).not.toContain('so secret that it is nowhere');
    expect(everything).not.toContain(PASSWORD);
    expect(JSON.stringify(events)).not.toContain('@');
    expect(events).toContainEqual(expect.objectContaining({ kind: 'login_failed', address: '127.0.0.1', request_id: expect.any(String) }));
  });
});

describe('the stored hash', () => {
  test('is Argon2id with 19 MiB, two passes, one lane and its own salt, and is replaced when the cost is raised', async () => {
    const shop = await openAccountsForTest({ rateLimitFactor: 1_000, hashingCost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 } });
    await signUp(shop, shop.browser());
    await signUp(shop, shop.browser(), bob);
    const passwordHashOf = async (email: string) => {
      const account = shop.db
        .selectFrom('users')
        .select('password_hash')
        .where('address_hash', '=', await hashOf(shop, email));
      return (await account.executeTakeFirstOrThrow()).password_hash ?? '';
    };
    const first = await passwordHashOf(alice.email);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22,}\$[^$]{43}$/);
    expect((await passwordHashOf(bob.email)).split('$')[4]).not.toBe(first.split('$')[4]);

    const stronger = await openAccountsForTest({
      rateLimitFactor: 1_000,
      databaseUrl: shop.databaseUrl,
      hashingCost: { memoryCost: 19_456, timeCost: 3, parallelism: 1 },
    });
    expect((await logIn(stronger.browser())).status).toBe(200);
    expect(await passwordHashOf(alice.email)).toContain('m=19456,t=3,p=1');
    expect(await passwordHashOf(bob.email)).toContain('m=19456,t=2,p=1');
    expect((await logIn(shop.browser())).status).toBe(200);
    expect(await passwordHashOf(alice.email)).toContain('t=3');
  });
});

describe('guessing a password', () => {
  let shop: AccountsShop;
  beforeEach(async () => {
    holdTheClock();
    shop = await openAccountsShop();
  });
  afterEach(async () => {
    await shop.close();
    vi.useRealTimers();
  });

  test('from eleven addresses is stopped for the account, but its owner can sign in from a known browser', async () => {
    const hers = shop.browser();
    await signUp(shop, hers);
    for (let address = 1; address <= 10; address++) expect((await logIn(shop.browser(), WRONG, `127.0.1.${address}`)).status).toBe(401);
    const stopped = await logIn(shop.browser(), WRONG, '127.0.1.11');
    expect(stopped).toMatchObject({ status: 429, body: { code: 'too_many_requests' }, headers: { 'retry-after': '900' } });
    expect(JSON.stringify([stopped.body, Object.keys(stopped.headers)])).not.toMatch(/remain|left|attempt/i);
    expect((await logIn(shop.browser(), alice, '127.0.1.12')).status).toBe(429);
    expect((await logIn(hers)).status).toBe(200);

    expect(await shop.securityEvents('limit_reached')).toMatchObject([{ address: '127.0.1.11', detail: { limit: 'login of an account' } }]);

    passTime(15 * MINUTE + 1);
    expect((await logIn(shop.browser(), alice, '127.0.1.12')).status).toBe(200);
  });

  test('on a known device has its own limit', async () => {
    const hers = shop.browser();
    await signUp(shop, hers);
    for (let guess = 1; guess <= 10; guess++) expect((await logIn(hers, WRONG)).status).toBe(401);
    expect((await logIn(hers)).status).toBe(429);
    const bobs = shop.browser();
    await signUp(shop, bobs, bob);
    for (let guess = 1; guess <= 10; guess++) expect((await logIn(bobs, WRONG)).status).toBe(401);
    expect((await logIn(bobs, WRONG)).status).toBe(429);
  });

  test('does not include the right password', async () => {
    await signUp(shop, shop.browser());
    for (let login = 1; login <= 15; login++) expect((await logIn(shop.browser())).status).toBe(200);
  });

  test('counts the real address while no proxy is trusted', async () => {
    for (let guess = 1; guess <= 11; guess++) {
      const answer = await shop.browser().post('/api/user/login', WRONG, { headers: { 'x-forwarded-for': `203.0.113.${guess}` } });
      expect(answer.status).toBe(guess <= 10 ? 401 : 429);
    }
    expect(new Set((await shop.securityEvents()).map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
  });

  test('from one address is stopped after fifty attempts at any accounts', async () => {
    const at = shop.browser();
    for (let guess = 1; guess <= 51; guess++) {
      const answer = await at.post('/api/user/login', { email: `nobody-${guess}@example.com`, password: 'guess' });
      expect(answer.status).toBe(guess <= 50 ? 401 : 429);
    }
    expect((await at.post('/api/user/login', { email: 'x@example.com', password: 'guess' }, { from: '127.0.2.1' })).status).toBe(401);
  });
});

test('behind a trusted proxy the address counts that the proxy reports, not the one that the client claims', async () => {
  const shop = await openAccountsForTest({ trustedProxies: 1 });
  const guess = (forwarded: string) => shop.browser().post('/api/user/login', WRONG, { headers: { 'x-forwarded-for': forwarded } });
  for (let turn = 1; turn <= 3; turn++) await guess(`198.51.100.${turn}, 203.0.113.7`);
  const counted = { address: '203.0.113.7', detail: { count: 3 } };
  expect(await shop.securityEvents()).toMatchObject([counted]);
});
