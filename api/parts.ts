import type Koa from 'koa';
import type { Logger } from 'pino';

import { readModels } from '#projections/read-models.ts';
import { runProjector } from '#projections/worker.ts';

import { createApp, type AppDeps } from './app.ts';
import type { State } from './http/context.ts';
import type { People } from './open-people.ts';
import type { Queries, Shop } from './open-shop.ts';
import { openOrders } from './orders/open-orders.ts';
import { readinessOf } from './readiness.ts';

/** Work that goes on until it is closed. */
export type Running = { close(): Promise<void> };

/** Keeps every read model up to date. One whose projector halts leaves the others at work; it has said why, and readiness tells. */
export const startProjections = ({ store, read }: Pick<Shop, 'store' | 'read'>, log: Logger): Running => {
  const ending = new AbortController();
  const running = readModels.map((model) =>
    runProjector(model, store, read, ending.signal, log).catch((error: unknown) => {
      log.error({ model: model.name, err: error }, 'A projector halted');
    }),
  );
  return {
    close: async () => {
      ending.abort();
      await Promise.all(running);
    },
  };
};

type Site = Pick<AppDeps, 'publicUrl' | 'webDirectory' | 'dataDir' | 'trustedProxies'>;

/** The shop's HTTP on what has been opened. */
export const openApp = async (shop: Shop, { progress, catalogue }: Queries, people: People, site: Site, log: Logger): Promise<Koa<State>> =>
  createApp({
    ...site,
    log,
    people,
    catalogue,
    progress,
    shop,
    orders: await openOrders(shop),
    models: readModels.map(({ name }) => name),
    checkReadiness: readinessOf({ shop, progress, models: readModels }),
  });
