import { UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';

import type { Answer, Browser } from '../testing/browser.ts';
import { alice, hashOf, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { enterWith, openProvider, type TestProvider } from '../testing/provider.ts';
import { openAccountsForTest, openAccountsShop } from '../testing/accounts-shop.ts';

const provider = await openProvider();
const shop = await openAccountsShop({ rateLimitFactor: 1_000, google: provider.config });
afterAll(() => Promise.all([shop.close(), provider.close()]));

const send = (token: string, at: Browser = shop.browser()): Promise<Answer> => at.post('/api/user/google-login', { token });
type Claims = Parameters<TestProvider['token']>[1];
const enter = (subject: string, claims?: Claims, at: Browser = shop.browser()): Promise<Answer> => enterWith(provider, at, subject, claims);
const nonceAt = async (at: Browser): Promise<string> =>
  ((await at.get('/api/user/sign-in-options')).body as { googleNonce: string }).googleNonce;
const userOf = ({ body }: Answer) => (body as { user: { _id: string; email: string; name: string } }).user;
const accounts = async (): Promise<number> => (await shop.db.selectFrom('users').select('id').execute()).length;

describe('signing in through a third party', () => {
  test('makes a verified account the first time, and finds it again', async () => {
    const at = shop.browser();
    const first = await enter('gita', {}, at);
    expect(first).toMatchObject({
      status: 200,
      body: { user: { name: 'gita', email: 'gita@example.com', isAdmin: false }, message: expect.any(String) },
    });
    expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ email: 'gita@example.com' });
    expect(userOf(await enter('gita'))._id).toBe(userOf(first)._id);
    expect((await logIn(shop.browser(), { email: 'gita@example.com', password: PASSWORD })).status).toBe(401);
  });

  test('identifies the user by issuer and subject, not by the e-mail address', async () => {
    const { _id } = userOf(await enter('moved', { email: 'old-address@example.com' }));
    expect(userOf(await enter('moved', { email: 'new-address@example.com' }))).toMatchObject({
      _id,
      email: 'old-address@example.com',
    });
  });

  test('stores the name without invisible characters, but with the marks that join its letters', async () => {
    expect(userOf(await enter('raju', { name: 'क्\u200dष\u202e राजू\u200b' })).name).toBe('क्\u200dष राजू');
  });

  test('makes one account for ten concurrent first sign-ins', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter('twice')));
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
    expect((await send(token, shop.browser())).status).toBe(401);
    const other = shop.browser();
    await nonceAt(other);
    expect((await send(token, other)).status).toBe(401);
    expect((await send(token, at)).status).toBe(200);
    expect((await send(token, at)).status).toBe(401);
  });

  test('accepts no token without the nonce that the shop gave', async () => {
    const at = shop.browser();
    expect((await send(await provider.token('gita'), at)).status).toBe(401);
    await nonceAt(at);
    expect((await send(await provider.token('gita'), at)).status).toBe(401);
  });

  test('accepts a token for several clients only if it was made for ours', async () => {
    const aud = [provider.config.clientId, 'another-client'];
    expect((await enter('gita', { aud })).status).toBe(401);
    expect((await enter('gita', { aud, azp: 'another-client' })).status).toBe(401);
    expect((await enter('gita', { azp: 'another-client' })).status).toBe(401);
    expect((await enter('gita', { aud, azp: provider.config.clientId })).status).toBe(200);
  });

  test('is one attempt in all tabs of a browser, and another browser cannot use it with the nonce', async () => {
    const at = shop.browser();
    const nonce = await nonceAt(at);
    expect(await nonceAt(at)).toBe(nonce);
    expect(at.setCookies.at(-1)).toMatch(/^attempt=[\w-]{43}; .+; samesite=lax; httponly$/);
    const thief = shop.browser();
    thief.cookies.set('attempt', nonce);
    expect((await send(await provider.token('gita', { nonce }), thief)).status).toBe(401);
  });
});

describe('a token is refused', () => {
  const expired = -60;
  const tokens: [string, (nonce: string) => Promise<string>][] = [
    ['for somebody else', (nonce) => provider.token('mallory', { nonce, aud: 'another-client' })],
    ['from somebody else', (nonce) => provider.token('mallory', { nonce, iss: 'https://accounts.provider.example.evil.test' })],
    ['when it has expired', (nonce) => provider.token('mallory', { nonce }, { expires: expired })],
    ['without an end', (nonce) => provider.token('mallory', { nonce, exp: undefined })],
    [
      'signed by nobody',
      (nonce) =>
        Promise.resolve(
          new UnsecuredJWT({
            iss: provider.config.issuer,
            aud: provider.config.clientId,
            sub: 'mallory',
            email: 'm@example.com',
            email_verified: true,
            nonce,
          })
            .setExpirationTime('1h')
            .encode(),
        ),
    ],
    ['signed with a key of somebody else', (nonce) => provider.token('mallory', { nonce }, { key: provider.foreignKey })],
    ['with an unknown key id', (nonce) => provider.token('mallory', { nonce }, { kid: 'two' })],
    ['with an address that is not verified', (nonce) => provider.token('mallory', { nonce, email_verified: false })],
    ['without an address', (nonce) => provider.token('mallory', { nonce, email: undefined })],
    ['without a subject', (nonce) => provider.token('mallory', { nonce, sub: undefined })],
    ['that is none', () => Promise.resolve('not.a.token')],
    [
      'that was altered',
      async (nonce) => {
        const [head, body = '', signature] = (await provider.token('mallory', { nonce })).split('.');
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
        return [head, Buffer.from(JSON.stringify({ ...claims, email: alice.email })).toString('base64url'), signature].join('.');
      },
    ],
  ];
  test.each(tokens)('%s', async (_, make) => {
    const before = await accounts();
    const at = shop.browser();
    expect(await send(await make(await nonceAt(at)), at)).toMatchObject({
      status: 401,
      body: { message: 'Google login failed', code: 'invalid_token' },
    });
    expect(at.cookies.has('session')).toBe(false);
    expect(await accounts()).toBe(before);
  });
});

describe('a third-party sign-in with the address of an account', () => {
  const linked = (userId: string) =>
    shop.db.selectFrom('security_log').selectAll().where('kind', '=', 'identity_linked').where('subject', '=', `user:${userId}`).execute();
  const noticesTo = async (email: string) =>
    (await shop.mails()).filter(({ to, subject }) => to === email && subject === 'Google sign-in joined: your Ruhani account');

  test.each([
    ['asha@gmail.com', {}],
    ['asha@googlemail.com', {}],
    ['asha@atelier.example', { hd: 'Atelier.example' }],
  ])('is joined to it where the provider gives the address to its owner, and a mail tells: %s', async (email, claims) => {
    const asha = { ...alice, email };
    const userId = await signUp(shop, shop.browser(), asha);
    expect(userOf(await enter(email, { email: email.toUpperCase(), ...claims }))._id).toBe(userId);
    expect((await logIn(shop.browser(), asha)).status).toBe(200);
    expect(await linked(userId)).toHaveLength(1);
    expect(await noticesTo(email)).toHaveLength(1);
    expect(userOf(await enter(email, { email }))._id).toBe(userId);
    expect(await noticesTo(email)).toHaveLength(1);
  });

  test.each([
    ['ravi@elsewhere.example', {}],
    ['ravi@gmail.com.elsewhere.example', {}],
    ['ravi@hosted.example', { hd: 'other.example' }],
  ])('is not joined to it by the address alone, but from its own page: %s', async (email, claims) => {
    const ravi = { ...alice, email };
    const userId = await signUp(shop, shop.browser(), ravi);
    const at = shop.browser();
    expect(await enter(email, { email, ...claims }, at)).toMatchObject({
      status: 409,
      body: { message: 'Sign in with your password first', code: 'not_joined' },
    });
    expect(at.cookies.has('session')).toBe(false);
    expect(await linked(userId)).toEqual([]);
    await signUp(shop, at, { ...alice, email: `other-${email}` });
    expect((await enter(email, { email, ...claims }, at)).status).toBe(409);

    await logIn(at, ravi);
    expect(userOf(await enter(email, { email, ...claims }, at))._id).toBe(userId);
    expect(await noticesTo(email)).toHaveLength(1);
    expect(userOf(await enter(email, { email, ...claims }))._id).toBe(userId);
  });

  test.each(['of nobody', 'of an account', 'of a joined account'])(
    'is not joined from the page of an account with another address, %s, and changes nothing',
    async (whose) => {
      const email = `${whose.replaceAll(' ', '-')}@gmail.com`;
      if (whose === 'of an account') await signUp(shop, shop.browser(), { ...alice, email });
      if (whose === 'of a joined account') await enter(email, { email });
      const at = shop.browser();
      const _id = await signUp(shop, at, { ...alice, email: `joining-${email}` });
      const before = await accounts();
      const join = async (to: string): Promise<Answer> => {
        const token = await provider.token(to, { email: to, nonce: await nonceAt(at) });
        return at.post('/api/user/google-login', { token, join: true });
      };
      expect(await join(email)).toMatchObject({ status: 409, body: { code: 'another_account' } });
      expect(await accounts()).toBe(before);
      expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ _id });
      expect((await at.get('/api/user/account')).body).toMatchObject({ google: false });
      expect(userOf(await join(`joining-${email}`))._id).toBe(_id);
      expect((await at.get('/api/user/account')).body).toMatchObject({ google: true });
    },
  );

  test('is joined by nobody who is not signed in', async () => {
    const at = shop.browser();
    const token = await provider.token('nobody', { email: 'nobody@gmail.com', nonce: await nonceAt(at) });
    const before = await accounts();
    expect(await at.post('/api/user/google-login', { token, join: true })).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect(await accounts()).toBe(before);
  });

  test('takes it over when it was never verified, and removes the former password', async () => {
    const squatted = { ...alice, name: 'Squatter', email: 'victim@example.com' };
    const { body } = await shop.browser().post('/api/user/register', squatted);
    const { userId } = body as { userId: string };
    const otp = await shop.codeFor(squatted.email);
    expect(userOf(await enter('victim'))).toMatchObject({ _id: userId, name: 'victim' });
    expect((await logIn(shop.browser(), squatted)).status).toBe(401);
    expect((await shop.browser().post('/api/user/verify-otp', { userId, otp })).status).toBe(400);
    expect((await shop.browser().post('/api/user/register', squatted)).status).toBe(409);
  });

  test('does not join a second identity of the same provider, because the mailbox may have a new owner', async () => {
    const { _id } = userOf(await enter('first-owner', { email: 'mailbox@example.com' }));
    expect(await enter('second-owner', { email: 'mailbox@example.com' })).toMatchObject({
      status: 401,
      body: { code: 'not_linked' },
    });
    expect(userOf(await enter('first-owner', { email: 'mailbox@example.com' }))._id).toBe(_id);
  });

  test('is not joined to it when it has permissions', async () => {
    await shop.accounts.makeFirst([{ email: 'admin@ruhani.example', password: 'the keys of the atelier', right: 'admin' }]);
    const at = shop.browser();
    expect((await enter('boss', { email: 'admin@ruhani.example' }, at)).status).toBe(401);
    expect((await at.get('/api/admin/stats')).status).toBe(401);
  });

  test('does not open it when it is closed', async () => {
    await enter('closed');
    await shop.db
      .updateTable('users')
      .set({ disabled: true })
      .where('address_hash', '=', await hashOf(shop, 'closed@example.com'))
      .execute();
    expect((await enter('closed')).status).toBe(403);
  });
});

describe('without the provider the response', () => {
  test.each(['broken', 'silent'] as const)('with a provider whose keys are %s, it is 503, and nobody is left waiting', async (how) => {
    const fresh = await openAccountsForTest({ google: provider.config });
    provider.keysAre(how);
    const answer = await enter('gita', {}, fresh.browser());
    provider.keysAre('there');
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await enter('gita', {}, fresh.browser())).status).toBe(200);
  });

  test('is 503 when it cannot be reached', async () => {
    const fresh = await openAccountsForTest({ google: { ...provider.config, jwksUrl: 'http://127.0.0.1:1/keys' } });
    expect((await enter('gita', {}, fresh.browser())).status).toBe(503);
  });
});
