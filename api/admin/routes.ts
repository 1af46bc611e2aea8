import type { Router } from '@koa/router';
import { z } from 'zod';

import { rupees } from '#domain/shared/money.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { OrderPage } from '#projections/orders/order-rows.ts';
import type { DeskQuery, DeskView } from '#projections/orders/orders-desk-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';
import { stats } from '#projections/stats/projector.ts';
import { statsQueries } from '#projections/stats/queries.ts';
import { orderStatuses } from '#domain/order/rules.ts';

import type { ShopContext, State } from '../http/context.ts';
import { limitInput, linkToNext } from '../http/cursor-page.ts';
import { requireReadModel, waitForReadModel, getRequiredPosition, readModel } from '../http/freshness.ts';
import { parse, typed } from '../http/input.ts';
import { sendJson } from '../http/cached-response.ts';
import { createRouter } from '../http/router.ts';
import { adminOnly } from '../accounts/sessions/session.ts';
import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import type { Shop } from '../shop.ts';
import { type OrderLists, orderCursorInput } from '../orders/order-lists.ts';
import type { Counts, CachedCounts, CachedFigures } from './counts.ts';
import type { LiveStream } from './live-stream.ts';

const USUAL_PAGE = 50;

const statuses = orderStatuses.filter((status) => status !== 'created');

const Input = z.object({
  limit: limitInput(USUAL_PAGE),
  status: z.enum(statuses, `One of ${statuses.join(', ')}`).optional(),
  q: typed.max(100, 'At most 100 characters').optional(),
  cursor: orderCursorInput,
});

/** Throws a 400 that names each wrong parameter; unknown parameters are ignored. */
const deskQuestionFrom = (query: unknown): DeskQuery => {
  const { limit, status, q, cursor: after } = parse(Input, query);
  return { limit, status, text: q, after };
};

export type AdminRoutesDeps = Pick<Shop, 'now'> & {
  readonly readers: ReadRouter;
  readonly orders: Pick<OrderLists, 'desk'>;
  readonly figures: Pick<CachedFigures, 'at'>;
  readonly catalogue: Pick<Listing, 'size' | 'has' | 'waitFor'>;
  readonly progress: Progress;
  readonly counts: Pick<CachedCounts, 'now'>;
  readonly mails: Pick<UnsentOrderMails, 'findProblems' | 'isAnyGivenUp'>;
  readonly live: LiveStream;
  readonly health: () => Promise<object>;
};

/** Returns the answer of `GET /admin/stats`, with amounts in rupees. */
export const createFigures =
  ({ figures, catalogue, now }: Pick<AdminRoutesDeps, 'figures' | 'catalogue' | 'now'>) =>
  async (counted: Counts | Promise<Counts>) => {
    const [{ totalSales, lastMonthSales, ...orders }, rows] = await Promise.all([figures.at(now()), counted]);
    return { ...orders, totalProducts: catalogue.size, totalSales: rupees(totalSales), lastMonthSales: rupees(lastMonthSales), ...rows };
  };

const ORDERS = ['order'] as const;
const ORDERS_AND_PAYMENTS = ['order', 'payment'] as const;
const PRODUCTS = ['product'] as const;

const SPANS = ['30', '90', '365'] as const;
const SalesInput = z.object({
  days: z
    .enum(SPANS, `One of ${SPANS.join(', ')}`)
    .default('30')
    .transform(Number),
});

/** Shows the sales of each of the last days in India, including today, oldest first. */
const showSales = async (ctx: ShopContext, { readers, now }: AdminRoutesDeps): Promise<void> => {
  const { days: span } = parse(SalesInput, ctx.query);
  const days = await readers.ask(stats, getRequiredPosition(ctx, ORDERS), (database) => statsQueries(database).daily(span, now()));
  ctx.body = { days: days.map(({ day, orders, sales }) => ({ day, orders, sales: rupees(sales) })) };
};

/** Few mails are given up: usually the list is sent as it was encoded. */
const withMailProblems = async (json: Buffer, { mails }: AdminRoutesDeps): Promise<Buffer> => {
  if (!(await mails.isAnyGivenUp())) return json;
  const { orders, ...page } = JSON.parse(json.toString()) as OrderPage<DeskView>;
  const problems = await mails.findProblems(orders.map(({ _id }) => _id));
  const shown = orders.map((order) => ({ ...order, mailProblem: problems.get(order._id) ?? null }));
  return Buffer.from(JSON.stringify({ orders: shown, ...page }));
};

const showLive = (ctx: ShopContext, { live }: AdminRoutesDeps): void => {
  const stream = live.watch(ctx.get('Last-Event-ID') || undefined);
  ctx.type = 'text/event-stream';
  // Proxies would hold the stream back for ever.
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = stream;
};

/**
 * Serves `GET /admin/stats`, `/admin/orders`, `/admin/sales?days=` for the chart, `/admin/live` for pushed changes, and `/admin/health`.
 */
export const adminRoutes = (deps: AdminRoutesDeps): Router<State> => {
  const { progress, catalogue, orders, counts } = deps;
  const figures = createFigures(deps);
  const sales = waitForReadModel(readModel(progress, stats.name), ORDERS);
  return createRouter()
    .get('/admin/stats', adminOnly, requireReadModel(progress, stats.name), sales, waitForReadModel(catalogue, PRODUCTS), async (ctx) => {
      ctx.body = await figures(counts.now());
    })
    .get('/admin/sales', adminOnly, requireReadModel(progress, stats.name), sales, (ctx) => showSales(ctx, deps))
    .get('/admin/live', adminOnly, requireReadModel(progress, stats.name), (ctx) => showLive(ctx, deps))
    .get('/admin/health', adminOnly, async (ctx) => {
      ctx.body = await deps.health();
    })
    .get(
      '/admin/orders',
      adminOnly,
      requireReadModel(progress, ordersDesk.name),
      waitForReadModel(readModel(progress, ordersDesk.name), ORDERS_AND_PAYMENTS),
      async (ctx) => {
        const { json, next } = await orders.desk(deskQuestionFrom(ctx.query), getRequiredPosition(ctx, ORDERS_AND_PAYMENTS));
        linkToNext(ctx, next);
        sendJson(ctx, await withMailProblems(json, deps));
      },
    );
};
