import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { unavailable } from '../../http/http-error.ts';
import { withCookies, type Answer, type Browser } from '../testing/browser.ts';
import { alice, bob, hashOf, logIn, PASSWORD, signUp } from '../testing/people.ts';
import { holdTheClock, openAccountsForTest, openAccountsShop, passTime, type AccountsShop } from '../testing/accounts-shop.ts';
import { endAccess, newVisitorId } from './session-store.ts';

const DAY = 24 * 3_600_000;

const shop = await openAccountsShop({ rateLimitFactor: 1_000 });
await signUp(shop, shop.browser());
await signUp(shop, shop.browser(), bob);
afterAll(() => shop.close());

const shopperOf = ({ body }: Answer): { kind: string; id: string } | null =>
  (body as { shopper: { kind: string; id: string } | null }).shopper;
const sessionsOf = async (userId: string): Promise<number> =>
  (await shop.db.selectFrom('sessions').select('user_id').where('user_id', '=', userId).execute()).length;
const meIn = async (at: Browser): Promise<string> => ((await at.get('/api/user/fetch-user')).body as { _id: string })._id;

const untilStatus = (status: number, ask: () => Promise<Answer>): Promise<unknown> =>
  expect.poll(async () => (await ask()).status).toBe(status);

describe('a visitor', () => {
  test('without a command gets no cookie and no row', async () => {
    const at = shop.browser();
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toBeNull();
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
    expect((await at.get('/api/order/get-AllOrders')).status).toBe(401);
    expect(at.setCookies).toEqual([]);
  });

  test('gets a session with the first command, and keeps it', async () => {
    const at = shop.browser();
    const first = shopperOf(await at.post('/api/cart/add-to-cart', {}));
    expect(first).toMatchObject({ kind: 'visitor' });
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toEqual(first);
    expect(shopperOf(await at.post('/api/cart/add-to-cart', {}))).toEqual(first);
    expect(at.setCookies).toHaveLength(2);
    expect(at.cookies.has('signed_in')).toBe(false);
    expect(at.cookies.get('visitor')).toBe('1');
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
  });

  test('with an invented token has no session', async () => {
    const at = shop.browser();
    at.cookies.set('session', 'A'.repeat(43));
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toBeNull();
    at.cookies.set('session', "x'; drop table shop.sessions; --");
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toBeNull();
  });
});

describe('signing in', () => {
  test("gives the browser a new token, and the visitor's cart and orders to the user", async () => {
    const at = shop.browser();
    const visitor = shopperOf(await at.post('/api/cart/add-to-cart', {}));
    const before = at.cookies.get('session') ?? '';
    shop.mergers.length = 0;
    await logIn(at);
    const me = await meIn(at);
    expect(shop.mergers).toEqual([{ visitor: visitor?.id, user: me }]);
    expect(at.cookies.get('session')).not.toBe(before);
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toEqual({ kind: 'user', id: me });

    const thief = shop.browser();
    thief.cookies.set('session', before);
    expect(shopperOf(await thief.get('/api/cart/get-cart'))).toBeNull();
  });

  test('again as another user ends the first session and merges nothing', async () => {
    const at = shop.browser();
    await logIn(at);
    const before = at.cookies.get('session') ?? '';
    shop.mergers.length = 0;
    await logIn(at, bob);
    expect(shop.mergers).toEqual([]);
    const old = shop.browser();
    old.cookies.set('session', before);
    expect((await old.get('/api/user/fetch-user')).status).toBe(401);
    expect((await at.get('/api/user/fetch-user')).body).toMatchObject({ name: 'Bob' });
  });

  test('fails when the merge fails, and the visitor keeps everything', async () => {
    const failing = await openAccountsForTest({
      rateLimitFactor: 1_000,
      databaseUrl: shop.databaseUrl,
      onSignedIn: () => Promise.reject(unavailable('The carts are away')),
    });
    const at = failing.browser();
    const visitor = shopperOf(await at.post('/api/cart/add-to-cart', {}));
    expect((await logIn(at)).status).toBe(503);
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toEqual(visitor);
  });

  test('sets cookies hidden from scripts and other sites, and a hint for the page', async () => {
    const at = shop.browser();
    await logIn(at);
    const cookie = (name: string): string => at.setCookies.find((each) => each.startsWith(`${name}=`)) ?? '';
    expect(cookie('session')).toMatch(/^session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
    expect(cookie('device')).toMatch(/httponly/i);
    expect(cookie('signed_in')).toMatch(/^signed_in=1; path=\/; expires=[^;]+; samesite=lax$/i);
  });

  test('under https sets __Host- cookies, which are sent over TLS only', async () => {
    const secure = await openAccountsForTest({ rateLimitFactor: 1_000, databaseUrl: shop.databaseUrl, publicUrl: 'https://shop.example' });
    const at = secure.browser();
    await logIn(at);
    expect(at.setCookies.filter((each) => /^__Host-(?:session|device)=/.test(each))).toHaveLength(2);
    for (const each of at.setCookies) {
      expect(each).toMatch(/; secure/i);
      expect(each).not.toMatch(/domain=/i);
    }
    expect((await at.get('/api/user/fetch-user')).status).toBe(200);
  });

  test('keeps the token out of bodies, logs and rows', async () => {
    const at = shop.browser();
    const { body } = await logIn(at);
    const token = at.cookies.get('session') ?? '';
    const rows = await shop.db.selectFrom('sessions').selectAll().execute();
    const stored = rows.map(({ token_hash: hash }) => hash.toString('latin1') + hash.toString('base64url')).join();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    for (const text of [JSON.stringify(body), shop.logged.join(), stored]) expect(text).not.toContain(token);
  });
});

describe('a sign-in under way', () => {
  const carol = { ...alice, name: 'Carol', email: 'carol@example.com' };
  const NEXT = 'jasmine after the rain';
  let meanwhile: () => Promise<unknown>;
  let slow: AccountsShop;
  beforeAll(async () => {
    await signUp(shop, shop.browser(), carol);
    slow = await openAccountsShop({
      rateLimitFactor: 1_000,
      databaseUrl: shop.databaseUrl,
      onSignedIn: () => meanwhile().then(() => []),
    });
  });
  afterAll(() => slow.close());

  const carolsId = async (): Promise<string> => {
    const users = shop.db.selectFrom('users').select('id');
    return (await users.where('address_hash', '=', await hashOf(shop, carol.email)).executeTakeFirstOrThrow()).id;
  };
  const resetTo = async (password: string): Promise<void> => {
    await shop.browser().post('/api/user/forgot-password', { email: carol.email });
    const set = { token: await shop.resetToken(), password, confirm_password: password };
    expect((await shop.browser().post('/api/user/reset-password', set)).status).toBe(200);
  };
  const setDisabled = (disabled: boolean) => async () =>
    shop.db
      .updateTable('users')
      .set({ disabled })
      .where('id', '=', await carolsId())
      .execute();

  test.each<readonly [string, () => Promise<unknown>]>([
    ['a reset of the password', () => resetTo(NEXT)],
    ['the end of access', async () => shop.db.transaction().execute(async (tx) => endAccess(tx, [await carolsId()]))],
    ['closing the account', setDisabled(true)],
  ])('opens no session after %s', async (_, change) => {
    meanwhile = change;
    expect(await logIn(slow.browser(), carol)).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
    expect(await sessionsOf(await carolsId())).toBe(0);
    await setDisabled(false)();
    await resetTo(PASSWORD);
    expect((await logIn(shop.browser(), carol)).status).toBe(200);
    await resetTo(PASSWORD);
  });

  test('waits for an end of access that is not committed yet', async () => {
    meanwhile = () => Promise.resolve();
    const user = await carolsId();
    const entered = await shop.db.transaction().execute(async (tx) => {
      await endAccess(tx, [user]);
      const answer = logIn(slow.browser(), carol);
      const waiting = () => shop.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
      await expect.poll(async () => (await waiting()).rowCount).toBe(1);
      return { answer };
    });
    expect((await entered.answer).status).toBe(401);
    expect(await sessionsOf(user)).toBe(0);
  });
});

describe('a session', () => {
  beforeEach(holdTheClock);
  afterEach(() => vi.useRealTimers());

  test('ends on the server when its user signs out', async () => {
    const at = shop.browser();
    await logIn(at);
    const stolen = withCookies(shop.browser(), at.cookies);
    expect((await stolen.get('/api/user/fetch-user')).status).toBe(200);

    expect((await at.post('/api/user/logout')).status).toBe(200);
    expect(at.cookies.has('session')).toBe(false);
    expect(at.cookies.has('signed_in')).toBe(false);
    expect((await stolen.get('/api/user/fetch-user')).status).toBe(401);
    expect((await stolen.get('/api/order/get-AllOrders')).status).toBe(401);
    expect(shopperOf(await stolen.get('/api/cart/get-cart'))).toBeNull();
    expect(stolen.cookies.has('signed_in')).toBe(false);
    expect((await at.post('/api/user/logout')).status).toBe(200);
    expect(shopperOf(await at.post('/api/cart/add-to-cart', {}))).toMatchObject({ kind: 'visitor' });
  });

  test('of a visitor is not ended by signing out, and keeps its cart', async () => {
    const at = shop.browser();
    const visitor = shopperOf(await at.post('/api/cart/add-to-cart', {}));
    expect((await at.post('/api/user/logout')).status).toBe(200);
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toEqual(visitor);
  });

  test('expires after two weeks without use', async () => {
    const at = shop.browser();
    await logIn(at);
    const me = await meIn(at);
    passTime(13 * DAY);
    expect((await at.get('/api/user/fetch-user')).status).toBe(200);
    passTime(13 * DAY);
    expect((await at.get('/api/user/fetch-user')).status).toBe(200);
    passTime(14 * DAY + 1);
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
    await logIn(at);
    expect(shopperOf(await at.get('/api/cart/get-cart'))).toEqual({ kind: 'user', id: me });
  });

  test.each(['catalogue', 'auditor'] as const)('of staff (%s) expires after twelve hours without use', async (role) => {
    const at = shop.browser();
    const who = { ...alice, email: `staff-${role}@example.com` };
    await signUp(shop, at, who);
    await shop.db
      .updateTable('users')
      .set({ roles: [role] })
      .where('address_hash', '=', await hashOf(shop, who.email))
      .execute();
    await logIn(at, who);
    for (let time = 0; time < 2; time++) {
      passTime(DAY / 2 - 1_000);
      expect((await at.get('/api/user/fetch-user')).status).toBe(200);
    }
    passTime(DAY / 2 + 1);
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
  });

  test('expires after ninety days, used or not', async () => {
    const at = shop.browser();
    await logIn(at);
    for (let week = 1; week <= 12; week++) {
      passTime(7 * DAY);
      expect((await at.get('/api/user/fetch-user')).status).toBe(200);
    }
    passTime(6 * DAY + 1);
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
  });

  test('that expired long ago is deleted, and an active one is not', async () => {
    const at = shop.browser();
    await signUp(shop, at, { ...alice, email: 'sweep@example.com' });
    const me = await meIn(at);
    await shop.accounts.sweep();
    expect(await sessionsOf(me)).toBe(1);
    passTime(15 * DAY);
    await shop.accounts.sweep();
    expect(await sessionsOf(me)).toBe(0);
  });
});

describe('in two processes', () => {
  let other: AccountsShop;
  beforeAll(async () => {
    other = await openAccountsShop({ rateLimitFactor: 1_000, databaseUrl: shop.databaseUrl });
  });
  afterAll(() => other.close());

  const atOther = (at: Browser): Browser => withCookies(other.browser(), at.cookies);

  test('a session ended in one is refused by the other within a second', async () => {
    const at = shop.browser();
    await logIn(at);
    const there = atOther(at);
    expect((await there.get('/api/user/fetch-user')).status).toBe(200);
    await at.post('/api/user/logout');
    await untilStatus(401, () => atOther(there).get('/api/user/fetch-user'));
  });

  test('a password reset ends every session of the account in both', async () => {
    const who = { ...alice, email: 'everywhere@example.com' };
    const at = shop.browser();
    await signUp(shop, at, who);
    const there = other.browser();
    await logIn(there, who);
    expect((await there.get('/api/user/fetch-user')).status).toBe(200);
    await at.post('/api/user/forgot-password', { email: who.email });
    const token = await shop.resetToken();
    const password = 'something else altogether';
    expect((await shop.browser().post('/api/user/reset-password', { token, password, confirm_password: password })).status).toBe(200);
    expect((await at.get('/api/user/fetch-user')).status).toBe(401);
    await untilStatus(401, () => atOther(there).get('/api/user/fetch-user'));
  });

  test('an admin whose permission was removed is refused immediately in both', async () => {
    const at = shop.browser();
    await signUp(shop, at, { ...alice, email: 'manager@example.com' });
    const mine = shop.db.updateTable('users').where('address_hash', '=', await hashOf(shop, 'manager@example.com'));
    expect((await at.get('/api/admin/stats')).status).toBe(403);
    await mine.set({ roles: ['owner'] }).execute();
    expect((await at.get('/api/admin/stats')).status).toBe(200);
    expect((await at.get('/api/audit/events')).status).toBe(200);
    expect((await atOther(at).get('/api/admin/stats')).status).toBe(200);
    await mine.set({ roles: [] }).execute();
    expect((await at.get('/api/admin/stats')).status).toBe(403);
    expect((await atOther(at).get('/api/admin/stats')).status).toBe(403);
    await mine.set({ roles: ['auditor'] }).execute();
    expect((await at.get('/api/audit/events')).status).toBe(200);
    expect((await at.get('/api/admin/stats')).status).toBe(403);
    await mine.set({ disabled: true }).execute();
    expect((await at.get('/api/audit/events')).status).toBe(401);
    await untilStatus(401, () => atOther(at).get('/api/user/fetch-user'));

    const detail: unknown = expect.objectContaining({ right: 'figures', path: '/api/admin/stats' });
    const refused = { subject: expect.stringMatching(/^user:/), detail };
    expect(await shop.securityEvents('right_refused')).toContainEqual(expect.objectContaining(refused));
  });
});

test('commands carry their actor: a visitor, a user or an admin', async () => {
  const at = shop.browser();
  const act = async (): Promise<unknown> => ((await at.post('/api/cart/add-to-cart', {})).body as { actor: unknown }).actor;
  expect(await act()).toEqual({ kind: 'visitor', id: expect.any(String) });
  await signUp(shop, at, { ...alice, email: 'actor@example.com' });
  const id = await meIn(at);
  expect(await act()).toEqual({ kind: 'user', id });
  await shop.db
    .updateTable('users')
    .set({ roles: ['money'] })
    .where('id', '=', id)
    .execute();
  expect((await at.get('/api/admin/stats')).status).toBe(200);
  expect(await act()).toEqual({ kind: 'admin', id });
});

test('a hundred concurrent requests of one session query the database for it once', async () => {
  const at = shop.browser();
  await logIn(at, { ...bob, password: PASSWORD });
  let asked = 0;
  const { query } = shop.pool;
  const counting = vi.spyOn(shop.pool, 'query').mockImplementation((...given: unknown[]) => {
    if (JSON.stringify(given[0]).includes('find-session')) asked += 1;
    return Reflect.apply(query, shop.pool, given) as never;
  });
  const began = performance.now();
  await Promise.all(Array.from({ length: 100 }, () => at.get('/api/cart/get-cart')));
  const halfSeconds = (performance.now() - began) / 500;
  counting.mockRestore();
  // One more query is allowed for each half second that passes.
  expect(asked).toBeLessThanOrEqual(2 + halfSeconds);
});

test('ids of visitors are distinct UUIDs in the order in which they were made', () => {
  const moments = ['2026-11-21T18:00:00.000Z', '2026-11-21T18:00:00.001Z', '2031-01-01T00:00:00.000Z'].map((text) => new Date(text));
  const ids = moments.map(newVisitorId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16)).toBe(moments[0]?.getTime());

  const [moment = new Date()] = moments;
  expect(new Set(Array.from({ length: 1_000 }, () => newVisitorId(moment))).size).toBe(1_000);
});

test("a user's session is read in one statement with the key of their name and address", async () => {
  const at = shop.browser();
  await logIn(at, { ...bob, password: PASSWORD });
  // Everything that is cached has expired, and nothing expires during the request.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  const queries = vi.spyOn(shop.pool, 'query');
  const { body } = await at.get('/api/user/fetch-user');
  const asked = queries.mock.calls.map(([query]) => JSON.stringify(query));
  queries.mockRestore();
  clock.mockRestore();
  expect(body).toMatchObject({ name: bob.name, email: bob.email });
  expect(asked.filter((query) => query.includes('find-subject-keys'))).toEqual([]);
});
