import type Router from '@koa/router';
import Koa from 'koa';
import type { RequestListener } from 'node:http';

import type { Seller } from '#domain/invoice/events.ts';
import type { HeroVariant } from '#domain/site/pictures.ts';

import { downloadRoutes } from './admin/downloads.ts';
import { adminRoutes, type AdminRoutesDeps } from './admin/routes.ts';
import { accessLog } from './observability/access-log.ts';
import { addressRoutes } from './accounts/addresses/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { checkAccess, requireAccess } from './accounts/staff/access.ts';
import { staffRoutes } from './accounts/staff/routes.ts';
import { noteReads, securityRoutes } from './accounts/security-routes.ts';
import { erasureRoutes } from './erasure/routes.ts';
import type { Erasing } from './erasure/open-erasure.ts';
import { cartRoutes } from './cart/routes.ts';
import { contactRoutes } from './contact/routes.ts';
import { customerRoutes } from './customers/routes.ts';
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
import type { LiveOrders } from './orders/live-orders.ts';
import { guestRoutes } from './orders/guest-routes.ts';
import type { Orders } from './orders/open-orders.ts';
import type { OrderRoutesDeps } from './orders/order-commands.ts';
import { receiptRoutes } from './orders/receipt-routes.ts';
import { returnRoutes } from './orders/return-routes.ts';
import { orderRoutes, liveOrderRoutes, myOrdersRoutes } from './orders/routes.ts';
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
import { publicLog } from './transparency/public-log.ts';
import { readReceiptPolicy } from './transparency/signed-log.ts';
import { treeReading } from './transparency/tree-rows.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { wishlistRoutes } from './wishlist/routes.ts';
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
  /** A prepaid order waits so many minutes for its payment. */
  readonly paymentMinutes: number;
  /** DATA_DIR has the uploaded pictures. */
  readonly dataDir: string;
  readonly queries: Omit<Queries, 'close'>;
  readonly shop: Pick<Shop, 'execute' | 'load' | 'cached' | 'db' | 'deadlineClock' | 'now' | 'read' | 'store' | 'registry' | 'tracing'>;
  readonly erasing: Pick<Erasing, 'erase' | 'eraseGuest'>;
  readonly orders: Orders;
  readonly liveOrders: Pick<LiveOrders, 'watch'>;
  readonly payments: Pick<OpenedPayments, 'payments' | 'webhook' | 'testPages'>;
  readonly staff: Pick<AdminRoutesDeps, 'counts' | 'live' | 'health'>;
  readonly audit: Router<State>;
  readonly ops: Ops;
  /** Decides who may see metrics and details of readiness. By default requests from this machine. */
  readonly maySeeOps?: IsAllowed | undefined;
  readonly callsAtOnce?: number | undefined;
  readonly people: Pick<
    AccountsAndMail,
    | 'accounts'
    | 'addresses'
    | 'idempotency'
    | 'links'
    | 'mailbox'
    | 'mails'
    | 'outbox'
    | 'proofs'
    | 'receipts'
    | 'subscribers'
    | 'restock'
    | 'contact'
  >;
  readonly trustedProxies: number;
  readonly seller: Seller;
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

const createCalls = (deps: AppDeps): Router<State> => {
  const { shop, queries, people, publicUrl, staff, orders, liveOrders, payments, audit, erasing, seller, log } = deps;
  const api = createRouter({ prefix: '/api' });
  const { mails, links } = people;
  const orderDeps: OrderRoutesDeps = {
    ...shop,
    startPaymentWindow: () => readTime(shop),
    orders,
    links,
    mails,
    limits: people.accounts.limits,
    log,
    isPrepaidAvailable: payments.payments !== undefined,
  };
  const routers = [
    productAdminRoutes({ ...shop, ...queries }),
    stockRoutes({ ...shop, ...queries, nameOf: orders.nameOf }),
    cartRoutes({ ...shop, ...queries }),
    wishlistRoutes({ ...shop, ...queries }),
    taxRoutes({ ...shop, ...queries, nameOf: orders.nameOf }),
    orderRoutes(orderDeps),
    returnRoutes({ ...queries, ...orderDeps, sellerState: seller.state }),
    guestRoutes({ ...shop, ...queries, ...people, limits: people.accounts.limits, mails, publicUrl }),
    liveOrderRoutes({ ...shop, links, live: liveOrders }),
    paymentRoutes({ ...shop, links, payments: payments.payments, log }),
    taxDocumentRoutes({ ...shop, seller }),
    invoiceRoutes({ ...shop, ...queries, ...people.accounts, links, proofs: people.proofs }),
    deskPaymentRoutes({ ...shop, ...queries, mails }),
    receiptRoutes({ ...shop, links, receipts: people.receipts }),
    myOrdersRoutes(queries),
    adminRoutes({ ...shop, ...queries, ...staff, mails }),
    downloadRoutes({ ...people.contact, ...people.accounts, ...queries }),
    accountRoutes(people.accounts.deps),
    addressRoutes(people),
    staffRoutes({ ...people.accounts.deps, ...people.accounts.staff, ...shop, sealed: people.contact.sealed }),
    erasureRoutes({
      ...people.accounts.deps,
      ...people.contact,
      ...shop,
      ...queries,
      ...people,
      erasing,
      subjectsKey: people.accounts.subjectsKey,
    }),
    securityRoutes({ ...people.contact, ...people.accounts }),
    subscriberRoutes(people.subscribers),
    noticeRoutes(people.restock),
    contactRoutes({ ...shop, ...queries, ...people.contact, mails, nameOf: orders.nameOf }),
    customerRoutes({
      ...people.contact,
      ...shop,
      ...queries,
      addresses: people.addresses,
      nameOf: orders.nameOf,
      erasing,
      subjectsKey: people.accounts.subjectsKey,
    }),
    reviewRoutes({ ...shop, ...queries, nameOf: orders.nameOf }),
    audit,
  ];
  for (const routes of routers) api.use(routes.routes());
  return api;
};

/** The types of the router have fields that it adds itself. */
const routesOf = (router: Router<State>): ShopMiddleware => router.routes() as ShopMiddleware;

/** Makes all routers of the app. Throws unless `accounts/staff/access.ts` says for each route who may call it. */
const createRouters = (deps: AppDeps) => {
  const { queries, shop, people, payments, dataDir } = deps;
  const isMarked = (ctx: ShopContext) => people.accounts.deps.cookies.read(ctx, 'staff') !== undefined;
  const products = productRoutes({ ...queries, ...shop, isMarked });
  const pictures = uploads(dataDir);
  const routers = {
    products: products.routes,
    webhook: payments.webhook,
    staffProducts: products.staffRoutes,
    pictures: pictures.routes,
    calls: createCalls(deps),
  };
  requireAccess(Object.values(routers));
  return { ...routers, pictureFiles: pictures.files };
};

/** Makes the handler of all of the shop's HTTP; does not listen. */
export const createApp = async (deps: AppDeps): Promise<RequestListener> => {
  const { log, publicUrl, webDirectory, hero, paymentMinutes, queries, shop, ops, maySeeOps, people, payments, trustedProxies } = deps;
  const isPrepaidAvailable = payments.payments !== undefined;
  const trees = treeReading(shop.read.pool);
  const headers = await securityHeaders({ publicUrl, hasGoogleLogin: people.accounts.deps.googleClientId !== null });
  const pages = await site({
    ...shop,
    directory: webDirectory,
    catalogue: queries.catalogue,
    publicUrl,
    hero,
    isPrepaidAvailable,
    paymentMinutes,
    readReceiptPolicy: () => readReceiptPolicy(shop.db),
    log,
  });
  const routers = createRouters(deps);

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
  const shed = shedLoad(deps.callsAtOnce);
  app.use((ctx, next) => (ctx.path.startsWith('/log/') ? shed(ctx, next) : next()));
  app.use(publicLog({ ...shop, trees }));
  app.use(refuseOtherSpelling);
  app.use(hideDevPages);
  app.use(apiOnly(shed));
  app.use(limitWaits(shop.store));
  // These responses are the same for everybody, so they come before the session is looked up.
  app.use(routesOf(routers.products));
  app.use(apiOnly(noStore));
  // The gateway calls this route without a session, and it is not limited.
  app.use(routesOf(routers.webhook));
  for (const middleware of people.accounts.middlewares) app.use(middleware);
  app.use(apiOnly(checkAccess));
  app.use(routesOf(routers.staffProducts));
  if (people.mailbox) app.use(people.mailbox);
  if (payments.testPages) app.use(payments.testPages);
  app.use(routesOf(routers.pictures));
  app.use(routers.pictureFiles);
  app.use(oneClickUnsubscribe(people.subscribers.newsletter));
  app.use(oneClickEndNotices(people.restock.notices));
  app.use(csvBody(CSV_CALLS));
  app.use(apiOnly(jsonBody));
  app.use(apiOnly(people.idempotency));
  app.use(apiOnly(noteReads(people.accounts.securityLog)));
  app.use(routesOf(routers.calls));
  app.use(apiOnly(unmatchedRoute));
  app.use(pages);
  app.use(unmatchedRoute);
  return app.callback();
};
