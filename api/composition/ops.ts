import Koa from 'koa';
import { collectDefaultMetrics } from 'prom-client';

import type { State } from '../http/context.ts';
import { liveness, readiness, type Readiness, operations } from '../observability/health.ts';
import { type Exposition, showMetrics } from '../observability/metrics.ts';
import { createReadiness } from './readiness.ts';
import { observeShop, type Watched } from './gauges.ts';
import { CannotStart } from '../platform/cannot-start.ts';

const LAST_PORT = 65_535;

/**
 * Gives each process its own port for metrics, counted up from `OPS_PORT`. Throws `CannotStart` when one of them is `PORT`, or above the
 * highest port.
 */
export const checkOpsPorts = (
  { port, opsPort }: { readonly port: number; readonly opsPort: number | undefined },
  processes: number,
): void => {
  if (opsPort === undefined || opsPort === 0) return;
  const last = opsPort + processes - 1;
  const taken =
    processes === 1 ? `OPS_PORT is ${opsPort}` : `OPS_PORT stands for ${opsPort} to ${last}, a port for each of ${processes} processes`;
  if (last > LAST_PORT)
    throw new CannotStart(`${taken}, and the last port is ${LAST_PORT}: set OPS_PORT to ${LAST_PORT + 1 - processes} or less.`);
  if (opsPort <= port && port <= last) throw new CannotStart(`${taken}, and PORT is ${port}: set one of them so that they do not meet.`);
};

export type Ops = { readonly checkReadiness: () => Promise<Readiness>; readonly metrics: Exposition };

/** Call it once for each shop, since each shop has one registry. */
export const createOps = (watched: Watched): Ops => {
  const { registry } = watched.shop;
  collectDefaultMetrics({ register: registry });
  const refresh = observeShop(watched);
  const text = async (): Promise<string> => {
    await refresh();
    return registry.metrics();
  };
  return { checkReadiness: createReadiness(watched), metrics: { contentType: registry.contentType, text } };
};

const everybody = (): boolean => true;

/** Serves `/healthz`, `/readyz` and `/metrics` on a separate port, in full to every caller: it must not be reachable from outside. */
export const opsApp = ({ checkReadiness, metrics }: Ops): Koa<State> =>
  new Koa<State>().use(
    operations({ '/healthz': liveness, '/readyz': readiness(checkReadiness, everybody), '/metrics': showMetrics(metrics, everybody) }),
  );
