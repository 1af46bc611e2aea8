import type { Logger } from 'pino';

import { requestIdOf, type ShopMiddleware } from './context.ts';

/** One line a request: what was asked, what was answered, how long it took in ms. Never the query or the body: they hold what people typed. */
export const accessLog = (log: Logger): ShopMiddleware => {
  if (!log.isLevelEnabled('info')) return (_, next) => next();
  // Nothing in these lines can be a secret, and looking for some in each would cost more than writing it.
  const lines = log.child({}, { redact: [] });
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    const requestId = requestIdOf(ctx);
    const ms = Math.round((performance.now() - began) * 100) / 100;
    lines.info({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, ms }, 'request');
  };
};
