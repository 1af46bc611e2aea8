import { randomUUID } from 'node:crypto';

import type { ShopMiddleware } from './context.ts';

/** What a proxy or a careful client sends; anything else could smuggle text into the logs. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** Names every request, in `X-Request-Id` of its answer: with the id that it came with when that is well-formed, else with a new one. */
export const requestId: ShopMiddleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  const id = typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
