import type { Logger } from 'pino';

import { withoutToken } from '#domain/site/pages.ts';

import { getRequestId, type ShopMiddleware } from '../http/context.ts';

/** Proxies and container engines ask every few seconds. */
const HEALTH_CHECKS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs one line for each request, with its duration in ms; health checks that succeed only at level debug. It never logs the query or the
 * body, which hold personal text, nor the token in a path.
 */
export const accessLog =
  (log: Logger): ShopMiddleware =>
  async (ctx, next) => {
    const began = performance.now();
    await next();
    const ms = Math.round((performance.now() - began) * 100) / 100;
    const level = HEALTH_CHECKS.has(ctx.path) && ctx.status < 400 ? 'debug' : 'info';
    log[level]({ requestId: getRequestId(ctx), method: ctx.method, path: withoutToken(ctx.path), status: ctx.status, ms }, 'request');
  };
