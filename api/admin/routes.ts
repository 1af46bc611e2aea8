import type { Router } from '@koa/router';
import { z } from 'zod';

import { nextSteps } from '#domain/order/next-steps.ts';
import { isOrderNumber, type ProductId } from '#domain/shared/ids.ts';
import { paise, rupees, sum } from '#domain/shared/money.ts';
import { dateInIndia, type Instant } from '#domain/shared/time.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import type { OrderPage } from '#projections/orders/order-rows.ts';
import type { DeskQuery, DeskView } from '#projections/orders/orders-desk-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';
import { stats } from '#projections/stats/projector.ts';
import { type DayFigures, statsQueries } from '#projections/stats/queries.ts';
import { orderStatuses } from '#domain/order/rules.ts';

import { findSessionNow } from '../accounts/sessions/session.ts';
import { isAdmin } from '../accounts/user.ts';
import type { ShopContext, State } from '../http/context.ts';
import { limitInput, linkToNext } from '../http/cursor-page.ts';
import { respondWithEvents } from '../http/event-stream.ts';
import { requireReadModel, waitForReadModel, getRequiredPosition, readModel } from '../http/freshness.ts';
import { parse, typed } from '../http/input.ts';
import { sendJson } from '../http/cached-response.ts';
import { createRouter } from '../http/router.ts';
import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import type { Shop } from '../shop.ts';
import { type OrderLists, orderCursorInput } from '../orders/order-lists.ts';
import type { Counts, CachedCounts, CachedFigures } from './counts.ts';
import type { LiveStream } from './live-stream.ts';

const USUAL_PAGE = 50;

const statuses = orderStatuses.filter((status) => status !== 'created');

const sorts = ['newest', 'oldest'] as const;

const Input = z.object({
  limit: limitInput(USUAL_PAGE),
  status: z.enum(statuses, `One of ${statuses.join(', ')}`).optional(),
  next: z.enum(nextSteps, `One of ${nextSteps.join(', ')}`).optional(),
  sort: z.enum(sorts, `One of ${sorts.join(', ')}`).default('newest'),
  q: typed.max(100, 'At most 100 characters').optional(),
  number: z.string().refine(isOrderNumber, 'Like RH-7K3MQ2XA').optional(),
  cursor: orderCursorInput,
});

/** Throws a 400 that names each wrong parameter; unknown parameters are ignored. */
const deskQuestionFrom = (query: unknown, now: Instant): DeskQuery => {
  const { limit, status, q, number, next, sort, cursor: after } = parse(Input, query);
  return { limit, status, text: q, number, next, today: dateInIndia(now), oldestFirst: sort === 'oldest' || undefined, after };
};

export type AdminRoutesDeps = Pick<Shop, 'now'> & {
  readonly readers: ReadRouter;
  readonly orders: Pick<OrderLists, 'desk' | 'countNext'>;
  readonly figures: Pick<CachedFigures, 'at'>;
  readonly catalogue: Pick<Listing, 'size' | 'has' | 'waitFor' | 'offers'>;
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

const viewDay = ({ day, orders, sales }: DayFigures) => ({ day, orders, sales: rupees(sales) });

/** Returns what an order of the sales comes to in rupees, rounded half up; null when there is none. */
const averageOrder = (days: readonly DayFigures[]): number | null => {
  const sold = days.reduce((count, day) => count + day.sold, 0);
  return sold === 0 ? null : rupees(paise(Math.round(sum(days.map(({ sales }) => sales)) / sold)));
};

/** Returns what was received back on these days in rupees, whenever it was sold. */
const cameBack = (days: readonly DayFigures[]): number => rupees(sum(days.map(({ came_back }) => came_back)));

/** A removed product has a name too. */
const nameProduct = (_id: ProductId, { offers }: Pick<Listing, 'offers'>) => {
  const { name = _id, productImageUrl = [] } = offers.get(_id)?.product ?? {};
  return { _id, name, productImageUrl };
};

/**
 * Shows the sales of each of the last days in India, including today, oldest first, those of as many days before, and the bestsellers. The
 * sales of a day are the totals of its orders but the cancelled and wholly returned ones; bestsellers leave out what came back; `cameBack` is
 * what was received in the period, whenever it was sold.
 */
const showSales = async (ctx: ShopContext, { readers, catalogue, now }: AdminRoutesDeps): Promise<void> => {
  const { days: span } = parse(SalesInput, ctx.query);
  const [days, products] = await readers.ask(stats, getRequiredPosition(ctx, ORDERS), (database) => {
    const figures = statsQueries(database);
    return Promise.all([figures.daily(2 * span, now()), figures.bestsellers(span, now())]);
  });
  const [before, shown] = [days.slice(0, span), days.slice(span)];
  ctx.body = {
    days: shown.map(viewDay),
    daysBefore: before.map(viewDay),
    average: averageOrder(shown),
    averageBefore: averageOrder(before),
    cameBack: cameBack(shown),
    cameBackBefore: cameBack(before),
    bestsellers: products.map(({ product_id: _id, bottles, sales, bottles_before: bottlesBefore }) => ({
      ...nameProduct(_id, catalogue),
      bottles: Number(bottles),
      bottlesBefore: Number(bottlesBefore),
      sales: rupees(paise(Number(sales))),
    })),
  };
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
  const mayStill = async (): Promise<boolean> => {
    const session = await findSessionNow(ctx);
    return session?.owner.kind === 'user' && isAdmin(session.owner.user);
  };
  respondWithEvents(ctx, live.watch(mayStill, ctx.get('Last-Event-ID') || undefined));
};

/**
 * Serves `GET /admin/stats`, `/admin/orders`, `/admin/orders/next` with the counts of the lists of what is next, `/admin/sales?days=` for the chart, `/admin/live` for pushed changes, and `/admin/health`.
 */
export const adminRoutes = (deps: AdminRoutesDeps): Router<State> => {
  const { progress, catalogue, orders, counts } = deps;
  const figures = createFigures(deps);
  const sales = waitForReadModel(readModel(progress, stats.name), ORDERS);
  const desk = waitForReadModel(readModel(progress, ordersDesk.name), ORDERS_AND_PAYMENTS);
  return createRouter()
    .get('/admin/stats', requireReadModel(progress, stats.name), sales, waitForReadModel(catalogue, PRODUCTS), async (ctx) => {
      ctx.body = await figures(counts.now());
    })
    .get('/admin/sales', requireReadModel(progress, stats.name), sales, (ctx) => showSales(ctx, deps))
    .get('/admin/live', requireReadModel(progress, stats.name), (ctx) => showLive(ctx, deps))
    .get('/admin/health', async (ctx) => {
      ctx.body = await deps.health();
    })
    .get('/admin/orders', requireReadModel(progress, ordersDesk.name), desk, async (ctx) => {
      const { json, next } = await orders.desk(deskQuestionFrom(ctx.query, deps.now()), getRequiredPosition(ctx, ORDERS_AND_PAYMENTS));
      linkToNext(ctx, next);
      sendJson(ctx, await withMailProblems(json, deps));
    })
    .get('/admin/orders/next', requireReadModel(progress, ordersDesk.name), desk, async (ctx) => {
      ctx.body = await orders.countNext(dateInIndia(deps.now()), getRequiredPosition(ctx, ORDERS_AND_PAYMENTS));
    });
};
