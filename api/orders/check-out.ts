import { cart, cartStream } from '#domain/cart/cart.ts';
import type { CreateOrder } from '#domain/order/checkout.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { Order } from '#domain/order/rules.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';

import { Rejected, type Executed } from '../command-handler/execute.ts';
import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { getBody } from '../http/json-body.ts';
import { commandMetadata, findShopper } from '../accounts/sessions/session.ts';
import { keyedMutex } from '../platform/keyed-mutex.ts';
import { loadOffers } from '../catalogue/offers.ts';
import { loadRates } from '../tax/todays-rates.ts';
import { respondWithOrder, type OrderRoutesDeps } from './order-commands.ts';
import { parseCheckoutForm } from './inputs.ts';

/** Loads the shopper's current cart from the log, where other processes' changes are visible. */
const cartToOrder = async (ctx: ShopContext, deps: OrderRoutesDeps) => {
  const shopper = await findShopper(ctx);
  // Without a session there is no cart.
  if (!shopper) throw new Rejected({ code: 'cart_empty' });
  const by = shopperId(shopper.id);
  const { state, head } = await deps.load(cart, cartStream(by));
  if (state.closed !== null) throw new Rejected({ code: 'cart_closed', into: state.closed.into });
  return { by, lines: state.lines, id: deps.orders.idOf(by, head.revision) };
};

/**
 * Only commands that create or change a draft count towards the limit: a hundred clicks on one checkout create one order and count once.
 */
const createOrRevise = async (ctx: ShopContext, deps: OrderRoutesDeps, id: OrderId, command: CreateOrder): Promise<Executed<Order>> => {
  const stream = orderStream(id);
  // Most checkouts are the first of their cart: an order that is not cached is assumed to be new, and not read.
  const expected = order.decide(deps.cached(order, stream)?.state ?? order.initial, command);
  if (!expected.ok || expected.events.length === 0) {
    const { state } = await deps.load(order, stream);
    const decision = order.decide(state, command);
    if (!decision.ok) throw new Rejected(decision.rejection);
    if (decision.events.length === 0) return { state };
  }
  await deps.limits.spend('create-order of a shopper', command.by, ctx);
  return deps.execute(order, stream, command, await commandMetadata(ctx), { isNew: true });
};

/** Handles `POST /order/create-order`: creates a draft from the cart, or revises the draft that this version of the cart already has. */
export const checkOut = (deps: OrderRoutesDeps): ShopMiddleware => {
  // Without the mutex a hundred concurrent clicks would each find no order and count towards the limit.
  const mutex = keyedMutex();
  return async (ctx) => {
    const form = parseCheckoutForm(getBody(ctx));
    const { id, ...from } = await cartToOrder(ctx, deps);
    const created = await mutex(id, async () => {
      const [offers, rates] = await Promise.all([loadOffers(deps, id, from.lines), loadRates(deps)]);
      return createOrRevise(ctx, deps, id, { type: 'CreateOrder', ...from, ...form, offers, rates, now: deps.now() });
    });
    ctx.status = 201;
    ctx.body = { order: await respondWithOrder(ctx, deps, id, created) };
  };
};
