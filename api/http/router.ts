import Router from '@koa/router';

import type { State } from './context.ts';

/**
 * Makes a router for which paths mean their letters: `/API/contact` is another path than `/api/contact`, for the routes as for all that
 * decides by path which middlewares a request passes through.
 */
export const createRouter = (options: { readonly prefix?: string } = {}): Router<State> =>
  new Router<State>({ ...options, sensitive: true });
