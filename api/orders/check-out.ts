import { cart } from '#domain/cart/cart.ts';
import type { CreateOrder } from '#domain/order/checkout.ts';
import { order } from '#domain/order/order.ts';
import type { Order } from '#domain/order/state.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';

import { cartOf } from '../cart/stream.ts';
import { Rejected, type Executed } from '../execute.ts';
import { commandMetadata } from '../http/command-metadata.ts';
import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { bodyOf } from '../http/json-body.ts';
import { shopperIfKnown } from '../http/session.ts';
import { keyedMutex } from '../keyed-mutex.ts';
import { offersInLog } from '../products/offers.ts';
import { decided, type OrderRoutesDeps } from './acting.ts';
import { checkoutFormIn } from './inputs.ts';
import { orderOf } from './stream.ts';

/** The shopper's cart in this very version, as the log has it: another process may have been the last to write it. */
const cartToOrder = async (ctx: ShopContext, deps: OrderRoutesDeps, asked: number) => {
  const shopper = await shopperIfKnown(ctx);
  // Whom we have not met has put nothing into a cart.
  if (!shopper) throw new Rejected({ code: 'cart_empty' });
  const by = shopperId(shopper.id);
  // Its products are read along with it, as far as it is known what they are.
  const known = deps.recall(cart, cartOf(by))?.state ?? cart.initial;
  const [{ state, head }] = await Promise.all([deps.load(cart, cartOf(by)), offersInLog(deps, known.lines, asked)]);
  if (state.closed !== null) throw new Rejected({ code: 'cart_closed', into: state.closed.into });
  return { by, lines: state.lines, id: deps.orders.idOf(by, head.revision) };
};

/** Only what makes or changes a draft counts towards the limit: a hundred clicks on one checkout are one order. */
const createOrRevise = async (
  ctx: ShopContext,
  deps: OrderRoutesDeps,
  id: OrderId,
  command: CreateOrder,
  asked: number,
): Promise<Executed<Order>> => {
  const stream = orderOf(id);
  // Most checkouts are the first of their cart: no read is spent on finding nothing.
  const presumed = order.decide(deps.presume(order, stream).state, command);
  if (!presumed.ok || presumed.events.length === 0) {
    const { state } = await deps.load(order, stream, asked);
    const decision = order.decide(state, command);
    if (!decision.ok) throw new Rejected(decision.rejection);
    if (decision.events.length === 0) return { state };
  }
  await deps.limits.spend('create-order of a shopper', command.by, ctx);
  return deps.execute(order, stream, command, await commandMetadata(ctx));
};

/** `POST /order/create-order`: the cart becomes a draft of an order, or what the same version of it became before is revised. */
export const checkOut = (deps: OrderRoutesDeps): ShopMiddleware => {
  // Otherwise all of a hundred clicks would find no order yet, and each would count.
  const turn = keyedMutex();
  return async (ctx) => {
    const asked = performance.now();
    const form = checkoutFormIn(bodyOf(ctx));
    const { id, ...from } = await cartToOrder(ctx, deps, asked);
    const created = await turn(id, async () => {
      const offers = await offersInLog(deps, from.lines, asked);
      return createOrRevise(ctx, deps, id, { type: 'CreateOrder', ...from, ...form, offers, now: deps.now() }, asked);
    });
    ctx.status = 201;
    ctx.body = { order: await decided(ctx, deps, id, created) };
  };
};
