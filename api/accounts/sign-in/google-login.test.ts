import { UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';

import type { Answer, Browser } from '../testing/browser.ts';
import { alice, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { openProvider } from '../testing/provider.ts';
import { openAccountsForTest, openAccountsShop } from '../testing/accounts-shop.ts';

const provider = await openProvider();
const shop = await openAccountsShop({ rateLimitFactor: 1_000, google: provider.config });
afterAll(() => Promise.all([shop.close(), provider.close()]));

const enter = (token: string, at: Browser = shop.browser()): Promise<Answer> => at.post('/api/user/google-login', { token });
const nonceAt = async (at: Browser): Promise<string> =>
  ((await at.get('/api/user/sign-in-options')).body as { googleNonce: string }).googleNonce;
const userOf = ({ body }: Answer) => (body as { user: { _id: string; email: string; name: string } }).user;
const accounts = async (): Promise<number> => (await shop.db.selectFrom('users').select('id').execute()).length;

describe('signing in through a third party', () => {
  test('makes a verified account the first time, and finds it again', async () => {
    const at = shop.browser();
    const first = await enter(await provider.token('gita'), at);
    expect(first).toMatchObject({
      status: 200,
      body: { user: { name: 'gita', email: 'gita@example.com', isAdmin: false }, message: expect.any(String) },
    });
    expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ email: 'gita@example.com' });
    expect(userOf(await enter(await provider.token('gita')))._id).toBe(userOf(first)._id);
    expect((await logIn(shop.browser(), { email: 'gita@example.com', password: PASSWORD })).status).toBe(401);
  });

  test('identifies the user by issuer and subject, not by the e-mail address', async () => {
    const { _id } = userOf(await enter(await provider.token('moved', { email: 'old-address@example.com' })));
    expect(userOf(await enter(await provider.token('moved', { email: 'new-address@example.com' })))).toMatchObject({
      _id,
      email: 'old-address@example.com',
    });
  });

  test('stores the name without invisible characters, but with the marks that join its letters', async () => {
    const token = await provider.token('raju', { name: 'क्\u200dष\u202e राजू\u200b' });
    expect(userOf(await enter(token)).name).toBe('क्\u200dष राजू');
  });

  test('makes one account for ten concurrent first sign-ins', async () => {
    const token = await provider.token('twice');
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => userOf(answer)._id)).size).toBe(1);
  });

  test("needs the shop's client id, which the page gets", async () => {
    expect(await shop.browser().get('/api/user/sign-in-options')).toMatchObject({
      status: 200,
      body: { googleClientId: provider.config.clientId, googleNonce: expect.stringMatching(/^[\w-]{43}$/) },
    });
    const without = await openAccountsForTest();
    const at = without.browser();
    expect(await at.get('/api/user/sign-in-options')).toMatchObject({ status: 200, body: { googleClientId: null } });
    expect(at.setCookies).toEqual([]);
  });

  test('accepts a token that was made for this attempt of this browser once', async () => {
    const at = shop.browser();
    const token = await provider.token('gita', { nonce: await nonceAt(at) });
    expect((await enter(token, shop.browser())).status).toBe(401);
    const other = shop.browser();
    await nonceAt(other);
    expect((await enter(token, other)).status).toBe(401);
    expect((await enter(token, at)).status).toBe(200);
    expect((await enter(token, at)).status).toBe(401);
  });

  test('accepts a token without a nonce, from clients that do not send one', async () => {
    const at = shop.browser();
    await nonceAt(at);
    expect((await enter(await provider.token('gita'), at)).status).toBe(200);
  });

  test('is one attempt in all tabs of a browser, and another browser cannot use it with the nonce', async () => {
    const at = shop.browser();
    const nonce = await nonceAt(at);
    expect(await nonceAt(at)).toBe(nonce);
    expect(at.setCookies.at(-1)).toMatch(/^attempt=[\w-]{43}; .+; samesite=lax; httponly$/);
    const thief = shop.browser();
    thief.cookies.set('attempt', nonce);
    expect((await enter(await provider.token('gita', { nonce }), thief)).status).toBe(401);
  });
});

describe('a token is refused', () => {
  const expired = -60;
  const tokens: [string, () => Promise<string>][] = [
    ['for somebody else', () => provider.token('mallory', { aud: 'another-client' })],
    ['from somebody else', () => provider.token('mallory', { iss: 'https://accounts.provider.example.evil.test' })],
    ['when it has expired', () => provider.token('mallory', {}, { expires: expired })],
    ['without an end', () => provider.token('mallory', { exp: undefined })],
    [
      'signed by nobody',
      () =>
        Promise.resolve(
          new UnsecuredJWT({
            iss: provider.config.issuer,
            aud: provider.config.clientId,
            sub: 'mallory',
            email: 'm@example.com',
            email_verified: true,
          })
            .setExpirationTime('1h')
            .encode(),
        ),
    ],
    ['signed with a key of somebody else', () => provider.token('mallory', {}, { key: provider.foreignKey })],
    ['with an unknown key id', () => provider.token('mallory', {}, { kid: 'two' })],
    ['with an address that is not verified', () => provider.token('mallory', { email_verified: false })],
    ['without an address', () => provider.token('mallory', { email: undefined })],
    ['without a subject', () => provider.token('mallory', { sub: undefined })],
    ['that is none', () => Promise.resolve('not.a.token')],
    [
      'that was altered',
      async () => {
        const [head, body = '', signature] = (await provider.token('mallory')).split('.');
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
        return [head, Buffer.from(JSON.stringify({ ...claims, email: alice.email })).toString('base64url'), signature].join('.');
      },
    ],
  ];
  test.each(tokens)('%s', async (_, make) => {
    const before = await accounts();
    const at = shop.browser();
    expect(await enter(await make(), at)).toMatchObject({ status: 401, body: { message: 'Google login failed', code: 'invalid_token' } });
    expect(at.cookies.has('session')).toBe(false);
    expect(await accounts()).toBe(before);
  });
});

describe('a third-party sign-in with the address of an account', () => {
  test('is joined to it when the address was verified here: password and third party open the same account', async () => {
    const asha = { ...alice, email: 'asha@example.com' };
    const userId = await signUp(shop, shop.browser(), asha);
    expect(userOf(await enter(await provider.token('asha', { email: 'Asha@Example.com' })))._id).toBe(userId);
    expect((await logIn(shop.browser(), asha)).status).toBe(200);
    const linked = await shop.securityEvents('identity_linked');
    expect(linked.filter(({ subject }) => subject === `user:${userId}`)).toHaveLength(1);
  });

  test('takes it over when it was never verified, and removes the former password', async () => {
    const squatted = { ...alice, name: 'Squatter', email: 'victim@example.com' };
    const { body } = await shop.browser().post('/api/user/register', squatted);
    const { userId } = body as { userId: string };
    const otp = await shop.codeFor(squatted.email);
    expect(userOf(await enter(await provider.token('victim')))).toMatchObject({ _id: userId, name: 'victim' });
    expect((await logIn(shop.browser(), squatted)).status).toBe(401);
    expect((await shop.browser().post('/api/user/verify-otp', { userId, otp })).status).toBe(400);
    expect((await shop.browser().post('/api/user/register', squatted)).status).toBe(409);
  });

  test('does not join a second identity of the same provider, because the mailbox may have a new owner', async () => {
    const { _id } = userOf(await enter(await provider.token('first-owner', { email: 'mailbox@example.com' })));
    expect(await enter(await provider.token('second-owner', { email: 'mailbox@example.com' }))).toMatchObject({
      status: 401,
      body: { code: 'not_linked' },
    });
    expect(userOf(await enter(await provider.token('first-owner', { email: 'mailbox@example.com' })))._id).toBe(_id);
  });

  test('is not joined to it when it has permissions', async () => {
    await shop.accounts.makeFirst([{ email: 'admin@ruhani.example', password: 'the keys of the atelier', right: 'admin' }]);
    const at = shop.browser();
    expect((await enter(await provider.token('boss', { email: 'admin@ruhani.example' }), at)).status).toBe(401);
    expect((await at.get('/api/admin/stats')).status).toBe(401);
  });

  test('does not open it when it is closed', async () => {
    await enter(await provider.token('closed'));
    await shop.db.updateTable('users').set({ disabled: true }).where('email', '=', 'closed@example.com').execute();
    expect((await enter(await provider.token('closed'))).status).toBe(403);
  });
});

describe('without the provider the response', () => {
  test.each(['broken', 'silent'] as const)('with a provider whose keys are %s, it is 503, and nobody is left waiting', async (how) => {
    const fresh = await openAccountsForTest({ google: provider.config });
    provider.keysAre(how);
    const answer = await enter(await provider.token('gita'), fresh.browser());
    provider.keysAre('there');
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await enter(await provider.token('gita'), fresh.browser())).status).toBe(200);
  });

  test('is 503 when it cannot be reached', async () => {
    const fresh = await openAccountsForTest({ google: { ...provider.config, jwksUrl: 'http://127.0.0.1:1/keys' } });
    expect((await enter(await provider.token('gita'), fresh.browser())).status).toBe(503);
  });
});
