import Router from '@koa/router';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openLogger } from '../infrastructure/logger.ts';
import { listening, type Listening } from '../testing/listening.ts';
import { byResource } from './by-resource.ts';
import type { State } from './context.ts';
import { errors } from './errors.ts';
import { requestId } from './request-id.ts';
import { unanswered } from './unanswered.ts';

let server: Listening;

beforeAll(async () => {
  const api = new Router<State>({ prefix: '/api' });
  api.get('/cart', (ctx) => {
    ctx.body = { cart: true };
  });
  api.put('/cart/:product', (ctx) => {
    ctx.body = { product: ctx.params['product'], route: ctx['_matchedRoute'] };
  });
  api.use(new Router<State>().get('/order/:id', (ctx) => void (ctx.body = { order: ctx.params['id'] })).routes());
  const app = new Koa<State>();
  app.silent = true;
  app.use(requestId);
  app.use(errors(openLogger('silent')));
  app.use(byResource(api));
  app.use(unanswered);
  server = await listening(app.callback());
});
afterAll(() => server.close());

const ask = async (path: string, method = 'GET') => {
  const response = await fetch(server.url + path, { method });
  return { status: response.status, allow: response.headers.get('Allow'), body: (await response.json()) as object };
};

describe('routes by resource', () => {
  test('are found as in one router', async () => {
    expect((await ask('/api/cart')).body).toEqual({ cart: true });
    expect((await ask('/api/cart/?q=1')).body).toEqual({ cart: true });
    expect((await ask('/API/Cart')).body).toEqual({ cart: true });
    expect((await ask('/api/order/a%2Fb')).body).toEqual({ order: 'a/b' });
    expect((await ask('/api/cart/oud', 'PUT')).body).toEqual({ product: 'oud', route: '/api/cart/:product' });
  });

  test('say by which methods a path may be asked', async () =>
    expect(await ask('/api/cart/oud', 'DELETE')).toMatchObject({ status: 405, allow: 'PUT' }));

  test.each(['/api/none', '/api/cart/oud/more', '/api', '/api/', '/cart'])('%s is 404', async (path) =>
    expect(await ask(path)).toMatchObject({ status: 404 }),
  );
});
