import { Router } from '@koa/router';
import { z } from 'zod';

import type { Recorded } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import { ordersDesk } from '#projections/orders-desk/projector.ts';

import { built } from '../http/built.ts';
import type { ShopContext, State } from '../http/context.ts';
import { fresh, readModel } from '../http/freshness.ts';
import { parse } from '../http/input.ts';
import { notFound } from '../http/refusal.ts';
import { auditorOnly } from '../http/session.ts';
import { orderOf } from '../orders/stream.ts';
import type { ShopDatabase } from '../shop-tables.ts';
import { findOrders, orderIdFrom, type FindOrderDeps } from './find-order.ts';
import { liveLog } from './log-source.ts';
import { mailsOf } from './mails-of.ts';
import { noteDownload, type NotingDeps } from './note-download.ts';
import { peopleIn } from './people-in.ts';
import { replayed } from './order-history.ts';
import { verifyOrder, type OrderVerdictDeps } from './order-verdict.ts';
import { NDJSON, storedLine, viewEvent } from './wire.ts';

export type OrderAuditDeps = FindOrderDeps & OrderVerdictDeps & NotingDeps & { readonly db: ShopDatabase };

const Search = z.object({ q: z.string().trim().min(1, 'Required').max(100, 'At most 100 characters') });

const noSuchOrder = () => notFound('There is no such order');

const orderFrom = async (ctx: ShopContext & { params: Record<string, string> }, { desk }: OrderAuditDeps): Promise<OrderId> => {
  const id = await orderIdFrom(desk, ctx.params['id'] ?? '');
  if (!id) throw noSuchOrder();
  return id;
};

/** From whose cart it was checked out: whoever created it. It stays when the order goes over to somebody else. */
const cartOf = (events: readonly Recorded[]): string | null => {
  const [first] = events.map(viewEvent);
  return first?.data && 'shopper' in first.data && typeof first.data.shopper === 'string' ? `cart-${first.data.shopper}` : null;
};

const showOrder = async (ctx: ShopContext & { params: Record<string, string> }, deps: OrderAuditDeps): Promise<void> => {
  const id = await orderFrom(ctx, deps);
  const stream = orderOf(id);
  const { stored, read } = await liveLog(deps.store).history(stream);
  if (stored.length === 0) throw noSuchOrder();
  if (ctx.accepts('application/json', NDJSON) === NDJSON) {
    await noteDownload(ctx, deps, stream);
    ctx.type = NDJSON;
    ctx.set('Content-Disposition', `attachment; filename="${stream}.ndjson"`);
    ctx.body = stored.map((event) => `${JSON.stringify(storedLine(event))}\n`).join('');
    return;
  }
  const { states } = replayed(id, read);
  const events = read.map(viewEvent);
  const [mails, people] = await Promise.all([mailsOf(deps.db, id), peopleIn(deps.db, events)]);
  ctx.body = { stream, events, states, cart: cartOf(read), mails, people };
};

const showVerdict = async (ctx: ShopContext & { params: Record<string, string> }, deps: OrderAuditDeps): Promise<void> => {
  const verdict = await verifyOrder(deps, await orderFrom(ctx, deps));
  if (!verdict) throw noSuchOrder();
  ctx.body = verdict;
};

/**
 * One order (decisions, sections 3 and 7), by its id or number: `GET /audit/orders?q=` finds it, `/audit/orders/:id` is its events and
 * how it was after each (with `Accept: application/x-ndjson` its events as they are kept), `/audit/orders/:id/verify` whether they are
 * what was written.
 */
export const orderAuditRoutes = (deps: OrderAuditDeps): Router<State> => {
  const { progress } = deps;
  const listed = [built(progress, ordersDesk.name), fresh(readModel(progress, ordersDesk.name), ['order'])] as const;
  return new Router<State>()
    .get('/audit/orders', auditorOnly, ...listed, async (ctx) => {
      ctx.body = await findOrders(deps, parse(Search, ctx.query).q);
    })
    .get('/audit/orders/:id', auditorOnly, ...listed, (ctx) => showOrder(ctx, deps))
    .get('/audit/orders/:id/verify', auditorOnly, ...listed, built(progress, myOrders.name), (ctx) => showVerdict(ctx, deps));
};
