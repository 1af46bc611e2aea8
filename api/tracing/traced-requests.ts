import { requestIdOf, type ShopMiddleware } from '../http/context.ts';
import type { Tracing } from './tracing.ts';

/** Asked every few seconds by whoever looks after the shop: as traces they would hide all others. */
const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * A span a request, by its route; it continues the trace that the browser or a proxy names in `traceparent`. Stands before all that
 * answers, and behind what names the request.
 */
export const tracedRequests =
  (tracing: Tracing): ShopMiddleware =>
  (ctx, next) => {
    if (OPERATIONS.has(ctx.path)) return next();
    const { method } = ctx;
    const { traceparent } = ctx.req.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const attributes = { 'http.request.method': method, 'ruhani.request_id': requestIdOf(ctx) };
    return tracing.span({ name: method, kind: 'server', parent, attributes }, async (span) => {
      await next();
      span.learn({ attributes: { 'http.response.status_code': ctx.status } });
      // The route as it is declared, never the path as it was asked for: that names products, orders and people.
      const route: unknown = ctx['_matchedRoute'];
      if (typeof route === 'string') span.learn({ name: `${method} ${route}`, attributes: { 'http.route': route } });
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
