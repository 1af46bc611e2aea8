import type { Logger } from 'pino';

import { getRequestId, type ShopMiddleware } from '../http/context.ts';

/** Logs one line for each request, with its duration in ms. It never logs the query or the body, which hold personal text. */
export const accessLog =
  (log: Logger): ShopMiddleware =>
  async (ctx, next) => {
    const began = performance.now();
    await next();
    const ms = Math.round((performance.now() - began) * 100) / 100;
    log.info({ requestId: getRequestId(ctx), method: ctx.method, path: ctx.path, status: ctx.status, ms }, 'request');
  };
