import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { withCookies } from '../testing/browser.ts';
import { alice, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { holdTheClock, openAccountsForTest, openAccountsShop, passTime } from '../testing/accounts-shop.ts';

const MINUTE = 60_000;
const NEW = { password: 'jasmine after the rain', confirm_password: 'jasmine after the rain' };
let who: typeof alice;
let number = 0;

const shop = await openAccountsShop({ rateLimitFactor: 1_000, publicUrl: 'https://shop.example' });
afterAll(() => shop.close());
beforeEach(async () => {
  holdTheClock();
  who = { ...alice, email: `forgetful-${(number += 1)}@example.com` };
  await signUp(shop, shop.browser(), who);
});
afterEach(() => vi.useRealTimers());

const mailsTo = async (email: string) => (await shop.mails()).filter(({ to }) => to === email);
const askedFor = async (email = who.email): Promise<string> => {
  expect((await shop.browser().post('/api/user/forgot-password', { email })).status).toBe(200);
  const [mail] = await mailsTo(email);
  return /^https:\/\/shop\.example\/reset-password\?token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? expect.fail('no link was mailed');
};
const set = (token: string, sent: object = NEW) => shop.browser().post('/api/user/reset-password', { token, ...sent });

describe('a forgotten password', () => {
  test('is replaced through a mailed link, and every session ends', async () => {
    const at = shop.browser();
    await logIn(at, who);
    expect((await set(await askedFor())).status).toBe(200);
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
    expect((await logIn(shop.browser(), who)).status).toBe(401);
    expect((await logIn(shop.browser(), { ...who, ...NEW })).status).toBe(200);
  });

  test('is replaced in a browser in which another user is signed in, who is signed out there', async () => {
    const browser = shop.browser();
    await signUp(shop, browser, { ...alice, email: `other-${number}@example.com` });
    const left = withCookies(shop.browser(), browser.cookies);
    expect((await browser.post('/api/user/reset-password', { token: await askedFor(), ...NEW })).status).toBe(200);
    expect([...browser.cookies.keys()]).not.toContain('signed_in');
    expect((await left.get('/api/user/fetch-user')).status).toBe(401);
  });

  test('is mailed to its owner when it was changed, once', async () => {
    const token = await askedFor();
    await set(token);
    await set(token);
    const [mail, ...others] = (await mailsTo(who.email)).filter(({ subject }) => subject === 'Password changed: your Ruhani account');
    expect(others).toEqual([]);
    expect(mail?.text).toContain('The password of your account was changed');
    expect(mail?.text).not.toContain(NEW.password);
  });

  test('gets the same response whether or not there is an account', async () => {
    const before = (await shop.mails()).length;
    const [known, unknown] = await Promise.all(
      [who.email, 'nobody@example.com'].map((email) => shop.browser().post('/api/user/forgot-password', { email })),
    );
    expect(unknown?.status).toBe(200);
    expect(unknown?.body).toEqual(known?.body);
    expect((await shop.mails()).length).toBe(before + 1);
    expect(await mailsTo('nobody@example.com')).toEqual([]);
  });

  test('gets no link at an unverified address', async () => {
    const email = `unverified-${number}@example.com`;
    await shop.browser().post('/api/user/register', { ...alice, email });
    await shop.browser().post('/api/user/forgot-password', { email });
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('lets a user sign in again whom strangers have locked out', async () => {
    const locked = await openAccountsForTest();
    await signUp(locked, locked.browser());
    for (let guess = 1; guess <= 10; guess++) await logIn(locked.browser(), { ...alice, password: 'wrong' });
    expect((await logIn(locked.browser())).status).toBe(429);
    await locked.browser().post('/api/user/forgot-password', { email: alice.email });
    const token = await locked.resetToken();
    const hers = locked.browser();
    expect((await hers.post('/api/user/reset-password', { token, ...NEW })).status).toBe(200);
    expect((await logIn(hers, { ...alice, ...NEW })).status).toBe(200);
  });
});

describe('the link to reset a password', () => {
  test('works once, even when it is used twice at the same time', async () => {
    const token = await askedFor();
    const answers = await Promise.all([set(token), set(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await set(token)).toMatchObject({ status: 400, body: { message: expect.stringContaining('not valid') } });
  });

  test('is valid for half an hour', async () => {
    const early = await askedFor();
    passTime(30 * MINUTE - 1_000);
    const late = await askedFor();
    expect((await set(early)).status).toBe(200);
    expect((await set(late)).status).toBe(400);
    const tooLate = await askedFor();
    passTime(30 * MINUTE + 1_000);
    expect((await set(tooLate)).status).toBe(400);
    expect((await logIn(shop.browser(), { ...who, ...NEW })).status).toBe(200);
  });

  test('is stored only as a hash', async () => {
    await askedFor();
    await shop.browser().post('/api/user/forgot-password', { email: who.email });
    const waiting = await shop.db.selectFrom('outbox').select('content').where('state', '=', 'waiting').execute();
    expect(waiting.map(({ content }) => content?.toString('latin1')).join()).not.toContain('reset-password');
    const token = /token=([\w-]+)/.exec((await mailsTo(who.email))[0]?.text ?? '')?.[1] ?? '';
    const rows = await shop.db.selectFrom('password_resets').select('token_hash').execute();
    expect(rows.map(({ token_hash: hash }) => hash.toString('base64url'))).not.toContain(token);
    expect(JSON.stringify(shop.logged)).not.toContain(token);
  });

  test.each([
    ['a made-up token', 'x'.repeat(43), NEW],
    ['no token', '', NEW],
    ['a password that is too common', undefined, { password: 'password1', confirm_password: 'password1' }],
    ['another confirmation', undefined, { ...NEW, confirm_password: PASSWORD }],
  ])('changes nothing with %s', async (_, token, sent) => {
    const real = await askedFor();
    expect((await set(token ?? real, sent)).status).toBe(400);
    expect((await logIn(shop.browser(), who)).status).toBe(200);
    expect((await set(real)).status).toBe(200);
  });
});

test('an address gets at most three links an hour, for all requests together', async () => {
  const strict = await openAccountsForTest();
  await signUp(strict, strict.browser());
  const ask = (from: string) => strict.browser(from).post('/api/user/forgot-password', { email: alice.email });
  for (let address = 1; address <= 3; address++) expect((await ask(`127.0.3.${address}`)).status).toBe(200);
  expect(await ask('127.0.3.4')).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
  const unknown = () => strict.browser('127.0.3.5').post('/api/user/forgot-password', { email: 'nobody@example.com' });
  for (let time = 1; time <= 3; time++) expect((await unknown()).status).toBe(200);
  expect((await unknown()).status).toBe(429);
});
