import { requestIdOf, type ShopMiddleware } from '../../http/context.ts';
import type { Tracing } from './tracing.ts';

/** Polled every few seconds by monitoring: as traces they would hide all others. */
const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * A span for each request, by its route; it continues the trace in the header `traceparent`. Stands before all middlewares that answer, and
 * behind the one that sets the request id.
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
      // The declared route, never the path: that contains ids of products, orders and people.
      const route: unknown = ctx['_matchedRoute'];
      if (typeof route === 'string') span.learn({ name: `${method} ${route}`, attributes: { 'http.route': route } });
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
