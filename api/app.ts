import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';

import type { Listing } from '#projections/catalogue/listing.ts';
import type { Progress } from '#projections/progress.ts';

import { accessLog } from './http/access-log.ts';
import { accountRoutes } from './accounts/routes.ts';
import { logRoutes } from './audit/log-routes.ts';
import { cartRoutes } from './cart/routes.ts';
import type { ShopMiddleware, State } from './http/context.ts';
import { errors } from './http/errors.ts';
import { liveness, readiness, type Readiness } from './http/health.ts';
import { jsonBody } from './http/json-body.ts';
import { metrics } from './http/metrics.ts';
import { requestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { site } from './http/site.ts';
import { unanswered } from './http/unanswered.ts';
import type { People } from './open-people.ts';
import type { Shop } from './open-shop.ts';
import type { Orders } from './orders/open-orders.ts';
import { orderRoutes } from './orders/routes.ts';
import { uploads } from './pictures/uploads.ts';
import { productAdminRoutes } from './products/admin-routes.ts';
import { productRoutes } from './products/routes.ts';

export type AppDeps = {
  readonly log: Logger;
  /** Scheme, host and port under which shoppers find the shop. */
  readonly publicUrl: string;
  /** The directory of the build of `web`; where there is none, only the API answers. */
  readonly webDirectory: string;
  /** DATA_DIR, for the pictures that admins send. */
  readonly dataDir: string;
  readonly catalogue: Pick<Listing, 'page' | 'get' | 'offers' | 'edition' | 'waitFor'>;
  readonly progress: Progress;
  readonly shop: Pick<Shop, 'execute' | 'load' | 'presume' | 'now' | 'store'>;
  readonly orders: Orders;
  /** The names of the read models, for the metrics. */
  readonly models: readonly string[];
  readonly checkReadiness: () => Promise<Readiness>;
  readonly people: Pick<People, 'accounts' | 'mailbox'>;
  /** So many proxies in front of the shop are trusted to say where a request comes from. */
  readonly trustedProxies: number;
};

const isCall = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Only for calls: pages and their files pass by. */
const ofCalls =
  (middleware: ShopMiddleware): ShopMiddleware =>
  (ctx, next) =>
    isCall(ctx.path) ? middleware(ctx, next) : next();

/** What a call answers is of one moment and often of one person, so nobody keeps it unless its route says otherwise. */
const notKept: ShopMiddleware = (ctx, next) => {
  ctx.res.setHeader('Cache-Control', 'no-store');
  return next();
};

const operations =
  (answers: Readonly<Record<string, ShopMiddleware>>): ShopMiddleware =>
  (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) && (ctx.method === 'GET' || ctx.method === 'HEAD') ? answers[ctx.path] : undefined;
    return answer ? answer(ctx, next) : next();
  };

/** The calls of the API, resource by resource. */
const callsOf = ({ shop, catalogue, people, orders, log }: AppDeps): Router<State> => {
  const api = new Router<State>({ prefix: '/api' });
  const routers = [
    productRoutes({ catalogue }),
    productAdminRoutes(shop),
    cartRoutes({ ...shop, catalogue }),
    orderRoutes({ ...shop, orders, catalogue, limits: people.accounts.limits, log }),
    accountRoutes(people.accounts.deps),
    logRoutes(shop),
  ];
  for (const routes of routers) api.use(routes.routes());
  return api;
};

/** The whole of the shop's HTTP as one Koa application, which does not listen. */
export const createApp = async (deps: AppDeps): Promise<Koa<State>> => {
  const { log, publicUrl, webDirectory, dataDir, progress, models, checkReadiness, people, trustedProxies } = deps;
  const { measure, show } = metrics({ progress, models });

  const app = new Koa<State>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  // Whatever escapes `errors` is a mistake there, or a connection that broke in the middle of an answer.
  app.on('error', (error: unknown) => log.warn({ err: error }, 'An answer was not finished'));
  app.use(requestId);
  app.use(await securityHeaders({ publicUrl, hasGoogleLogin: people.accounts.deps.googleClientId !== null }));
  app.use(measure);
  app.use(accessLog(log));
  app.use(errors(log));
  app.use(operations({ '/healthz': liveness, '/readyz': readiness(checkReadiness), '/metrics': show }));
  app.use(ofCalls(notKept));
  for (const middleware of people.accounts.middlewares) app.use(middleware);
  if (people.mailbox) app.use(people.mailbox);
  app.use(uploads(dataDir));
  app.use(ofCalls(jsonBody));
  app.use(callsOf(deps).routes());
  app.use(ofCalls(unanswered));
  app.use(await site(webDirectory));
  app.use(unanswered);
  return app;
};
