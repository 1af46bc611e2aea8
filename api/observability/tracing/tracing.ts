import { getRequestId, type ShopMiddleware } from '../../http/context.ts';

/** Attributes never contain typed input. */
export type Attributes = Readonly<Record<string, string | number>>;

export type SpanOptions = {
  readonly name: string;
  /** The kinds are those of OpenTelemetry: a request answered here, a call to another system, or the processing of an earlier event. */
  readonly kind: 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** The span continues this trace context. By default it is the current span's. An invalid one begins a new trace. */
  readonly parent?: string | undefined;
};

export type Span = {
  /** The text is `00-<trace id>-<span id>-<flags>` of W3C Trace Context. */
  readonly traceparent: string;
  /** Adds a better name or more attributes. */
  learn(what: { readonly name?: string; readonly attributes?: Attributes }): void;
  /** Marks the span as failed, with a reason without personal data. */
  fail(why: string): void;
  end(): void;
};

/** The names are those of OpenTelemetry. A process without tracing has no `Tracing`, and no cost. */
export type Tracing = {
  /** Begins a span, which the caller ends. */
  begin(options: SpanOptions): Span;
  /** Runs the work in a new span, the parent of spans that begin within. */
  span<Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Returns the current trace context, if any. */
  current(): string | undefined;
  /** Sends waiting spans, within a few seconds. */
  close(): Promise<void>;
};

export type TracesConfig = { readonly exporter: 'otlp' | 'console'; readonly serviceName: string };

/** These paths are polled every few seconds: their traces would hide all others. */
const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Makes a span for each request, named by its route; continues the trace in the header `traceparent`. Runs before all middlewares that
 * respond, and after the request id is set.
 */
export const tracedRequests =
  (tracing: Tracing): ShopMiddleware =>
  (ctx, next) => {
    if (OPERATIONS.has(ctx.path)) return next();
    const { method } = ctx;
    const { traceparent } = ctx.req.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const attributes = { 'http.request.method': method, 'ruhani.request_id': getRequestId(ctx) };
    return tracing.span({ name: method, kind: 'server', parent, attributes }, async (span) => {
      await next();
      span.learn({ attributes: { 'http.response.status_code': ctx.status } });
      // The path is not used, because it contains ids of products, orders and people.
      const route: unknown = ctx['_matchedRoute'];
      if (typeof route === 'string') span.learn({ name: `${method} ${route}`, attributes: { 'http.route': route } });
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
