import { AsyncLocalStorage } from 'node:async_hooks';
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span as OtelSpan } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';

import { sleep } from '#projections/follower/clock.ts';

import type { Span, SpanOptions, TracesConfig, Tracing } from './tracing.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Closing waits this many ms for the collector. */
const SENT_WITHIN = 3_000;

const formatTraceparent = (span: OtelSpan): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
};

const continuing = (traceparent: string): Context => {
  const from = parseTraceParent(traceparent);
  return from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true }) : ROOT_CONTEXT;
};

const createSpan = (span: OtelSpan): Span => ({
  traceparent: formatTraceparent(span),
  learn: ({ name, attributes }) => {
    if (name !== undefined) span.updateName(name);
    if (attributes) span.setAttributes(attributes);
  },
  fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
  end: () => span.end(),
});

/** Logs the exporter's errors, which it does not throw. */
const logTroubles = (log: Logger): void => {
  const warn = (message: string) => log.warn({ why: message }, 'Traces could not be sent');
  const nothing = () => undefined;
  diag.setLogger({ error: warn, warn, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN);
};

type Options = TracesConfig & {
  /** Replaces OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url?: string;
};

/**
 * The standard variables of OpenTelemetry set collector, sampling and resource attributes (OTEL_EXPORTER_OTLP_*, OTEL_TRACES_SAMPLER,
 * OTEL_BSP_*, OTEL_RESOURCE_ATTRIBUTES); the library reads them itself. Spans wait in a bounded queue, and are dropped beyond it, so that
 * no request waits for a collector.
 */
export const openTracing = ({ exporter, serviceName, url }: Options, log: Logger): Tracing => {
  logTroubles(log);
  const described = detectResources({ detectors: [envDetector, serviceInstanceIdDetector] });
  const sending = exporter === 'console' ? new ConsoleSpanExporter() : new OTLPTraceExporter(url === undefined ? {} : { url });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(described)
      .merge(resourceFromAttributes({ 'service.name': serviceName })),
    spanProcessors: [new BatchSpanProcessor(sending)],
  });
  const tracer = provider.getTracer('ruhani');
  const surrounding = new AsyncLocalStorage<Context>();

  const start = ({ name, kind, attributes = {}, parent }: SpanOptions) => {
    const from = parent === undefined ? (surrounding.getStore() ?? ROOT_CONTEXT) : continuing(parent);
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, from);
    return { span: createSpan(span), inside: trace.setSpan(from, span) };
  };

  return {
    begin: (options) => start(options).span,
    span: (options, work) => {
      const { span, inside } = start(options);
      return surrounding.run(inside, async () => {
        try {
          return await work(span);
        } catch (error) {
          span.fail(error instanceof Error ? error.name : 'Error');
          throw error;
        } finally {
          span.end();
        }
      });
    },
    current: () => {
      const context = surrounding.getStore();
      const span = context && trace.getSpan(context);
      return span && formatTraceparent(span);
    },
    close: async () => {
      const patience = new AbortController();
      await Promise.race([provider.shutdown().catch(() => undefined), sleep(SENT_WITHIN, patience.signal)]);
      patience.abort();
    },
  };
};
