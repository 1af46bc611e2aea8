import Koa from 'koa';
import { collectDefaultMetrics } from 'prom-client';

import type { State } from '../http/context.ts';
import { liveness, readiness, type Readiness } from '../observability/health.ts';
import { showMetrics, type Exposition } from '../observability/metrics.ts';
import { operations } from '../observability/operations.ts';
import { readinessOf } from './readiness.ts';
import { observeShop, type Watched } from './gauges.ts';

/** The health and metrics of a process. */
export type Ops = { readonly checkReadiness: () => Promise<Readiness>; readonly metrics: Exposition };

/** Begins to observe a process; once for each shop, since each has one registry. */
export const opsOf = (watched: Watched): Ops => {
  const { registry } = watched.shop;
  collectDefaultMetrics({ register: registry });
  const refresh = observeShop(watched);
  const text = async (): Promise<string> => {
    await refresh();
    return registry.metrics();
  };
  return { checkReadiness: readinessOf(watched), metrics: { contentType: registry.contentType, text } };
};

const everybody = (): boolean => true;

/** `/healthz`, `/readyz` and `/metrics` on a separate port, in full to every caller: the port must not be reachable from outside. */
export const opsApp = ({ checkReadiness, metrics }: Ops): Koa<State> =>
  new Koa<State>().use(
    operations({ '/healthz': liveness, '/readyz': readiness(checkReadiness, everybody), '/metrics': showMetrics(metrics, everybody) }),
  );
