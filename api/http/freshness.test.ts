import Koa from 'koa';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { logPosition, type Category, type LogPosition } from '#domain/event-store.ts';
import type { Freshness } from '#projections/reading/progress.ts';

import { listening } from '../testing/listening.ts';
import type { State } from './context.ts';
import { limitWaits, waitForReadModel, setPosition, type FreshnessSource } from './freshness.ts';
import { shedLoad } from './load-shedding.ts';

const asked: { position: bigint; milliseconds: number }[] = [];
let freshness: Freshness = 'fresh';

/** Records its calls, and answers as the test tells it. */
const model: Pick<FreshnessSource, 'waitFor'> = {
  waitFor: (position, milliseconds) => {
    asked.push({ position, milliseconds });
    return Promise.resolve(freshness);
  },
};

const app = new Koa<State>();
app.use(limitWaits({ head: () => Promise.resolve(logPosition(99n)) }));
app.use((ctx, next) => {
  if (ctx.path !== '/command') return next();
  setPosition(ctx, 'cart', logPosition(41n));
  setPosition(ctx, 'order', logPosition(42n));
  ctx.body = 'done';
});
app.use(waitForReadModel(model, ['product', 'cart']));
app.use((ctx) => {
  ctx.body = 'answer';
});
const server = await listening(app.callback());
afterAll(() => server.close());
beforeEach(() => {
  asked.length = 0;
  freshness = 'fresh';
});

const ask = (path: string, pos?: string) =>
  fetch(server.url + path, { headers: pos === undefined ? {} : { Cookie: `other=1; pos=${pos}` } });
const left = (response: Response) => /^pos=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1];

describe('a command sets the position of its events', () => {
  test('by category, in a cookie that no script reads', async () => {
    const response = await ask('/command');
    expect(left(response)).toBe('cart.41~order.42');
    expect(response.headers.get('set-cookie')).toMatch(/path=\/.*samesite=lax.*httponly/i);
  });

  test('without changing earlier positions, and never replaces one by an older one', async () =>
    expect(left(await ask('/command', 'product.7~cart.99'))).toBe('product.7~cart.99~order.42'));
});

describe("a query waits for its browser's own commands", () => {
  test('without commands it does not wait and sets no cookie', async () => {
    const response = await ask('/query');
    expect({ asked, cookie: left(response), stale: response.headers.get('x-stale') }).toEqual({
      asked: [],
      cookie: undefined,
      stale: null,
    });
  });

  test('for the newest position of the categories that the read model follows, two seconds at most', async () => {
    await ask('/query', 'product.7~cart.31~order.100');
    expect(asked).toEqual([{ position: 31n, milliseconds: expect.closeTo(2_000, -3) }]);
  });

  test('but not for other categories', async () => {
    await ask('/query', 'order.100');
    expect(asked).toEqual([]);
  });

  test('and marks the answer as stale when the wait was too short or would not help', async () => {
    freshness = 'stale';
    expect((await ask('/query', 'cart.31')).headers.get('x-stale')).toBe('true');
    freshness = 'parked';
    expect((await ask('/query', 'cart.31')).headers.get('x-stale')).toBe('parked');
    freshness = 'fresh';
    expect((await ask('/query', 'cart.31')).headers.get('x-stale')).toBeNull();
  });

  test.each(['', 'cart', 'cart.-1', 'cart.1e9', 'cart.99999999999999999999999', 'pirate.3', '~~', '%00'])(
    'and ignores a forged cookie (%s)',
    async (pos) => {
      expect(await (await ask('/query', pos)).text()).toBe('answer');
      expect(asked).toEqual([]);
    },
  );
});

describe('a position that is made up', () => {
  let entered: () => void;
  let hasEntered: Promise<void>;
  let release: () => void;
  let gate: Promise<void>;
  beforeEach(() => {
    hasEntered = new Promise((resolve) => (entered = resolve));
    gate = new Promise((resolve) => (release = resolve));
  });

  /** Waits until the gate opens, unless it may not wait. */
  const slow: FreshnessSource = {
    waitFor: async (position, milliseconds) => {
      asked.push({ position, milliseconds });
      entered();
      if (milliseconds > 0) await gate;
      return 'stale';
    },
  };

  const open = async (store: Parameters<typeof limitWaits>[0], { places = 10, waiting = 10 } = {}) => {
    const app = new Koa<State>();
    app.use(shedLoad(places));
    app.use(limitWaits(store, waiting));
    app.use((ctx, next) => (ctx.path === '/plain' ? void (ctx.body = 'plain') : next()));
    app.use(waitForReadModel(slow, ['cart']));
    app.use((ctx, next) => (ctx.path === '/once' ? next() : waitForReadModel(slow, ['cart'])(ctx, next)));
    app.use((ctx) => void (ctx.body = 'answer'));
    const other = await listening(app.callback());
    onTestFinished(() => other.close());
    return (path: string, pos = 'cart.1000') => fetch(other.url + path, { headers: { Cookie: `pos=${pos}` } });
  };
  const endsAt = (position: bigint) => ({ head: () => Promise.resolve(logPosition(position)) });

  test('counts as far as the log reaches, which many requests ask once', async () => {
    const categories: (readonly Category[])[] = [];
    let answer: (end: LogPosition) => void = () => {};
    const end = new Promise<LogPosition>((resolve) => (answer = resolve));
    const request = await open({ head: (each) => (categories.push(each), end) });
    release();
    const requests = ['cart.1000~order.40', 'cart.2000', 'cart.3000'].map((pos) => request('/once', pos));
    await expect.poll(() => categories.length).toBeGreaterThan(0);
    answer(logPosition(50n));
    await Promise.all(requests);
    expect(asked.map(({ position }) => position)).toEqual([50n, 50n, 50n]);
    expect(categories.length).toBeLessThanOrEqual(4);
    // What was seen once is not asked again.
    const before = categories.length;
    await request('/once', 'cart.50~order.50');
    expect(categories.length).toBe(before);
  });

  test('counts if the log does not answer, so that no stale answer looks fresh', async () => {
    const request = await open({ head: () => Promise.reject(new Error('away')) });
    release();
    expect((await request('/once')).headers.get('x-stale')).toBe('true');
    expect(asked.map(({ position }) => position)).toEqual([1000n]);
  });

  test('takes no place from others while it waits', async () => {
    const request = await open(endsAt(50n), { places: 1 });
    const waiting = request('/once');
    await hasEntered;
    expect((await request('/plain')).status).toBe(200);
    release();
    expect((await waiting).status).toBe(200);
  });

  test('waits once: all waits of a request end together', async () => {
    const request = await open(endsAt(50n));
    const started = performance.now();
    const waiting = request('/twice');
    await hasEntered;
    await expect.poll(() => performance.now() - started).toBeGreaterThan(200);
    release();
    await waiting;
    expect(asked).toHaveLength(2);
    expect(asked[1]?.milliseconds).toBeLessThan(1_900);
  });

  test('is answered as stale at once while too many others wait', async () => {
    const request = await open(endsAt(50n), { waiting: 1 });
    const waiting = request('/once');
    await hasEntered;
    expect((await request('/once')).headers.get('x-stale')).toBe('true');
    release();
    await waiting;
  });
});
