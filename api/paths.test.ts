import Router from '@koa/router';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { browser, type Answer } from './accounts/testing/browser.ts';
import { openTestShop, type TestShop } from './testing/test-shop.ts';

type Route = { readonly method: string; readonly path: string };

let shop: TestShop;
/** All routes of the shop, with a word for each parameter. */
const routes = new Map<string, Route>();

beforeAll(async () => {
  const register = vi.spyOn(Router.prototype, 'register');
  shop = await openTestShop({ projecting: true });
  for (const [given, methods] of register.mock.calls)
    for (const one of [given].flat()) {
      const path = String(one).replaceAll(/[:*]\w+/g, 'word');
      for (const method of methods.map((each) => each.toUpperCase()))
        routes.set(`${method} ${path}`, { method, path: path.startsWith('/api') ? path : `/api${path}` });
    }
  register.mockRestore();
});
afterAll(() => shop.close());

/** Only letters change: a path with a slash at its end is the same path, and passes through the same. */
const spellings = (path: string): readonly string[] => {
  const [, api = '', ...rest] = path.split('/');
  const tail = rest.join('/');
  return [
    `/${api.toUpperCase()}/${tail}`,
    `/Api/${tail}`,
    `/${api}/${tail.toUpperCase()}`,
    `/${api}/${tail[0]?.toUpperCase()}${tail.slice(1)}`,
    `/${api}//${tail}`,
    `/%61pi/${tail}`,
    `/${api}/${tail}/`,
  ];
};

/** What a request passed through shows in its answer: limits, sessions, caching, and the rights that were asked for. */
const shown = ({ status, headers, body }: Answer) => ({
  status,
  caching: headers['cache-control'],
  body: { ...(body as object), requestId: '' },
});

test('a path in another spelling is nothing, or passes through the same as the plain one', async () => {
  expect(routes.size).toBeGreaterThan(60);
  const visitor = browser(shop.url);
  const differing: unknown[] = [];
  for (const { method, path } of routes.values()) {
    if (method === 'HEAD') continue;
    const sent = method === 'POST' || method === 'PUT' ? { body: {} } : {};
    const plain = shown(await visitor.send(method, path, sent));
    for (const spelling of spellings(path)) {
      const odd = shown(await visitor.send(method, spelling, sent));
      const isSame = JSON.stringify(odd) === JSON.stringify(plain);
      const isEnding = spelling === `${path}/`;
      if (isEnding ? !isSame : odd.status !== 404 && odd.status !== 405) differing.push({ method, spelling, odd, plain });
    }
  }
  expect(differing).toEqual([]);
});

test.each(['GET', 'POST', 'PUT', 'DELETE'])('%s /API is nothing', async (method) => {
  expect((await browser(shop.url).send(method, '/API/contact')).status).toBe(404);
  expect((await browser(shop.url).send(method, '/API')).status).toBe(404);
});
