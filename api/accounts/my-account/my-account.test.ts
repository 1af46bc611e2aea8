import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { nameDevice } from '../sessions/device-name.ts';
import { holdTheClock, openAccountsForTest, openAccountsShop, passTime } from '../testing/accounts-shop.ts';
import type { Answer, Browser } from '../testing/browser.ts';
import { alice, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { enterWith, openProvider } from '../testing/provider.ts';

const MINUTE = 60_000;
const NEW = { password: 'jasmine after the rain', confirm_password: 'jasmine after the rain' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

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
  who = { ...alice, email: `owner-${(number += 1)}@example.com` };
  at = shop.browser();
  await signUp(shop, at, who);
});
afterEach(() => vi.useRealTimers());

const put = (path: string, body: object, browser = at) => browser.send('PUT', `/api/user/${path}`, { body });
const changePassword = (given: object = {}, browser = at) => put('password', { current: PASSWORD, ...NEW, ...given }, browser);
const fetchUser = (browser: Browser) => browser.get('/api/user/fetch-user');

type Listed = { _id: string; device: string; address: string; lastUsedAt: string; current: boolean };
const sessionsOf = async (browser: Browser) => ((await browser.get('/api/user/sessions')).body as { sessions: Listed[] }).sessions;
const inOther = (browser: Browser): Browser => {
  const same = other.browser();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
};
const untilSignedOut = (browser: Browser) => expect.poll(async () => (await fetchUser(browser)).status, { timeout: 1_000 }).toBe(401);

describe('name and phone', () => {
  test('are changed, in every process at once, and the address stays', async () => {
    const changed = await put('profile', { name: ' Ananya Mehta ', phone: '+91 98200 55501', email: 'x@example.com', isAdmin: true });
    expect(changed.status).toBe(200);
    const expected = { name: 'Ananya Mehta', phone: '+91 98200 55501', email: who.email, isAdmin: false, roles: [], totp: false };
    expect(changed.body).toMatchObject(expected);
    expect((await fetchUser(inOther(at))).body).toEqual(changed.body);
  });

  test.each([
    [{ phone: '+91 98200 55501' }, { name: 'Required' }],
    [{ name: ' ', phone: '+91 98200 55501' }, { name: 'Required' }],
    [{ name: 'Ananya', phone: 'call me' }, { phone: 'Please enter a valid phone number' }],
  ])('that are wrong are named, and nothing changes: %j', async (given, errors) => {
    const refused = await put('profile', given);
    expect(refused).toMatchObject({ status: 400, body: { errors } });
    expect((await fetchUser(at)).body).toMatchObject({ name: who.name, phone: who.phone });
  });

  test('may be without a phone', async () => {
    expect((await put('profile', { name: 'Ananya', phone: '' })).body).toMatchObject({ name: 'Ananya', phone: '' });
  });

  test('of nobody cannot be changed', async () => {
    expect((await put('profile', { name: 'Ananya', phone: '' }, shop.browser())).status).toBe(401);
  });
});

describe('the password', () => {
  test('is changed, and every other session ends, while this one stays', async () => {
    const elsewhere = shop.browser();
    await logIn(elsewhere, who);
    expect((await changePassword()).status).toBe(200);
    expect((await fetchUser(at)).status).toBe(200);
    await untilSignedOut(elsewhere);
    expect((await logIn(shop.browser(), who)).status).toBe(401);
    expect((await logIn(shop.browser(), { ...who, ...NEW })).status).toBe(200);
    const mail = (await shop.mails()).find(({ to }) => to === who.email);
    expect(mail?.text).toContain('every other device was signed out');
    expect(mail?.text).not.toContain(NEW.password);
  });

  test('wants the current one, and a wrong one changes nothing', async () => {
    expect(await changePassword({ current: 'not this one' })).toMatchObject({ status: 403, body: { message: 'Wrong password' } });
    expect(await changePassword({ current: '' })).toMatchObject({ status: 400, body: { errors: { current: 'Required' } } });
    expect(await changePassword({ confirm_password: 'another one altogether' })).toMatchObject({ status: 400 });
    expect((await logIn(shop.browser(), who)).status).toBe(200);
    const failures = await shop.securityEvents('login_failed');
    expect(failures.at(-1)).toMatchObject({ detail: { how: 'to change your password' } });
  });

  test('makes a mailed link useless', async () => {
    await shop.browser().post('/api/user/forgot-password', { email: who.email });
    const token = await shop.resetToken();
    await changePassword();
    expect((await shop.browser().post('/api/user/reset-password', { token, ...NEW })).status).toBe(400);
  });

  test('changed twice at once is changed once', async () => {
    const answers = await Promise.all([changePassword(), changePassword({}, inOther(at))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  });

  test('may be guessed ten times in 15 minutes, in all places that ask for it', async () => {
    const strict = await openAccountsForTest({ databaseUrl: shop.databaseUrl });
    const owner = strict.browser('127.0.0.6');
    await logIn(owner, who);
    for (let time = 0; time < 10; time += 1) expect((await changePassword({ current: `guess ${time}` }, owner)).status).toBe(403);
    expect((await changePassword({}, owner)).status).toBe(429);
    expect((await owner.post('/api/user/totp/remove', { password: PASSWORD, code: '123456' })).status).toBe(429);
    passTime(15 * MINUTE + 1_000);
    expect((await changePassword({}, owner)).status).toBe(200);
  });

  test('is set by somebody who came with Google, soon after the sign-in', async () => {
    const guest = shop.browser();
    await enterWith(provider, guest, `google-${number}`);
    passTime(15 * MINUTE + 1_000);
    expect(await put('password', NEW, guest)).toMatchObject({ status: 403, body: { code: 'sign_in_again' } });
    await enterWith(provider, guest, `google-${number}`);
    expect(await (await guest.get('/api/user/account')).body).toMatchObject({ hasPassword: false, google: true });
    expect((await put('password', NEW, guest)).status).toBe(200);
    expect((await logIn(shop.browser(), { email: `google-${number}@example.com`, ...NEW })).status).toBe(200);
  });
});

describe('sessions', () => {
  test('are listed with device, address and last use, without anything that opens one', async () => {
    const firefox = shop.browser('127.0.0.9');
    await firefox.post('/api/user/login', { email: who.email, password: PASSWORD }, { headers: { 'user-agent': FIREFOX } });
    const listed = await sessionsOf(at);
    expect(listed).toHaveLength(2);
    const theirs = listed.find(({ current }) => !current);
    expect(theirs).toEqual({
      _id: expect.any(String),
      device: 'Firefox on Linux',
      address: '127.0.0.9',
      lastUsedAt: new Date().toISOString(),
      current: false,
    });
    const thief = shop.browser();
    thief.cookies.set('session', theirs?._id ?? '');
    expect((await fetchUser(thief)).status).toBe(401);
  });

  test('tell where they were last used', async () => {
    passTime(11 * MINUTE);
    await at.get('/api/user/fetch-user', { from: '127.0.0.7', headers: { 'user-agent': FIREFOX } });
    expect(await sessionsOf(at)).toMatchObject([
      { device: 'Firefox on Linux', address: '127.0.0.7', lastUsedAt: new Date().toISOString() },
    ]);
  });

  test('are ended one by one, in every process within a second', async () => {
    // The other process looks again as real time passes, by which sessions made under the held clock may have expired.
    vi.useRealTimers();
    await logIn(at, who);
    const elsewhere = other.browser();
    await logIn(elsewhere, who);
    expect((await elsewhere.get('/api/cart/get-cart')).body).toMatchObject({ shopper: { kind: 'user' } });
    const theirs = (await sessionsOf(at)).find(({ current }) => !current);
    expect((await at.send('DELETE', `/api/user/sessions/${theirs?._id}`)).status).toBe(200);
    const isGuest = async () => ((await elsewhere.get('/api/cart/get-cart')).body as { shopper: unknown }).shopper;
    await expect.poll(isGuest, { timeout: 1_000 }).toBeNull();
    expect((await fetchUser(at)).status).toBe(200);
    expect((await shop.securityEvents('session_ended')).at(-1)).toMatchObject({ subject: expect.stringMatching(/^user:/) });
  });

  test('of somebody else, or that are none, are not found and stay', async () => {
    const bob = shop.browser();
    await signUp(shop, bob, { ...alice, email: `bob-${number}@example.com` });
    const end = (id: string): Promise<Answer> => bob.send('DELETE', `/api/user/sessions/${id}`);
    const [mine] = await sessionsOf(at);
    const ids = [mine?._id ?? '', 'a'.repeat(64), 'x', "'; drop table shop.sessions; --", at.cookies.get('session') ?? ''];
    for (const id of ids) expect((await end(encodeURIComponent(id))).status).toBe(404);
    expect((await fetchUser(at)).status).toBe(200);
  });

  test('that expired are not listed', async () => {
    await logIn(shop.browser(), who);
    passTime(10 * 24 * 60 * MINUTE);
    await fetchUser(at);
    passTime(5 * 24 * 60 * MINUTE);
    expect(await sessionsOf(at)).toHaveLength(1);
  });

  test('end with their own browser, which is then signed out', async () => {
    const [mine] = await sessionsOf(at);
    await at.send('DELETE', `/api/user/sessions/${mine?._id}`);
    expect((await fetchUser(at)).status).toBe(401);
    expect(at.cookies.has('signed_in')).toBe(false);
  });
});

test.each([
  [FIREFOX, 'Firefox on Linux'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iPad',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Safari on Mac',
  ],
  ['curl/8.5.0', 'Unknown device'],
  ['<script>alert(1)</script> Linux', 'A program on Linux'],
  [undefined, 'Unknown device'],
])('%s is %s', (userAgent, name) => expect(nameDevice(userAgent)).toBe(name));
