import type { RouterContext } from '@koa/router';

import { isFromThisMachine, type ShopMiddleware, type State } from './context.ts';
import { notFound, HttpError } from './http-error.ts';

/** Responds with 404 to an unknown path, and with 405 to an unknown method. */
export const unmatchedRoute: ShopMiddleware = (ctx) => {
  const { matched = [] } = ctx as Partial<RouterContext<State>>;
  const allowed = new Set(matched.flatMap(({ methods }) => methods));
  if (allowed.size === 0) throw notFound('There is nothing at this address');
  const headers = { Allow: [...allowed].join(', ') };
  throw new HttpError({ status: 405, code: 'method_not_allowed', message: `${ctx.method} is not possible here`, headers });
};

/** Everything below `/dev` shows mails and payments of others, so it exists for this machine only. */
export const hideDevPages: ShopMiddleware = (ctx, next) => {
  if (/^\/dev(?:\/|$)/.test(ctx.path) && !isFromThisMachine(ctx)) throw notFound('There is nothing at this address');
  return next();
};
