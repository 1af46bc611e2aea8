import { generateSync } from 'otplib';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { holdTheClock, openAccountsForTest, openAccountsShop, passTime } from '../testing/accounts-shop.ts';
import type { Answer, Browser } from '../testing/browser.ts';
import { alice, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { enterWith, openProvider } from '../testing/provider.ts';

const MINUTE = 60_000;
const STEP = 30_000;

const provider = await openProvider();
const shop = await openAccountsShop({ rateLimitFactor: 1_000, google: provider.config });
/** Another process of the same shop. */
const other = await openAccountsShop({ rateLimitFactor: 1_000, databaseUrl: shop.databaseUrl });
afterAll(() => Promise.all([shop.close(), other.close(), provider.close()]));

let who: typeof alice;
let number = 0;
let at: Browser;
beforeEach(async () => {
  holdTheClock();
  who = { ...alice, email: `careful-${(number += 1)}@example.com` };
  at = shop.browser();
  await signUp(shop, at, who);
});
afterEach(() => vi.useRealTimers());

const codeNow = (secret: string, ms = 0): string => generateSync({ secret, epoch: Math.floor((Date.now() + ms) / 1_000) });
const wrongCode = (secret: string): string => {
  const near = [-STEP, 0, STEP].map((ms) => codeNow(secret, ms));
  return ['111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? '';
};

type Begun = { readonly secret: string; readonly otpauthUrl: string };
const begin = async (): Promise<Begun> => (await at.post('/api/user/totp/begin')).body as Begun;
/** Turns the second factor on. The next code is that of a later step. */
const turnOn = async () => {
  const { secret } = await begin();
  const { body } = await at.post('/api/user/totp/confirm', { code: codeNow(secret) });
  passTime(STEP);
  return { secret, recoveryCodes: (body as { recoveryCodes: string[] }).recoveryCodes };
};
const tokenOf = ({ body }: Answer): string => (body as { loginToken: string }).loginToken;
const askFor = async (browser = shop.browser()): Promise<string> => tokenOf(await logIn(browser, who));
const enter = (loginToken: string, code: string, browser = shop.browser()) => browser.post('/api/user/login-totp', { loginToken, code });
const fetchUser = (browser: Browser) => browser.get('/api/user/fetch-user');
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();

describe('turning the second factor on', () => {
  /** Signs in, and does this after the password was found right. */
  const logInWhile = async (change: () => Promise<unknown>): Promise<Answer> => {
    const { logIn: check } = shop.accounts.deps;
    vi.spyOn(shop.accounts.deps, 'logIn').mockImplementationOnce(async (...given) => {
      const user = await check(...given);
      await change();
      return user;
    });
    return logIn(shop.browser(), who);
  };

  test('refuses a sign-in that read the account without it', async () => {
    expect(await logInWhile(turnOn)).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
    expect((await fetchUser(at)).body).toMatchObject({ totp: true });
    expect((await logIn(shop.browser(), who)).body).toMatchObject({ totpRequired: true });
  });

  test('is followed by no wait for a code whose password was changed meanwhile', async () => {
    await turnOn();
    const password = 'jasmine after the rain';
    const change = () => at.send('PUT', '/api/user/password', { body: { current: PASSWORD, password, confirm_password: password } });
    expect(await logInWhile(change)).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
    expect((await logIn(shop.browser(), { ...who, password })).body).toMatchObject({ totpRequired: true });
  });

  test('takes a code of the new seed, gives ten recovery codes once, and tells the owner', async () => {
    const { secret, otpauthUrl } = await begin();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauthUrl).toBe(`otpauth://totp/Ruhani:${encodeURIComponent(who.email)}?secret=${secret}&issuer=Ruhani`);
    expect((await fetchUser(at)).body).toMatchObject({ totp: false });
    const { status, body } = await at.post('/api/user/totp/confirm', { code: codeNow(secret).replace(/^.../, '$& ') });
    expect(status).toBe(200);
    const { recoveryCodes } = body as { recoveryCodes: string[] };
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}$/);
    expect((await fetchUser(at)).body).toMatchObject({ totp: true });
    expect((await at.get('/api/user/account')).body).toMatchObject({ totpSince: new Date().toISOString(), recoveryCodesLeft: 10 });
    expect((await shop.mails()).find(({ to }) => to === who.email)?.subject).toBe('Second factor on: your Ruhani account');
    expect(await shop.securityEvents('second_factor_added')).not.toEqual([]);
    expect(await at.post('/api/user/totp/begin')).toMatchObject({ status: 409 });
    expect(await at.post('/api/user/totp/confirm', { code: codeNow(secret, STEP) })).toMatchObject({ status: 409 });
  });

  test('fails with a wrong code, with one of an earlier seed, and without a seed', async () => {
    expect((await at.post('/api/user/totp/confirm', { code: '123456' })).status).toBe(409);
    const first = await begin();
    const second = await begin();
    for (const code of [wrongCode(second.secret), codeNow(first.secret), codeNow(second.secret, -2 * STEP), 'abcd-efgh'])
      expect(await at.post('/api/user/totp/confirm', { code })).toMatchObject({ status: 401, body: { message: 'Wrong code' } });
    expect((await at.post('/api/user/totp/confirm', { code: '' })).status).toBe(400);
    expect((await fetchUser(at)).body).toMatchObject({ totp: false });
    expect('user' in ((await logIn(shop.browser(), who)).body as object)).toBe(true);
  });

  test('leaves neither seed nor recovery codes readable in the tables', async () => {
    const { secret, recoveryCodes } = await turnOn();
    const rows = await shop.pool.query(
      `select s::text as text from shop.second_factors s union all select r::text from shop.recovery_codes r`,
    );
    const stored = rows.rows
      .map(({ text }) => Buffer.from(String(text).replace(/.*\\x([0-9a-f]+).*/s, '$1'), 'hex').toString('latin1'))
      .join('\n');
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect(stored).not.toContain(text);
    for (const text of [secret, ...recoveryCodes]) expect(shop.logged.join('\n')).not.toContain(text);
  });
});

describe('signing in with a second factor', () => {
  test('opens nothing before the code, and gives the cart over with it', async () => {
    const { secret } = await turnOn();
    const browser = shop.browser();
    await browser.post('/api/cart/add-to-cart', {});
    shop.mergers.length = 0;
    const asked = await logIn(browser, who);
    expect(asked).toMatchObject({ status: 200, body: { totpRequired: true, loginToken: expect.stringMatching(/^[\w-]{43}$/) } });
    expect(Object.keys(asked.body as object).toSorted()).toEqual(['loginToken', 'totpRequired']);
    expect((await fetchUser(browser)).status).toBe(401);
    expect(browser.cookies.has('device')).toBe(false);
    expect(shop.mergers).toEqual([]);
    const entered = await enter(tokenOf(asked), codeNow(secret), browser);
    expect(entered).toMatchObject({ status: 200, body: { user: { email: who.email, totp: true }, message: 'Signed in' } });
    expect((await fetchUser(browser)).status).toBe(200);
    expect(shop.mergers).toHaveLength(1);
    expect((await shop.securityEvents('signed_in')).at(-1)).toMatchObject({ detail: { how: 'password', secondFactor: true } });
  });

  test('with Google wants the code too', async () => {
    const subject = `google-${number}`;
    const guest = shop.browser();
    await enterWith(provider, guest, subject);
    at = guest;
    const { secret } = await turnOn();
    const browser = shop.browser();
    const asked = await enterWith(provider, browser, subject);
    expect(asked).toMatchObject({ status: 200, body: { totpRequired: true } });
    expect((await fetchUser(browser)).status).toBe(401);
    expect((await enter(tokenOf(asked), codeNow(secret), browser)).status).toBe(200);
    expect((await fetchUser(browser)).status).toBe(200);
  });

  test('with a mailed code wants the other code too', async () => {
    const { secret } = await turnOn();
    // An address that has to be proved once more.
    await shop.db.updateTable('users').set({ verified_at: null }).where('totp_since', 'is not', null).execute();
    const browser = shop.browser();
    const { userId } = (await logIn(browser, who)).body as { userId: string };
    passTime(MINUTE);
    await browser.post('/api/user/resend-otp', { userId });
    const asked = await browser.post('/api/user/verify-otp', { userId, otp: await shop.codeFor(who.email) });
    expect(asked).toMatchObject({ status: 200, body: { totpRequired: true } });
    expect((await fetchUser(browser)).status).toBe(401);
    expect((await enter(tokenOf(asked), codeNow(secret), browser)).status).toBe(200);
  });

  test('takes a code one step either way, and no other', async () => {
    const { secret } = await turnOn();
    passTime(10 * STEP);
    for (const [ms, status] of [
      [-2 * STEP, 401],
      [2 * STEP, 401],
      [-STEP, 200],
      [STEP, 200],
    ] as const)
      expect((await enter(await askFor(), codeNow(secret, ms))).status, `${ms}`).toBe(status);
  });

  test('takes a code once, the confirming one too, and none from before it', async () => {
    const { secret } = await begin();
    const code = codeNow(secret);
    await at.post('/api/user/totp/confirm', { code });
    expect((await enter(await askFor(), code)).status).toBe(401);
    const next = codeNow(secret, STEP);
    expect((await enter(await askFor(), next)).status).toBe(200);
    for (const used of [next, code, codeNow(secret, -STEP)]) expect((await enter(await askFor(), used)).status).toBe(401);
  });

  test.each(['code of the authenticator', 'recovery code'])(
    'with one %s in five sessions of two processes at once lets one in',
    async (kind) => {
      const { secret, recoveryCodes } = await turnOn();
      const code = kind === 'recovery code' ? (recoveryCodes[3] ?? '') : codeNow(secret);
      const tokens = await Promise.all(Array.from({ length: 5 }, () => askFor()));
      const answers = await Promise.all(tokens.map((token, index) => enter(token, code, (index % 2 === 0 ? shop : other).browser())));
      expect(statuses(answers)).toEqual([200, 401, 401, 401, 401]);
    },
  );

  test('with one token at once lets one browser in', async () => {
    const { secret, recoveryCodes } = await turnOn();
    const token = await askFor();
    const answers = await Promise.all([codeNow(secret), recoveryCodes[0] ?? ''].map((code) => enter(token, code)));
    expect(statuses(answers)).toEqual([200, 401]);
  });

  test('takes a recovery code however it is typed, once, and tells how many are left', async () => {
    const { recoveryCodes } = await turnOn();
    const typed = ` ${(recoveryCodes[0] ?? '').toUpperCase().replace('-', ' – ')} `;
    expect((await enter(await askFor(), typed)).status).toBe(200);
    expect((await enter(await askFor(), recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await at.get('/api/user/account')).body).toMatchObject({ recoveryCodesLeft: 9 });
    const { detail } = (await shop.securityEvents('signed_in')).at(-1) ?? {};
    expect(detail).toEqual({ how: 'password', secondFactor: true, recoveryCode: true });
    const told = (await shop.mails()).filter(({ to, subject }) => to === who.email && subject.startsWith('Recovery code used'));
    expect(told).toHaveLength(1);
  });

  test('ends after five wrong codes, also for the right one', async () => {
    const { secret } = await turnOn();
    const token = await askFor();
    for (let time = 0; time < 5; time += 1)
      expect(await enter(token, wrongCode(secret))).toMatchObject({ status: 401, body: { message: 'Wrong code' } });
    expect(await enter(token, codeNow(secret))).toMatchObject({ status: 401, body: { code: 'login_expired' } });
    expect((await shop.securityEvents('code_burnt')).at(-1)).toMatchObject({ detail: { how: 'second factor' } });
    expect((await enter(await askFor(), codeNow(secret))).status).toBe(200);
  });

  test('compares five of forty guesses at once', async () => {
    const { secret } = await turnOn();
    const token = await askFor();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => enter(token, wrongCode(secret), (index % 2 === 0 ? shop : other).browser())),
    );
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect(answers.filter(({ body }) => (body as { code: string }).code === 'wrong_code')).toHaveLength(5);
    expect((await enter(token, codeNow(secret))).status).toBe(401);
  });

  test('ends after ten minutes', async () => {
    const { secret } = await turnOn();
    const token = await askFor();
    passTime(10 * MINUTE + 1_000);
    expect(await enter(token, codeNow(secret))).toMatchObject({ status: 401, body: { code: 'login_expired' } });
    expect((await enter('made up', codeNow(secret))).status).toBe(401);
  });

  test('counts wrong codes towards the limit of login, and right ones towards none', async () => {
    const { secret } = await turnOn();
    const strict = await openAccountsForTest({ databaseUrl: shop.databaseUrl });
    const stranger = () => strict.browser('127.0.0.5');
    for (let time = 0; time < 12; time += 1) {
      passTime(STEP);
      expect((await enter(await askFor(stranger()), codeNow(secret), stranger())).status).toBe(200);
    }
    passTime(15 * MINUTE);
    for (const tries of [5, 5]) {
      const token = await askFor(stranger());
      for (let time = 0; time < tries; time += 1) expect((await enter(token, wrongCode(secret), stranger())).status).toBe(401);
    }
    expect((await logIn(stranger(), who)).status).toBe(429);
  });

  test('closes with a password that is set anew, which leaves the second factor on', async () => {
    const { secret } = await turnOn();
    const token = await askFor();
    await shop.browser().post('/api/user/forgot-password', { email: who.email });
    const NEW = { password: 'jasmine after the rain', confirm_password: 'jasmine after the rain' };
    expect((await shop.browser().post('/api/user/reset-password', { token: await shop.resetToken(), ...NEW })).status).toBe(200);
    expect((await enter(token, codeNow(secret))).status).toBe(401);
    const asked = await logIn(shop.browser(), { ...who, ...NEW });
    expect(asked.body).toMatchObject({ totpRequired: true });
    expect((await enter(tokenOf(asked), codeNow(secret))).status).toBe(200);
  });
});

describe('turning the second factor off', () => {
  const remove = (given: object) => at.post('/api/user/totp/remove', { password: PASSWORD, ...given });

  test('takes password and code, and forgets the recovery codes', async () => {
    const { secret, recoveryCodes } = await turnOn();
    expect(await remove({ code: codeNow(secret), password: 'not this one' })).toMatchObject({
      status: 403,
      body: { message: 'Wrong password' },
    });
    expect(await remove({ code: wrongCode(secret) })).toMatchObject({ status: 401, body: { message: 'Wrong code' } });
    expect((await fetchUser(at)).body).toMatchObject({ totp: true });
    expect((await remove({ code: codeNow(secret) })).status).toBe(200);
    expect((await fetchUser(at)).body).toMatchObject({ totp: false });
    expect('user' in ((await logIn(shop.browser(), who)).body as object)).toBe(true);
    expect(await shop.securityEvents('second_factor_removed')).not.toEqual([]);
    expect((await remove({ code: recoveryCodes[0] })).status).toBe(409);
    const again = await turnOn();
    expect(again.secret).not.toBe(secret);
    expect((await enter(await askFor(), recoveryCodes[1] ?? '')).status).toBe(401);
  });

  test('takes a recovery code where the telephone is lost', async () => {
    const { recoveryCodes } = await turnOn();
    expect((await remove({ code: recoveryCodes[9] })).status).toBe(200);
    expect((await fetchUser(at)).body).toMatchObject({ totp: false });
  });

  test('may be guessed ten times in 15 minutes by somebody with the password', async () => {
    const { secret } = await turnOn();
    const strict = await openAccountsForTest({ databaseUrl: shop.databaseUrl });
    const owner = strict.browser('127.0.0.6');
    await enter(tokenOf(await logIn(owner, who)), codeNow(secret), owner);
    passTime(STEP);
    const guess = (code: string) => owner.post('/api/user/totp/remove', { password: PASSWORD, code });
    for (let time = 0; time < 10; time += 1) expect((await guess(wrongCode(secret))).status).toBe(401);
    expect((await guess(codeNow(secret))).status).toBe(429);
    expect((await fetchUser(owner)).body).toMatchObject({ totp: true });
  });
});
