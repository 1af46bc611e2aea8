import { Histogram, type Registry, Counter } from 'prom-client';

import { WrongRevision, type EventStore } from '#domain/event-store.ts';

import { isFromThisMachine, type IsAllowed, type ShopMiddleware } from '../http/context.ts';
import type { StoredLog } from '../event-store/stored-event.ts';

/** Names requests without a declared route: pages, files, 404s. */
const UNROUTED = 'other';
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export const measuredRequests = (registry: Registry): ShopMiddleware => {
  const histogram = new Histogram({
    name: 'ruhani_http_request_seconds',
    help: 'Time to answer a request, by its route and the class of its status',
    labelNames: ['route', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    // The declared route is used instead of the path, which would make a series for every product.
    const route = typeof ctx['_matchedRoute'] === 'string' ? `${ctx.method} ${ctx['_matchedRoute']}` : UNROUTED;
    histogram.observe({ route, status: `${Math.floor(ctx.status / 100)}xx` }, (performance.now() - began) / 1_000);
  };
};

export type Exposition = { readonly contentType: string; text(): Promise<string> };

/** Serves `GET /metrics`, by default to this machine only. */
export const showMetrics =
  ({ contentType, text }: Exposition, maySee: IsAllowed = isFromThisMachine): ShopMiddleware =>
  async (ctx, next) => {
    // Other callers get a 404.
    if (!maySee(ctx)) return next();
    ctx.type = contentType;
    ctx.body = await text();
  };

const APPEND_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const APPENDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Makes the `onCommit` of the store on Postgres. */
export const commitSizes = (registry: Registry): ((appends: number) => void) => {
  const sizes = new Histogram({
    name: 'ruhani_commit_appends',
    help: 'Appends in one commit of the log',
    buckets: APPENDS,
    registers: [registry],
  });
  return (appends) => sizes.observe(appends);
};

/** Counts appends by outcome, and measures successful ones. */
export const measuredStore = <Store extends EventStore & StoredLog>(store: Store, registry: Registry): Store => {
  const appends = new Counter({
    name: 'ruhani_appends_total',
    help: 'Appends by their outcome: written, conflict (the stream went on meanwhile), failed',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'ruhani_append_seconds',
    help: 'Time until an append was written',
    buckets: APPEND_SECONDS,
    registers: [registry],
  });
  for (const outcome of ['written', 'conflict', 'failed']) appends.inc({ outcome }, 0);
  const append: EventStore['append'] = async (...asked) => {
    const began = performance.now();
    try {
      const appended = await store.append(...asked);
      appends.inc({ outcome: 'written' });
      seconds.observe((performance.now() - began) / 1_000);
      return appended;
    } catch (error) {
      appends.inc({ outcome: error instanceof WrongRevision ? 'conflict' : 'failed' });
      throw error;
    }
  };
  return { ...store, append };
};
