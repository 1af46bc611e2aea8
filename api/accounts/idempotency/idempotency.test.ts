import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { EventStoreUnavailable, WrongRevision, type LogPosition, type StreamName } from '#domain/event-store.ts';
import { add, oudSaffronMajlis, revise } from '#domain/testing/products.ts';

import { browser, withCookies, type Answer, type Browser } from '../testing/browser.ts';
import { alice } from '../testing/people.ts';
import { cartEvents, change } from '../../cart/testing/shopping.ts';
import type { ShopDatabase } from '../../platform/postgres/shop-tables.ts';
import { openShopForFile, openShopForTest } from '../../testing/test-shop.ts';
import { answerCache, forgetAnswers } from './answer-cache.ts';

let at: Browser;
let before: LogPosition;
let key: string;

const shop = await openShopForFile({ projecting: true });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
for (const id of [oudSaffronMajlis, 'ruh-gulab']) await change([shop, other], id, add());
await change([shop, other], 'sold-out', add({ inStock: false }));
beforeEach(async () => {
  at = browser(shop.url);
  await at.post('/api/cart/add-to-cart', { _id: oudSaffronMajlis });
  before = await shop.store.head(['cart']);
  key = randomUUID();
});

const elsewhere = (): Browser => withCookies(browser(other.url), at.cookies);
const send = (from: Browser, body: unknown, path = '/api/cart/add-to-cart', method = 'POST'): Promise<Answer> =>
  from.send(method, path, { body, headers: { 'Idempotency-Key': key } });
const addOne = (from = at): Promise<Answer> => send(from, { _id: oudSaffronMajlis });
/** Gives `at` the session of a new user. */
const becomeUser = async (roles: string): Promise<string> => {
  const { rows } = await shop.pool.query<{ id: string }>(
    `insert into shop.users (address_hash, personal, created_at, verified_at, roles) values ($1, 'sealed', now(), now(), $2) returning id`,
    [randomUUID(), roles],
  );
  const id = rows[0]?.id ?? expect.fail('no user');
  await shop.pool.query(`update shop.sessions set visitor_id = null, user_id = $1 where token_hash = sha256($2::text::bytea)`, [
    id,
    at.cookies.get('session'),
  ]);
  while ((await at.get('/api/user/fetch-user')).status !== 200);
  return id;
};
const happened = async (): Promise<number> => (await cartEvents(shop, before)).length;
const contentOf = ({ status, body, headers }: Answer) => ({ status, body, type: headers['content-type'] });

describe('a request with an Idempotency-Key', () => {
  test('is executed once and gets the same response when sent again, in any process', async () => {
    const first = await addOne();
    const again = [await addOne(), await addOne(elsewhere())];
    expect(first).toMatchObject({ status: 200, body: { items: [{ quantity: 2 }] } });
    expect(again.map(contentOf)).toEqual([contentOf(first), contentOf(first)]);
    expect(await happened()).toBe(1);
  });

  test('sets the position cookie in a repeated response too', async () => {
    const lost = elsewhere();
    await addOne();
    await addOne(lost);
    expect(lost.cookies.get('pos')).toBe(at.cookies.get('pos'));
  });

  test('that was refused is refused again', async () => {
    const first = await send(at, { _id: 'sold-out' });
    expect(first).toMatchObject({ status: 409, body: { message: 'Product is out of stock' } });
    await change([shop, other], 'sold-out', revise({ inStock: true }));
    expect(contentOf(await send(elsewhere(), { _id: 'sold-out' }))).toEqual(contentOf(first));
    await change([shop, other], 'sold-out', revise({ inStock: false }));
    expect(await happened()).toBe(0);
  });

  test('is refused with another body, path or method', async () => {
    await addOne();
    const others = [
      await send(at, { _id: oudSaffronMajlis, quantity: 2 }),
      await send(elsewhere(), { _id: 'ruh-gulab' }),
      await send(at, { _id: oudSaffronMajlis }, '/api/cart/add-to-cart?again'),
      await send(at, { _id: oudSaffronMajlis }, `/api/cart/update/${oudSaffronMajlis}`, 'PUT'),
    ];
    expect(others.map(({ status, body }) => [status, body])).toEqual(
      others.map(() => [422, { message: 'This Idempotency-Key was used for another request', code: 'idempotency_key_reused' }]),
    );
    expect(await happened()).toBe(1);
  });

  test('is executed once, however many arrive at once at two processes', async () => {
    const there = elsewhere();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => addOne(turn % 2 === 0 ? at : there)));
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, body: { items: [{ quantity: 2 }] } });
    expect(answers.map(contentOf)).toEqual(answers.map(() => first && contentOf(first)));
    expect(await happened()).toBe(1);
  });

  test('is a new request in another session', async () => {
    const stranger = browser(shop.url);
    await stranger.post('/api/cart/add-to-cart', { _id: 'ruh-gulab' });
    before = await shop.store.head(['cart']);
    await addOne();
    expect(await addOne(stranger)).toMatchObject({ body: { items: [{ productId: 'ruh-gulab' }, { quantity: 1 }] } });
    expect(await happened()).toBe(2);
  });

  test.each([
    ['as it is', (id: string) => `order/${id}/status`],
    ['in capitals', (id: string) => `order/${id.toUpperCase()}/status`],
    ['percent-encoded', (id: string) => `order/%${(id.codePointAt(0) ?? 0).toString(16)}${id.slice(1)}/status`],
    ['for its return', (id: string) => `return/${id}`],
  ])('of staff about an order belongs to its stream, with the id written %s', async (_, written) => {
    const id = randomUUID();
    await becomeUser('{orders}');
    await send(at, {}, `/api/admin/${written(id)}`, 'PUT');
    const { rows } = await shop.pool.query('select stream from shop.kept_answers where stream = $1', [`order-${id}`]);
    expect(rows).toEqual([{ stream: `order-${id}` }]);
  });

  test('of staff about something other than an order is answered as without the header', async () => {
    await becomeUser('{orders}');
    const paths = ['%00', '%', 'no-order'].map((id) => `/api/admin/order/${id}/status`);
    for (const path of paths) {
      key = randomUUID();
      expect((await send(at, {}, path, 'PUT')).status).toBe((await at.send('PUT', path, { body: {} })).status);
    }
  });

  test('that makes its sender a visitor is executed once', async () => {
    const nobody = browser(shop.url);
    const first = await addOne(nobody);
    expect(first).toMatchObject({ status: 200, body: { items: [{ quantity: 1 }] } });
    expect(contentOf(await addOne(nobody))).toEqual(contentOf(first));
    expect(await send(nobody, { _id: 'ruh-gulab' })).toMatchObject({ status: 422 });
    expect(await happened()).toBe(1);
  });

  test.each([
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['with a tab', 'one\ttwo'],
  ])('is refused when the key is %s', async (_, malformed) => {
    const refused = await at.post('/api/cart/add-to-cart', { _id: 'ruh-gulab' }, { headers: { 'Idempotency-Key': malformed } });
    expect(refused).toMatchObject({ status: 400, body: { message: 'Idempotency-Key takes 1 to 255 characters' } });
    expect(await happened()).toBe(0);
  });

  test('does not change how GET and DELETE are answered', async () => {
    const sent = { headers: { 'Idempotency-Key': '' } };
    expect((await at.get('/api/cart/get-cart', sent)).status).toBe(200);
    expect((await at.send('DELETE', '/api/cart/remove/ruh-gulab', sent)).status).toBe(200);
  });
});

/** Leaves a claim without a response, as a process does that dies during the request. */
const leaveBehind = (claimedUntil: string, command = 'command'): Promise<unknown> =>
  shop.pool.query(`update shop.kept_answers set answer = null, claimed_until = ${claimedUntil}, command = ${command}`);

describe('a process that dies during a request', () => {
  test('leaves the request to the next process, which does not repeat what was already done', async () => {
    const first = await addOne();
    await leaveBehind(`now() - interval '1 second'`);
    expect(contentOf(await addOne(elsewhere()))).toEqual(contentOf(first));
    expect(await happened()).toBe(1);
  });

  test('leaves the request to the next process, which executes it if nothing was done yet', async () => {
    await addOne();
    await leaveBehind(`now() - interval '1 second'`, 'gen_random_uuid()');
    expect(await addOne(elsewhere())).toMatchObject({ status: 200, body: { items: [{ quantity: 3 }] } });
    expect(await happened()).toBe(2);
  });

  test('delays the next process only until its claim expires', async () => {
    const first = await addOne();
    await leaveBehind(`now() + interval '700 milliseconds'`);
    expect(contentOf(await addOne(elsewhere()))).toEqual(contentOf(first));
    expect(await happened()).toBe(1);
  });

  test('does not let another request take over its key', async () => {
    await addOne();
    await leaveBehind(`now() - interval '1 second'`);
    expect((await send(elsewhere(), { _id: 'ruh-gulab' })).status).toBe(422);
  });
});

describe('a response', () => {
  const rows = async (): Promise<number> => (await shop.pool.query('select from shop.kept_answers where answer is not null')).rows.length;

  test('with a session cookie is not kept', async () => {
    const kept = await rows();
    const registered = await send(at, alice, '/api/user/register');
    expect(registered.status).toBe(201);
    expect(at.cookies.has('registration')).toBe(true);
    expect(await rows()).toBe(kept);
    expect((await send(at, { ...alice, name: 'Mallory' }, '/api/user/register')).status).toBe(422);
  });

  const loseNextConnection = (): void => {
    const append = shop.store.append.bind(shop.store);
    vi.spyOn(shop.store, 'append').mockImplementationOnce(async (...asked) => {
      await append(...asked);
      throw new EventStoreUnavailable('It was written, and then the connection broke');
    });
  };

  test('of an outage is not kept, and what was done before it is not repeated', async () => {
    loseNextConnection();
    expect((await addOne()).status).toBe(503);
    expect(await happened()).toBe(1);
    expect(await addOne()).toMatchObject({ status: 200, body: { items: [{ quantity: 2 }] } });
    expect(await happened()).toBe(1);
  });

  test('of an outage at a first visit opens no session, so that the visitor of the repeated request gets one bottle', async () => {
    loseNextConnection();
    const stranger = browser(shop.url);
    expect((await addOne(stranger)).status).toBe(503);
    expect(stranger.cookies.size).toBe(0);
    expect(await addOne(stranger)).toMatchObject({ status: 200, body: { items: [{ quantity: 1 }] } });
  });

  test('of a conflict in a cart is not kept', async () => {
    const brief = await openShopForTest({ databaseUrl: shop.databaseUrl, answerWithin: 2_000 });
    vi.spyOn(brief.store, 'append').mockImplementation(async (stream, { revision }) => {
      throw new WrongRevision(stream, revision, revision + 1);
    });
    expect(await addOne(withCookies(browser(brief.url), at.cookies))).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await addOne()).toMatchObject({ status: 200, body: { items: [{ quantity: 2 }] } });
    expect(await happened()).toBe(1);
  });

  test('of a rate limit is not kept', async () => {
    const strict = await openShopForTest({ people: { rateLimitFactor: 0.01 }, databaseUrl: shop.databaseUrl });
    const there = withCookies(browser(strict.url, '127.0.7.1'), at.cookies);
    const ask = () => send(there, { email: 'nobody@example.com' }, '/api/user/forgot-password');
    expect((await ask()).status).toBe(200);
    key = randomUUID();
    const kept = await rows();
    expect((await ask()).status).toBe(429);
    expect(await rows()).toBe(kept);
  });

  test('is repeated only to a session with the same permissions', async () => {
    const bob = await becomeUser('{money}');
    await addOne();
    await shop.pool.query(`update shop.users set roles = '{money,orders}' where id = $1`, [bob]);
    await at.get('/api/user/fetch-user');
    await addOne();
    expect(await happened()).toBe(2);
  });

  test('cannot be read in the database, and neither can the key or the body', async () => {
    await addOne();
    const { rows: stored } = await shop.pool.query<Record<string, unknown>>('select * from shop.kept_answers');
    const bytes = stored
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)));
    expect(stored.length).toBeGreaterThan(0);
    for (const text of bytes) expect(text).not.toMatch(new RegExp(`${oudSaffronMajlis}|items|${key}`));
  });

  test('is deleted with its session', async () => {
    await addOne();
    const kept = await rows();
    await shop.pool.query('delete from shop.sessions where token_hash in (select session from shop.kept_answers)');
    expect(kept).toBeGreaterThan(0);
    expect(await rows()).toBe(0);
  });

  test('is deleted after a day', async () => {
    await addOne();
    await shop.pool.query(`update shop.kept_answers set expires_at = now() - interval '1 minute'`);
    expect(await addOne()).toMatchObject({ status: 200, body: { items: [{ quantity: 3 }] } });
    await shop.pool.query(`update shop.kept_answers set expires_at = now() - interval '1 minute'`);
    await shop.people.accounts.sweep();
    expect(await rows()).toBe(0);
  });
});

const anySession = async (): Promise<Buffer> => {
  const { rows } = await shop.pool.query<{ token_hash: Buffer }>('select token_hash from shop.sessions limit 1');
  return rows[0]?.token_hash ?? Buffer.alloc(0);
};

const noting = (note: () => void): ShopDatabase =>
  shop.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      note();
      return Promise.resolve(result);
    },
  });

describe('concurrent requests', () => {
  const keys = { sealing: Buffer.alloc(32, 1), naming: Buffer.alloc(32, 2) };
  const answer = { status: 200, headers: {}, body: '{}', positions: '' };

  /** Claims twenty requests at once and ends them; `claimAll` claims them again. */
  const claimAndEnd = async (end: typeof answer | null) => {
    const session = await anySession();
    const asked = Array.from({ length: 20 }, (_, index) => ({ session, key: `${key} ${index}`, request: 'request' }));
    const statements = vi.fn<() => void>();
    const kept = answerCache({ db: noting(statements), keys, isLogHere: true });
    const claimAll = () => Promise.all(asked.map((each) => kept.claim(each)));
    const claimed = await claimAll();
    await Promise.all(claimed.map((each) => each.is === 'ours' && each.claim.end(end)));
    expect(statements).toHaveBeenCalledTimes(2);
    return { session, kept, asked, claimAll };
  };

  test('share statements, and an ended session does not affect the others', async () => {
    const { session, kept, asked, claimAll } = await claimAndEnd(answer);
    expect(await claimAll()).toEqual(asked.map(() => ({ is: 'answered', answer })));
    const ended = { session: Buffer.alloc(32), key, request: 'request' };
    const outcomes = await Promise.all([ended, { session, key, request: 'request' }].map((each) => kept.claim(each)));
    expect(outcomes.map(({ is }) => is)).toEqual(['without session', 'ours']);
  });

  test('share a statement when they end without a response, and are executed again', async () => {
    const { asked, claimAll } = await claimAndEnd(null);
    expect(await claimAll()).toMatchObject(asked.map(() => ({ is: 'ours', claim: { isRepeated: true } })));
  });

  test('about a forgotten stream run again under the same command, even those under way', async () => {
    const session = await anySession();
    const asked = (name: string, stream: StreamName) => ({ session, key: `${key} ${name}`, request: 'request', stream });
    const kept = answerCache({ db: shop.db, keys, isLogHere: true });
    const claimed = async (request: ReturnType<typeof asked>) => {
      const each = await kept.claim(request);
      return each.is === 'ours' ? each.claim : expect.fail(each.is);
    };
    const [answered, underWay, other] = [asked('answered', 'order-1'), asked('under way', 'order-1'), asked('other', 'order-2')];
    const [first, second, third] = [await claimed(answered), await claimed(underWay), await claimed(other)];
    await Promise.all([first.end(answer), third.end(answer)]);
    await forgetAnswers(shop.db, ['order-1']);
    await second.end(answer);
    expect(await claimed(answered)).toMatchObject({ command: first.command, isRepeated: true });
    expect(await claimed(underWay)).toMatchObject({ command: second.command, isRepeated: true });
    expect(await kept.claim(other)).toEqual({ is: 'answered', answer });
  });
});
