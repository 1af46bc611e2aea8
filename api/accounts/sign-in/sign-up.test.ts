import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { NOT_AN_EMAIL } from '#domain/shared/email.ts';

import type { Browser } from '../testing/browser.ts';
import { alice, hashOf, logIn, PASSWORD, signUp, getUserId } from '../testing/people.ts';
import { holdTheClock, openAccountsForTest, openAccountsShop, passTime } from '../testing/accounts-shop.ts';
import { codeHash, newCode } from './mailed-codes.ts';

const MINUTE = 60_000;
let number = 0;
const somebody = (): typeof alice => ({ ...alice, email: `somebody-${(number += 1)}@example.com` });
const verify = (at: Browser, userId: string, otp: string) => at.post('/api/user/verify-otp', { userId, otp });
/** Registers a new person, and returns the code that was mailed to them. */
const register = async (at = shop.browser()) => {
  const who = somebody();
  const userId = getUserId(await at.post('/api/user/register', who));
  return { at, who, userId, otp: await shop.codeFor(who.email) };
};
const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');

const shop = await openAccountsShop({ rateLimitFactor: 1_000 });
afterAll(() => shop.close());
beforeEach(holdTheClock);
afterEach(() => vi.useRealTimers());

describe('registering', () => {
  test('makes an ordinary, unverified account, whatever else is sent', async () => {
    const at = shop.browser();
    const who = somebody();
    const extras = {
      isAdmin: true,
      is_admin: true,
      isAuditor: true,
      role: 'admin',
      roles: ['owner'],
      _id: 'x',
      id: 'x',
      verified: true,
      verified_at: '2020-01-01',
    };
    const registered = await at.post('/api/user/register', { ...who, ...extras });
    expect(registered.status).toBe(201);
    expect(registered.body).toEqual({ userId: expect.stringMatching(/^[0-9a-f-]{36}$/), message: expect.any(String) });
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);

    const otp = await shop.codeFor(who.email);
    const verified = await at.post('/api/user/verify-otp', { userId: getUserId(registered), otp });
    const user = {
      _id: getUserId(registered),
      name: who.name,
      email: who.email,
      phone: who.phone,
      isAdmin: false,
      isAuditor: false,
      roles: [],
      totp: false,
    };
    expect(verified).toMatchObject({ status: 200, body: user });
    expect(verified.body).toEqual(user);
    expect((await at.get('/api/user/fetch-user')).body).toEqual(user);
    expect((await at.get('/api/admin/stats')).status).toBe(403);
  });

  test('names every wrong field', async () => {
    const at = shop.browser();
    const empty = await at.post('/api/user/register', {});
    expect(empty.status).toBe(400);
    expect(empty.body).toMatchObject({
      code: 'invalid_request',
      errors: { name: 'Required', email: 'Required', phone: 'Required', password: 'Required', confirm_password: 'Required' },
    });
    const sent = { name: 'A\r\nBcc: x@y.example', email: 'no address', phone: 'abc', password: 'password', confirm_password: 'other' };
    const { body } = await at.post('/api/user/register', sent);
    expect(body).toMatchObject({
      errors: {
        name: expect.any(String),
        email: NOT_AN_EMAIL,
        phone: 'Please enter a valid phone number',
        password: 'This password is too common',
        confirm_password: 'The passwords are not the same',
      },
    });
    expect(await at.post('/api/user/register', { ...somebody(), name: 'nul\0inside' })).toMatchObject({ status: 400 });
    const stranger = await at.post('/api/user/verify-otp', { userId: 'nobody', otp: '123456' });
    expect(stranger).toMatchObject({ status: 400, body: { errors: { userId: 'Not the id of an account' } } });
  });

  test('accepts a name in any script of India, with the marks that join its letters', async () =>
    expect(await shop.browser().post('/api/user/register', { ...somebody(), name: 'क्\u200dष राजू' })).toMatchObject({ status: 201 }));

  test('stores a name without its invisible characters', async () => {
    const pasted = { name: 'As\u200bha\u202e', phone: '\u202a+91 98200 55501\u202c', email: '\u2068pasted@example.com\u2069' };
    expect(await shop.browser().post('/api/user/register', { ...alice, ...pasted })).toMatchObject({ status: 201 });
    const stored = shop.db.selectFrom('users').select(['id as subject', 'personal']);
    const row = await stored.where('address_hash', '=', await hashOf(shop, 'pasted@example.com')).executeTakeFirstOrThrow();
    expect(await shop.sealed.open('users', row)).toMatchObject({ name: 'Asha', phone: '+91 98200 55501' });
  });

  test('is refused for a verified address, however it is written', async () => {
    const at = shop.browser();
    const who = { ...alice, email: 'ren\u00e9e@example.com' };
    await signUp(shop, at, who);
    for (const email of ['ren\u00e9e@example.com', 'RENE\u0301E@Example.com', ' rene\u0301e@example.com '])
      expect(await at.post('/api/user/register', { ...who, email })).toMatchObject({
        status: 409,
        body: { message: 'Email already registered', code: 'email_taken' },
      });
    expect(await logIn(at, { ...who, email: 'Rene\u0301E@EXAMPLE.com ' })).toMatchObject({ status: 200 });
  });

  test('twenty times at once with one address makes one account', async () => {
    const who = somebody();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.browser().post('/api/user/register', who)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(getUserId)).size).toBe(1);
    const otp = await shop.codeFor(who.email);
    const userId = getUserId(answers[0] ?? expect.fail());
    const inDevanagari = otp.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit)));
    expect(await verify(shop.browser(), userId, inDevanagari)).toMatchObject({ status: 200 });
  });

  test('again before verification keeps the user id, replaces the rest, and invalidates the older code', async () => {
    const at = shop.browser();
    const who = somebody();
    const first = await at.post('/api/user/register', who);
    const olderCode = await shop.codeFor(who.email);
    const again = { ...who, name: 'Alice B', phone: '12345', password: 'another one entirely', confirm_password: 'another one entirely' };
    const second = await at.post('/api/user/register', again);
    expect(second.status).toBe(201);
    const userId = getUserId(second);
    expect(userId).toBe(getUserId(first));

    const otp = await shop.codeFor(who.email);
    if (otp !== olderCode) expect(await verify(at, userId, olderCode)).toMatchObject({ status: 400 });
    expect(await verify(at, userId, otp)).toMatchObject({
      status: 200,
      body: { name: 'Alice B', phone: '12345' },
    });
    expect((await logIn(shop.browser(), { ...who, password: PASSWORD })).status).toBe(401);
    expect((await logIn(shop.browser(), again)).status).toBe(200);
  });

  test("by a stranger with the same address cannot get it verified with the stranger's password", async () => {
    const mine = shop.browser();
    const who = somebody();
    const userId = getUserId(await mine.post('/api/user/register', who));
    // Mails that are sent together may arrive in any order.
    await shop.mails();
    await shop
      .browser()
      .post('/api/user/register', { ...who, password: 'what the stranger knows', confirm_password: 'what the stranger knows' });
    const otp = await shop.codeFor(who.email);
    expect(await verify(mine, userId, otp)).toMatchObject({
      status: 409,
      body: { code: 'registration_replaced' },
    });
    expect((await logIn(shop.browser(), { ...who, password: 'what the stranger knows' })).status).toBe(403);

    await mine.post('/api/user/register', who);
    expect(await verify(mine, userId, await shop.codeFor(who.email))).toMatchObject({ status: 200 });
    expect((await logIn(shop.browser(), who)).status).toBe(200);
  });
});

describe('a registration that nobody completes', () => {
  const DAY = 24 * 60 * MINUTE;
  const isKept = async ({ email }: typeof alice): Promise<boolean> => {
    const users = shop.db.selectFrom('users').select('id');
    return (await users.where('address_hash', '=', await hashOf(shop, email)).executeTakeFirst()) !== undefined;
  };

  test('is deleted after 30 days, and the address can be registered again', async () => {
    const { who } = await register();
    passTime(30 * DAY);
    await shop.accounts.sweep();
    expect(await isKept(who)).toBe(true);
    passTime(1_000);
    await shop.accounts.sweep();
    expect(await isKept(who)).toBe(false);
    await signUp(shop, shop.browser(), who);
  });

  test('stays while its code is good, and so does an account that is verified or closed', async () => {
    const [begunAgain, closed] = [await register(), await register()];
    const verified = somebody();
    await signUp(shop, shop.browser(), verified);
    await shop.db.updateTable('users').set({ disabled: true }).where('id', '=', closed.userId).execute();
    passTime(31 * DAY);
    await begunAgain.at.post('/api/user/register', begunAgain.who);
    await shop.accounts.sweep();
    for (const who of [begunAgain.who, closed.who, verified]) expect(await isKept(who)).toBe(true);
    expect((await verify(begunAgain.at, begunAgain.userId, await shop.codeFor(begunAgain.who.email))).status).toBe(200);
  });
});

describe('a one-time code', () => {
  test('is invalid after five wrong attempts, and a new one is needed', async () => {
    const { at, who, userId, otp } = await register();
    for (let guess = 1; guess <= 5; guess++)
      expect(await verify(at, userId, wrong(otp, guess))).toMatchObject({
        status: 400,
        body: { message: 'Invalid OTP', code: 'invalid_otp' },
      });
    const burnt = await verify(at, userId, otp);
    expect(burnt).toMatchObject({ status: 429, body: { code: 'otp_burnt' }, headers: { 'retry-after': '60' } });

    passTime(MINUTE);
    expect(await at.post('/api/user/resend-otp', { userId })).toMatchObject({ status: 200 });
    expect(await verify(at, userId, await shop.codeFor(who.email))).toMatchObject({ status: 200 });
  });

  test('of forty guesses at once five are compared', async () => {
    const { userId, otp } = await register();
    const guesses = Array.from({ length: 40 }, (_, index) => wrong(otp, index + 1));
    const answers = await Promise.all(guesses.map((guess) => verify(shop.browser(), userId, guess)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
    expect(await verify(shop.browser(), userId, otp)).toMatchObject({ status: 429 });
  });

  test('works once, even when it is used twice at the same time', async () => {
    const { userId, otp } = await register();
    const answers = await Promise.all([1, 2].map(() => verify(shop.browser(), userId, otp)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await verify(shop.browser(), userId, otp)).toMatchObject({
      status: 400,
      body: { message: 'Invalid OTP' },
    });
  });

  test('is valid for ten minutes', async () => {
    const late = await register();
    passTime(10 * MINUTE + 1_000);
    const expired = { status: 400, body: { message: 'OTP expired', code: 'otp_expired' } };
    expect(await verify(late.at, late.userId, late.otp)).toMatchObject(expired);

    const early = await register();
    passTime(10 * MINUTE - 1_000);
    expect(await verify(early.at, early.userId, early.otp)).toMatchObject({ status: 200 });
  });

  test('is sent at most once a minute, including by registering', async () => {
    const at = shop.browser();
    const userId = getUserId(await at.post('/api/user/register', somebody()));
    passTime(20_000);
    expect(await at.post('/api/user/resend-otp', { userId })).toMatchObject({ status: 429, headers: { 'retry-after': '40' } });
    passTime(40_000);
    const answers = await Promise.all([1, 2, 3].map(() => at.post('/api/user/resend-otp', { userId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  });

  test('is the same for an id in any letter case, and so is the limit of new ones', async () => {
    const limited = await openAccountsForTest();
    const at = limited.browser();
    const who = somebody();
    const id = getUserId(await at.post('/api/user/register', who));
    for (let time = 0; time < 10; time += 1) {
      passTime(MINUTE);
      expect(await at.post('/api/user/resend-otp', { userId: time % 2 ? id : id.toUpperCase() })).toMatchObject({ status: 200 });
    }
    passTime(MINUTE);
    expect(await at.post('/api/user/resend-otp', { userId: id.toUpperCase() })).toMatchObject({ status: 429 });
    expect(await verify(at, id.toUpperCase(), await limited.codeFor(who.email))).toMatchObject({ status: 200 });
  });

  test('does not wait behind the mails of those that it replaces', async () => {
    const at = shop.browser();
    const who = somebody();
    const userId = getUserId(await at.post('/api/user/register', who));
    await at.post('/api/user/register', who);
    passTime(MINUTE);
    expect((await at.post('/api/user/resend-otp', { userId })).status).toBe(200);
    expect((await shop.mails()).filter(({ to }) => to === who.email)).toHaveLength(1);
    expect((await verify(at, userId, await shop.codeFor(who.email))).status).toBe(200);
  });

  test('is not sent where there is nothing to verify, with the same response', async () => {
    const at = shop.browser();
    const userId = await signUp(shop, at, somebody());
    const before = (await shop.mails()).length;
    for (const id of [userId, crypto.randomUUID()])
      expect(await at.post('/api/user/resend-otp', { userId: id })).toMatchObject({ status: 200 });
    expect((await shop.mails()).length).toBe(before);
    expect(await at.post('/api/user/verify-otp', { userId: crypto.randomUUID(), otp: '123456' })).toMatchObject({
      status: 400,
      body: { message: 'Invalid OTP' },
    });
    expect(await at.post('/api/user/verify-otp', { userId: "'; drop table", otp: '123456' })).toMatchObject({ status: 400 });
    expect(await verify(at, userId, '12345')).toMatchObject({
      status: 400,
      body: { errors: { otp: 'Please enter the full 6-digit OTP.' } },
    });
  });

  test('may contain blanks', async () => {
    const { at, userId, otp } = await register();
    expect(await verify(at, userId, otp.replace(/(..)(..)/, '$1 $2 '))).toMatchObject({ status: 200 });
  });

  test('is in clear text in the mail only', async () => {
    const at = shop.browser();
    const who = somebody();
    const registered = await at.post('/api/user/register', who);
    const waiting = await shop.db.selectFrom('outbox').selectAll().where('state', '=', 'waiting').execute();
    expect(waiting).not.toEqual([]);
    const otp = await shop.codeFor(who.email);
    const rows = await shop.db.selectFrom('codes').selectAll().execute();
    const outbox = await shop.db.selectFrom('outbox').selectAll().execute();
    const everything = [registered.body, at.setCookies, shop.logged, rows, outbox, waiting].map((each) =>
      JSON.stringify(each, (_, value: unknown) => (isBuffer(value) ? Buffer.from(value.data).toString('latin1') : value)),
    );
    // The code is searched as a whole word, because ids and times may contain its digits.
    for (const text of everything) expect(text).not.toMatch(new RegExp(`(?<![\\w.-])${otp}(?![\\w.-])`));
    expect(outbox.filter(({ state }) => state === 'sent').every(({ content }) => content === null)).toBe(true);
  });
});

const isBuffer = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';

test('one-time codes have six digits each, and repeat as often as chance predicts', () => {
  const codes = Array.from({ length: 100_000 }, newCode);
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
  // Of n codes out of a million, n − 10⁶ (1 − e^(−n/10⁶)) are expected to repeat: 4,837 of these.
  const repeated = codes.length - new Set(codes).size;
  expect(repeated).toBeGreaterThan(4_400);
  expect(repeated).toBeLessThan(5_300);
});

test('the stored hash depends on key, user and code', () => {
  const key = Buffer.alloc(32, 1);
  const hashes = [
    codeHash(key, 'alice', '123456'),
    codeHash(Buffer.alloc(32, 2), 'alice', '123456'),
    codeHash(key, 'bob', '123456'),
    codeHash(key, 'alice', '123457'),
  ];
  expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4);
});
