import type Router from '@koa/router';
import Koa from 'koa';
import type { RequestListener } from 'node:http';

import type { HeroVariant } from '#domain/site/pictures.ts';

import { downloadRoutes } from './admin/downloads.ts';
import { adminRoutes, type AdminRoutesDeps } from './admin/routes.ts';
import { accessLog } from './observability/access-log.ts';
import { adminOnly } from './accounts/sessions/session.ts';
import { accountRoutes } from './accounts/routes.ts';
import { noteReads, securityRoutes } from './accounts/security-routes.ts';
import { erasureRoutes } from './erasure/routes.ts';
import type { Erasing } from './erasure/open-erasure.ts';
import { auditorsOnlyRead } from './audit/open-audit.ts';
import { cartRoutes } from './cart/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { type IsAllowed, type ShopContext, type ShopMiddleware, type State, requestId } from './http/context.ts';
import { csvBody } from './http/csv-file.ts';
import { errors } from './http/errors.ts';
import { limitWaits } from './http/freshness.ts';
import { liveness, readiness, operations } from './observability/health.ts';
import { notFound } from './http/http-error.ts';
import { jsonBody } from './http/json-body.ts';
import { shedLoad } from './http/load-shedding.ts';
import { withHeaders } from './http/headers.ts';
import { measuredRequests, showMetrics } from './observability/metrics.ts';
import { securityHeaders } from './http/security-headers.ts';
import { site } from './site/site.ts';
import { hideDevPages, unmatchedRoute } from './http/not-found.ts';
import { createRouter } from './http/router.ts';
import type { ShopLogger } from './platform/logger.ts';
import type { AccountsAndMail } from './composition/open-accounts-and-mail.ts';
import type { Queries } from './composition/open-queries.ts';
import type { Shop } from './shop.ts';
import type { Ops } from './composition/ops.ts';
import type { Orders } from './orders/open-orders.ts';
import { orderRoutes, myOrdersRoutes } from './orders/routes.ts';
import { deskPaymentRoutes } from './payments/desk/routes.ts';
import { uploads } from './catalogue/picture-uploads.ts';
import { productAdminRoutes } from './catalogue/admin-routes.ts';
import { taxRoutes } from './tax/routes.ts';
import { stockRoutes } from './catalogue/stock/routes.ts';
import type { OpenedPayments } from './payments/open-payments.ts';
import { invoiceRoutes } from './tax-documents/routes.ts';
import { taxDocumentRoutes } from './pdf/routes.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { readTime } from './platform/postgres/database-clock.ts';
import { productRoutes } from './catalogue/routes.ts';
import { oneClickUnsubscribe, subscriberRoutes } from './newsletter/routes.ts';
import { noticeRoutes, oneClickEndNotices } from './restock-notices/routes.ts';
import { tracedRequests } from './observability/tracing/tracing.ts';

export type AppDeps = {
  readonly log: ShopLogger;
  readonly publicUrl: string;
  /** The directory is that of the build of `web`; without one, only the API answers. */
  readonly webDirectory: string;
  /** The home page shows this hero, if it is configured. */
  readonly hero?: HeroVariant | undefined;
  /** DATA_DIR has the uploaded pictures. */
  readonly dataDir: string;
  readonly queries: Omit<Queries, 'close'>;
  readonly shop: Pick<Shop, 'execute' | 'load' | 'cached' | 'db' | 'deadlineClock' | 'now' | 'store' | 'registry' | 'tracing'>;
  readonly erasing: Pick<Erasing, 'erase' | 'eraseVisitor'>;
  readonly orders: Orders;
  readonly payments: Pick<OpenedPayments, 'payments' | 'webhook' | 'testPages'>;
  readonly staff: Pick<AdminRoutesDeps, 'counts' | 'live' | 'health'>;
  readonly audit: Router<State>;
  readonly ops: Ops;
  /** Decides who may see metrics and details of readiness. By default requests from this machine. */
  readonly maySeeOps?: IsAllowed | undefined;
  readonly callsAtOnce?: number | undefined;
  readonly people: Pick<AccountsAndMail, 'accounts' | 'idempotency' | 'mailbox' | 'mails' | 'subscribers' | 'restock' | 'contact'>;
  readonly trustedProxies: number;
};

/** Like the router, this ignores a slash at the end. */
const CSV_CALLS = /^\/api\/admin\/(?:remittances|stock\/import)\/?$/;

const isApiCall = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Applies the middleware to calls of the API, not to pages and their files. */
const apiOnly =
  (middleware: ShopMiddleware): ShopMiddleware =>
  (ctx, next) =>
    isApiCall(ctx.path) ? middleware(ctx, next) : next();

/** Paths mean their letters. Without this `POST /API` would be answered like a page, which can only be read. */
const refuseOtherSpelling: ShopMiddleware = (ctx, next) => {
  if (!isApiCall(ctx.path) && isApiCall(ctx.path.toLowerCase())) throw notFound('There is nothing at this address');
  return next();
};

/** Responses of the API are true for a moment, often for one person: they are not cached unless the route says otherwise. */
const noStore: ShopMiddleware = (ctx, next) => {
  ctx.res.setHeader('Cache-Control', 'no-store');
  return next();
};

const createCalls = ({ shop, queries, people, staff, orders, payments, audit, erasing, log }: AppDeps): ShopMiddleware => {
  const api = createRouter({ prefix: '/api' });
  const { mails } = people;
  const routers = [
    productAdminRoutes({ ...shop, ...queries }),
    stockRoutes({ ...shop, ...queries, nameOf: orders.nameOf }),
    cartRoutes({ ...shop, ...queries }),
    taxRoutes({ ...shop, ...queries, nameOf: orders.nameOf }),
    orderRoutes({
      ...shop,
      startPaymentWindow: () => readTime(shop),
      orders,
      mails,
      limits: people.accounts.limits,
      log,
      isPrepaidAvailable: payments.payments !== undefined,
    }),
    paymentRoutes({ ...shop, payments: payments.payments, log }),
    taxDocumentRoutes(shop),
    invoiceRoutes({ ...shop, ...queries, ...people.accounts }),
    deskPaymentRoutes({ ...shop, ...queries, mails }),
    myOrdersRoutes(queries),
    adminRoutes({ ...shop, ...queries, ...staff, mails }),
    downloadRoutes({ ...people.contact, ...people.accounts, ...queries }),
    accountRoutes(people.accounts.deps),
    erasureRoutes({ ...people.accounts.deps, ...people.contact, ...shop, ...queries, erasing, subjectsKey: people.accounts.subjectsKey }),
    securityRoutes({ ...people.contact, ...people.accounts }),
    subscriberRoutes(people.subscribers),
    noticeRoutes(people.restock),
    contactRoutes(people.contact),
    audit,
  ];
  for (const routes of routers) api.use(routes.routes());
  // The types of the router have fields that it adds itself.
  return api.routes() as ShopMiddleware;
};

/** Makes the handler of all of the shop's HTTP; does not listen. */
export const createApp = async (deps: AppDeps): Promise<RequestListener> => {
  const { log, publicUrl, webDirectory, hero, queries, dataDir, shop, ops, maySeeOps, people, payments, trustedProxies } = deps;
  const isPrepaidAvailable = payments.payments !== undefined;
  const headers = await securityHeaders({ publicUrl, hasGoogleLogin: people.accounts.deps.googleClientId !== null });
  const pages = await site({ ...shop, directory: webDirectory, catalogue: queries.catalogue, publicUrl, hero, isPrepaidAvailable, log });
  const products = productRoutes({ ...queries, ...shop, isMarked: (ctx) => people.accounts.deps.cookies.read(ctx, 'staff') !== undefined });

  const app = new Koa<State>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  // `errors` itself has failed, or a connection broke during a response, as every stream of server-sent events ends.
  app.on('error', (error: unknown, ctx?: ShopContext) => {
    if (!ctx?.response.is('text/event-stream')) log.warn({ err: error }, 'An answer was not finished');
  });
  app.use(requestId);
  if (shop.tracing) app.use(tracedRequests(shop.tracing));
  app.use(withHeaders(headers));
  app.use(measuredRequests(shop.registry));
  app.use(accessLog(log));
  app.use(errors(log));
  const { checkReadiness, metrics } = ops;
  app.use(
    operations({ '/healthz': liveness, '/readyz': readiness(checkReadiness, maySeeOps), '/metrics': showMetrics(metrics, maySeeOps) }),
  );
  app.use(refuseOtherSpelling);
  app.use(hideDevPages);
  app.use(apiOnly(shedLoad(deps.callsAtOnce)));
  app.use(limitWaits(shop.store));
  // These responses are the same for everybody, so they come before the session is looked up.
  app.use(products.routes.routes() as ShopMiddleware);
  app.use(apiOnly(noStore));
  // The gateway calls this route without a session, and it is not limited.
  app.use(payments.webhook);
  for (const middleware of people.accounts.middlewares) app.use(middleware);
  app.use(products.staffRoutes.routes() as ShopMiddleware);
  if (people.mailbox) app.use(people.mailbox);
  if (payments.testPages) app.use(payments.testPages);
  app.use(uploads(dataDir));
  app.use(oneClickUnsubscribe(people.subscribers.newsletter));
  app.use(oneClickEndNotices(people.restock.notices));
  app.use(csvBody(CSV_CALLS, adminOnly));
  app.use(apiOnly(jsonBody));
  app.use(apiOnly(auditorsOnlyRead));
  app.use(apiOnly(people.idempotency));
  app.use(apiOnly(noteReads(people.accounts.securityLog)));
  app.use(createCalls(deps));
  app.use(apiOnly(unmatchedRoute));
  app.use(pages);
  app.use(unmatchedRoute);
  return app.callback();
};
