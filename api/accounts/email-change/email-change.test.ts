import { generateSync } from 'otplib';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { holdTheClock, openAccountsForTest, openAccountsShop, passTime } from '../testing/accounts-shop.ts';
import { withCookies, type Browser } from '../testing/browser.ts';
import { alice, getUserId, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { enterWith, openProvider } from '../testing/provider.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const provider = await openProvider();
const shop = await openAccountsShop({ rateLimitFactor: 1_000, publicUrl: 'https://shop.example', google: provider.config });
afterAll(() => Promise.all([shop.close(), provider.close()]));

let who: typeof alice;
let wanted: string;
let number = 0;
let at: Browser;
beforeEach(async () => {
  holdTheClock();
  number += 1;
  who = { ...alice, email: `old-${number}@example.com` };
  wanted = `new-${number}@example.com`;
  at = shop.browser();
  await signUp(shop, at, who);
});
afterEach(() => vi.useRealTimers());

const ask = (email = wanted, given: object = {}, browser = at) => browser.post('/api/user/email', { email, password: PASSWORD, ...given });
const confirm = (code: string, browser = at) => browser.post('/api/user/email/confirm', { code });
const change = async (email = wanted, browser = at) => {
  expect((await ask(email, {}, browser)).status).toBe(200);
  expect((await confirm(await shop.codeFor(email), browser)).status).toBe(200);
};
const addressOf = async (browser: Browser) => ((await browser.get('/api/user/fetch-user')).body as { email: string }).email;
const takeBack = (token: string) => shop.browser().post('/api/user/email/take-back', { token });
const linkTo = async (email: string): Promise<string> => {
  const mail = (await shop.mails()).find(({ to, subject }) => to === email && subject.startsWith('E-mail address changed'));
  return /^https:\/\/shop\.example\/take-back-email\?token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? expect.fail('no link was mailed');
};
const NEW_PASSWORD = 'jasmine after the rain';
/** Sets a new password by a mailed link, and signs in with it. */
const enterByReset = async ({ email } = who) => {
  await shop.browser().post('/api/user/forgot-password', { email });
  const set = { token: await shop.resetToken(), password: NEW_PASSWORD, confirm_password: NEW_PASSWORD };
  expect((await shop.browser().post('/api/user/reset-password', set)).status).toBe(200);
  return logIn(shop.browser(), { email, password: NEW_PASSWORD });
};

describe('changing the address', () => {
  test('takes the password and a code mailed to the new one, and tells the old one', async () => {
    await change();
    expect(await addressOf(at)).toBe(wanted);
    expect((await logIn(shop.browser(), who)).status).toBe(401);
    expect((await logIn(shop.browser(), { ...who, email: wanted })).status).toBe(200);
    const told = (await shop.mails()).find(({ to, subject }) => to === who.email && subject.startsWith('E-mail address changed'));
    expect(told?.text).not.toContain(wanted);
    expect(told?.text).toContain('Mails about your account go to the new one.');
    expect(await shop.securityEvents('email_changed')).not.toEqual([]);
    await signUp(shop, shop.browser(), who);
  });

  test('wants the right password, and mails nothing without it', async () => {
    expect(await ask(wanted, { password: 'not this one' })).toMatchObject({ status: 403, body: { message: 'Wrong password' } });
    expect(await ask(wanted, { password: undefined })).toMatchObject({ status: 400, body: { errors: { password: 'Required' } } });
    expect(await ask('no address')).toMatchObject({ status: 400 });
    expect(await ask(who.email)).toMatchObject({ status: 400, body: { errors: { email: 'This is your address already' } } });
    expect((await shop.mails()).filter(({ to }) => to === wanted)).toEqual([]);
    expect((await ask(wanted, {}, shop.browser())).status).toBe(401);
  });

  test('to that of another account is refused', async () => {
    await signUp(shop, shop.browser(), { ...alice, email: wanted });
    expect(await ask()).toMatchObject({ status: 409, body: { message: 'Email already registered' } });
  });

  test('tells of ten addresses an hour at most whether they have an account', async () => {
    const limited = await openAccountsForTest();
    const [asker, taken] = [limited.browser(), { ...alice, email: wanted }];
    await signUp(limited, limited.browser(), taken);
    await signUp(limited, asker, who);
    expect((await ask('nobody@example.com', {}, asker)).status).toBe(200);
    // Within a minute the answer is the same for every address, and does not count.
    for (const email of [wanted, 'nobody-else@example.com'])
      expect(await ask(email, {}, asker)).toMatchObject({ status: 429, body: { code: 'otp_too_soon' } });
    passTime(MINUTE);
    for (let time = 0; time < 9; time += 1) expect((await ask(wanted, {}, asker)).status).toBe(409);
    expect(await ask(wanted, {}, asker)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  });

  test('follows the rules of codes: five tries, ten minutes, one a minute', async () => {
    await ask();
    const code = await shop.codeFor(wanted);
    const wrong = code === '000000' ? '111111' : '000000';
    expect((await ask()).status).toBe(429);
    for (let time = 0; time < 5; time += 1) expect(await confirm(wrong)).toMatchObject({ status: 400, body: { message: 'Invalid OTP' } });
    expect((await confirm(code)).status).toBe(429);
    const { _id } = (await at.get('/api/user/fetch-user')).body as { _id: string };
    expect((await shop.securityEvents('code_burnt')).filter(({ subject }) => subject === `user:${_id}`)).toHaveLength(1);
    passTime(MINUTE);
    await ask();
    const next = await shop.codeFor(wanted);
    passTime(10 * MINUTE + 1_000);
    expect(await confirm(next)).toMatchObject({ status: 400, body: { message: 'OTP expired' } });
    expect(await addressOf(at)).toBe(who.email);
    expect((await confirm('12345')).status).toBe(400);
  });

  test('mails no code that a newer one replaced before it was sent', async () => {
    await ask();
    passTime(MINUTE);
    await ask();
    expect((await shop.mails()).filter(({ to }) => to === wanted)).toHaveLength(1);
    expect((await confirm(await shop.codeFor(wanted))).status).toBe(200);
  });

  test('takes a code once', async () => {
    await ask();
    const code = await shop.codeFor(wanted);
    const answers = await Promise.all([confirm(code), confirm(code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('of two accounts to one address at once lets one have it', async () => {
    const bob = shop.browser();
    await signUp(shop, bob, { ...alice, email: `bob-${number}@example.com` });
    await ask();
    const mine = await shop.codeFor(wanted);
    await ask(wanted, {}, bob);
    const theirs = await shop.codeFor(wanted);
    const answers = await Promise.all([confirm(mine), confirm(theirs, bob)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([await addressOf(at), await addressOf(bob)].filter((email) => email === wanted)).toHaveLength(1);
  });

  test('to one that somebody registered and never proved takes it', async () => {
    const stranger = shop.browser();
    const userId = getUserId(await stranger.post('/api/user/register', { ...alice, email: wanted }));
    const code = await shop.codeFor(wanted);
    passTime(MINUTE);
    await change();
    expect(await addressOf(at)).toBe(wanted);
    expect((await stranger.post('/api/user/verify-otp', { userId, otp: code })).status).toBe(400);
  });

  test('leaves neither address readable in the tables', async () => {
    await ask();
    const { rows: waiting } = await shop.pool.query<{ personal: Buffer }>('select personal from shop.email_changes');
    await confirm(await shop.codeFor(wanted));
    const { rows: former } = await shop.pool.query<{ personal: Buffer }>('select personal from shop.former_emails');
    const stored = [...waiting, ...former].map(({ personal }) => personal.toString('latin1')).join('\n');
    for (const email of [who.email, wanted]) expect(stored).not.toContain(email);
  });

  test('makes a link mailed to the old address useless', async () => {
    await shop.browser().post('/api/user/forgot-password', { email: who.email });
    const token = await shop.resetToken();
    await change();
    const set = { token, password: 'jasmine after the rain', confirm_password: 'jasmine after the rain' };
    expect((await shop.browser().post('/api/user/reset-password', set)).status).toBe(400);
  });
});

describe('the former address', () => {
  test('takes the account back once, and ends every session', async () => {
    await change();
    const token = await linkTo(who.email);
    expect((await takeBack(token)).status).toBe(200);
    await expect.poll(async () => (await at.get('/api/user/fetch-user')).status, { timeout: 1_000 }).toBe(401);
    expect((await logIn(shop.browser(), { ...who, email: wanted })).status).toBe(401);
    expect((await enterByReset()).status).toBe(200);
    expect((await takeBack(token)).status).toBe(400);
    expect(await shop.securityEvents('email_taken_back')).not.toEqual([]);
  });

  test('makes the password useless, which whoever changed the address knows', async () => {
    await change();
    expect(await takeBack(await linkTo(who.email))).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('the old password opens nothing') },
    });
    expect((await logIn(shop.browser(), who)).status).toBe(401);
    expect((await enterByReset()).status).toBe(200);
  });

  test('leaves an account that came with Google without a password, and lets its Google account in', async () => {
    const holder = shop.browser();
    const subject = `holder-${number}`;
    await enterWith(provider, holder, subject);
    passTime(MINUTE);
    await change(wanted, holder);
    expect((await takeBack(await linkTo(`${subject}@example.com`))).status).toBe(200);
    const again = shop.browser();
    expect((await enterWith(provider, again, subject)).status).toBe(200);
    expect((await again.get('/api/user/account')).body).toMatchObject({ hasPassword: false });
    expect((await enterByReset({ ...who, email: `${subject}@example.com` })).status).toBe(200);
  });

  test('signs the browser out that uses the link, whoever is signed in there', async () => {
    await change();
    const browser = shop.browser();
    await signUp(shop, browser, { ...alice, email: `other-${number}@example.com` });
    const left = withCookies(shop.browser(), browser.cookies);
    expect((await browser.post('/api/user/email/take-back', { token: await linkTo(who.email) })).status).toBe(200);
    expect([...browser.cookies.keys()]).not.toContain('signed_in');
    expect((await left.get('/api/user/fetch-user')).status).toBe(401);
  });

  test('has 72 hours', async () => {
    await change();
    passTime(72 * HOUR + 1_000);
    expect((await takeBack(await linkTo(who.email))).status).toBe(400);
    expect((await takeBack('made up')).status).toBe(400);
    expect((await logIn(shop.browser(), { ...who, email: wanted })).status).toBe(200);
  });

  test('takes it back from a thief who changed it twice, who cannot take it back in turn', async () => {
    const third = `third-${number}@example.com`;
    await change();
    passTime(MINUTE);
    await change(third);
    const [mine, thiefs] = [await linkTo(who.email), await linkTo(wanted)];
    expect((await takeBack(mine)).status).toBe(200);
    expect((await takeBack(thiefs)).status).toBe(400);
    expect((await enterByReset()).status).toBe(200);
  });

  test('gets rid of what the thief added: a second factor and a third party', async () => {
    await change();
    const { secret } = (await at.post('/api/user/totp/begin')).body as { secret: string };
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) });
    expect((await at.post('/api/user/totp/confirm', { code })).status).toBe(200);
    const thief = `new-${number}`;
    expect((await enterWith(provider, at, thief)).status).toBe(200);
    expect((await at.get('/api/user/account')).body).toMatchObject({ google: true });
    expect((await takeBack(await linkTo(who.email))).status).toBe(200);
    const entered = await enterByReset();
    expect(entered.body).toMatchObject({ user: { email: who.email, totp: false } });
    const again = shop.browser();
    await enterWith(provider, again, thief);
    expect(await addressOf(again)).not.toBe(who.email);
  });

  test.each([
    [true, 73 * 60],
    [false, 71 * 60],
  ])('keeps a second factor, %s, that was turned on %i minutes before', async (isKept, minutes) => {
    const { secret } = (await at.post('/api/user/totp/begin')).body as { secret: string };
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) });
    await at.post('/api/user/totp/confirm', { code });
    passTime(minutes * MINUTE);
    await change();
    await takeBack(await linkTo(who.email));
    expect('totpRequired' in ((await enterByReset()).body as object)).toBe(isKept);
  });

  test('that has another account meanwhile stays with it', async () => {
    await change();
    const token = await linkTo(who.email);
    await signUp(shop, shop.browser(), who);
    expect((await takeBack(token)).status).toBe(409);
    expect(await addressOf(at)).toBe(wanted);
  });
});
