import { Router } from '@koa/router';
import { z } from 'zod';

import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { viewOrder } from '#domain/order/view.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { ShopContext, State } from '../http/context.ts';
import { limitInput, linkToNext } from '../http/cursor-page.ts';
import { parse } from '../http/input.ts';
import { bodyOf } from '../http/json-body.ts';
import { adminOnly, shopperIfKnown, signedIn, userOf, userToday } from '../accounts/sessions/session.ts';
import { handleOrderCommand, requireOrder, orderIdIn, orderNotFound, type OrderRoutesDeps, ownerIn } from './order-commands.ts';
import { checkOut } from './check-out.ts';
import { CancelInput, ReturnInput } from './inputs.ts';
import { moveOrder } from './move-order.ts';
import { placeOrder } from './place-order.ts';
import { orderStream } from './order-stream.ts';
import { requireReadModel } from '../http/require-read-model.ts';
import { fresh, positionNeeded, readModel } from '../http/freshness.ts';
import { sendJson } from '../fast-path/cached-response.ts';
import { type OrderLists, orderCursorInput } from './order-lists.ts';

const mayRead = async (ctx: ShopContext, { shopper }: ExistingOrder): Promise<boolean> => {
  if ((await shopperIfKnown(ctx))?.id === shopper) return true;
  const user = await userToday(ctx);
  return user !== undefined && (user.isAdmin || user.isAuditor);
};

/** Read from the log: another process may have changed the order last. */
const showOrder = async (ctx: ShopContext, { load }: OrderRoutesDeps): Promise<void> => {
  const id = orderIdIn(ctx);
  if (!(await shopperIfKnown(ctx))) throw orderNotFound();
  const state = requireOrder((await load(order, orderStream(id))).state);
  if (!(await mayRead(ctx, state))) throw orderNotFound();
  ctx.body = viewOrder(id, state);
};

const cancelOrder = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { reason } = parse(CancelInput, bodyOf(ctx));
  await handleOrderCommand(ctx, deps, { type: 'CancelOrder', by: await ownerIn(ctx), reason, now: deps.now() });
};

const returnOrder = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { reason, opened } = parse(ReturnInput, bodyOf(ctx));
  await handleOrderCommand(ctx, deps, { type: 'ReturnOrder', by: await ownerIn(ctx), reason, opened, now: deps.now() });
};

/** Commands on orders, and a single order by id. All respond with the current order. */
export const orderRoutes = (deps: OrderRoutesDeps): Router<State> =>
  new Router<State>()
    .post('/order/create-order', checkOut(deps))
    .put('/order/place-order/:id', placeOrder(deps))
    .get('/order/get-order/:id', (ctx) => showOrder(ctx, deps))
    .put('/order/cancel/:id', (ctx) => cancelOrder(ctx, deps))
    .put('/order/return/:id', (ctx) => returnOrder(ctx, deps))
    .put('/admin/order/:id/status', adminOnly, moveOrder(deps));

type MyOrdersRoutesDeps = { readonly orders: Pick<OrderLists, 'mine'>; readonly progress: Progress };

const FOLLOWS = ['order'] as const;

const MyOrdersInput = z.object({ limit: limitInput(), cursor: orderCursorInput });

/** `GET /order/get-AllOrders`: always the signed-in user's own orders, whatever the URL says; by `limit`, `cursor` and `Link`. */
export const myOrdersRoutes = ({ orders, progress }: MyOrdersRoutesDeps): Router<State> =>
  new Router<State>().get(
    '/order/get-AllOrders',
    signedIn,
    requireReadModel(progress, myOrders.name),
    fresh(readModel(progress, myOrders.name), FOLLOWS),
    async (ctx) => {
      const { id } = await userOf(ctx);
      const { limit, cursor: after } = parse(MyOrdersInput, ctx.query);
      const { json, next } = await orders.mine({ shopper: shopperId(id), limit, after }, positionNeeded(ctx.req, FOLLOWS));
      linkToNext(ctx, next);
      sendJson(ctx, json);
    },
  );
