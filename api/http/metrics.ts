import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

import type { Progress } from '#projections/progress.ts';

import { isFromThisMachine, type ShopMiddleware } from './context.ts';

type Options = { readonly progress: Progress; readonly models: readonly string[] };
type Metrics = {
  /** Measures every request by its route. */ readonly measure: ShopMiddleware;
  /** `GET /metrics`. */ readonly show: ShopMiddleware;
};

const UNROUTED = 'other';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const observeProgress = (registry: Registry, { progress, models }: Options): void => {
  const each = (gauge: Gauge<'model'>, valueOf: (model: string) => number) => {
    for (const model of models) gauge.set({ model }, valueOf(model));
  };
  const position = new Gauge({
    name: 'ruhani_read_model_position',
    help: 'Position in the log of the newest event that a read model has applied',
    labelNames: ['model'],
    registers: [],
    collect() {
      each(this, (model) => Number(progress.position(model)));
    },
  });
  const parked = new Gauge({
    name: 'ruhani_read_model_parked',
    help: '1 when a read model has parked events, else 0',
    labelNames: ['model'],
    registers: [],
    collect() {
      each(this, (model) => Number(progress.hasParked(model)));
    },
  });
  registry.registerMetric(position);
  registry.registerMetric(parked);
};

/** What an operator wants to see of this process, as Prometheus reads it. */
export const metrics = (options: Options): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeProgress(registry, options);
  const durations = new Histogram({
    name: 'ruhani_http_request_seconds',
    help: 'Time to answer a request, by its route and the class of its status',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    measure: async (ctx, next) => {
      const began = performance.now();
      await next();
      // The route as it is declared, never the path as it was asked for: that would make a series of every product.
      const route = typeof ctx['_matchedRoute'] === 'string' ? `${ctx.method} ${ctx['_matchedRoute']}` : UNROUTED;
      durations.observe({ route, status: `${Math.floor(ctx.status / 100)}xx` }, (performance.now() - began) / 1_000);
    },
    show: async (ctx, next) => {
      // To everybody else it is a page that does not exist.
      if (!isFromThisMachine(ctx)) return next();
      ctx.type = registry.contentType;
      ctx.body = await registry.metrics();
    },
  };
};
