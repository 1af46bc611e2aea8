import Koa from 'koa';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { logPosition } from '#domain/event-store.ts';
import type { Freshness } from '#projections/reading/progress.ts';

import { listening } from '../testing/listening.ts';
import type { State } from './context.ts';
import { waitForReadModel, setPosition, type FreshnessSource } from './freshness.ts';

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
    expect(asked).toEqual([{ position: 31n, milliseconds: 2_000 }]);
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
