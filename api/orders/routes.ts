import { Router } from '@koa/router';

import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/state.ts';
import { viewOrder } from '#domain/order/view.ts';

import type { ShopContext, State } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { bodyOf } from '../http/json-body.ts';
import { adminOnly, shopperIfKnown, userToday } from '../accounts/sessions/session.ts';
import { act, existing, orderIdIn, orderNotFound, ownerIn, type OrderRoutesDeps } from './order-commands.ts';
import { checkOut } from './check-out.ts';
import { CancelInput, ReturnInput } from './inputs.ts';
import { moveOrder } from './move-order.ts';
import { placeOrder } from './place-order.ts';
import { orderOf } from './order-stream.ts';

const mayRead = async (ctx: ShopContext, { shopper }: ExistingOrder): Promise<boolean> => {
  if ((await shopperIfKnown(ctx))?.id === shopper) return true;
  const user = await userToday(ctx);
  return user !== undefined && (user.isAdmin || user.isAuditor);
};

/** Read from the log: another process may have been the last to change the order. */
const showOrder = async (ctx: ShopContext, { load }: OrderRoutesDeps): Promise<void> => {
  const id = orderIdIn(ctx);
  if (!(await shopperIfKnown(ctx))) throw orderNotFound();
  const state = existing((await load(order, orderOf(id))).state);
  if (!(await mayRead(ctx, state))) throw orderNotFound();
  ctx.body = viewOrder(id, state);
};

const cancelOrder = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { reason } = parse(CancelInput, bodyOf(ctx));
  await act(ctx, deps, { type: 'CancelOrder', by: await ownerIn(ctx), reason, now: deps.now() });
};

const returnOrder = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { reason, opened } = parse(ReturnInput, bodyOf(ctx));
  await act(ctx, deps, { type: 'ReturnOrder', by: await ownerIn(ctx), reason, opened, now: deps.now() });
};

/** The commands on orders, and one order by its id. Each answers with the current order. */
export const orderRoutes = (deps: OrderRoutesDeps): Router<State> =>
  new Router<State>()
    .post('/order/create-order', checkOut(deps))
    .put('/order/place-order/:id', placeOrder(deps))
    .get('/order/get-order/:id', (ctx) => showOrder(ctx, deps))
    .put('/order/cancel/:id', (ctx) => cancelOrder(ctx, deps))
    .put('/order/return/:id', (ctx) => returnOrder(ctx, deps))
    .put('/admin/order/:id/status', adminOnly, moveOrder(deps));
