import { randomUUID } from 'node:crypto';

import type { CommandMetadata, LogPosition, StreamHead } from '#domain/event-store.ts';
import type { PlaceOrder } from '#domain/order/checkout.ts';
import type { OrderLine } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import { ownedBy, type Order } from '#domain/order/rules.ts';
import type { OrderId, ProductId, ShopperId } from '#domain/shared/ids.ts';
import { orderStream } from '#domain/order/order-stream.ts';

import { Rejected, type Executed } from '../command-handler/execute.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import { requestIdOf, type ShopContext, type ShopMiddleware } from '../http/context.ts';
import { leavePosition } from '../http/freshness.ts';
import { HttpError } from '../http/http-error.ts';
import { parse } from '../http/input.ts';
import { bodyOf } from '../http/json-body.ts';
import { offersInLog } from '../catalogue/offers.ts';
import { abandonPlacing } from '../stock/abandon-placing.ts';
import { reserve } from '../stock/reserve.ts';
import { respondWithOrder, requireOrder, orderIdIn, ownerIn, type OrderRoutesDeps } from './order-commands.ts';
import { PlaceInput } from './inputs.ts';
import { takeFromCart, type KnownOrder } from './take-from-cart.ts';

const isNumbered = (state: Order, number: string): boolean => state.status !== 'none' && state.placement?.number === number;

const linesOf = (state: Order): readonly OrderLine[] => (state.status === 'none' ? [] : state.lines);

/** A command of its own: under the id of the placing, its events would be taken for a placing that was done when the request is repeated. */
const compensationOf = ({ commandId, correlationId, actor, traceparent }: CommandMetadata): CommandMetadata => ({
  commandId: randomUUID(),
  correlationId,
  causationId: commandId,
  actor,
  traceparent,
});

/**
 * Reserves the bottles of counted lines, then places the order under a new number. An unused number goes to the next order. What was reserved
 * for an order that is then refused is released; after a crash `releaseAbandoned` does it.
 */
const placeNumbered = async (
  deps: OrderRoutesDeps,
  id: OrderId,
  command: Omit<PlaceOrder, 'number' | 'offers'>,
  metadata: CommandMetadata,
): Promise<Executed<Order> & { readonly reservedAt: LogPosition | undefined }> => {
  const { execute, orders } = deps;
  const number = await orders.numbers.take();
  const stream = orderStream(id);
  let reserved: readonly ProductId[] = [];
  let reservedAt: LogPosition | undefined;
  // For each decision: prices and stock may change while this waits for the order, or for its turn to decide again.
  const numbered = async (state: Order, head: StreamHead): Promise<PlaceOrder> => {
    const lines = linesOf(state);
    const offers = await offersInLog(deps, id, lines);
    const placing: PlaceOrder = { ...command, number, offers };
    const decision = order.decide(state, placing);
    const counted = lines.filter(({ productId }) => typeof offers.get(productId)?.available === 'number');
    if (decision.ok && decision.events.length > 0 && counted.length > 0) {
      reserved = counted.map(({ productId }) => productId);
      reservedAt = await reserve(deps, { id, stream, head, lines: counted }, metadata);
    }
    return placing;
  };
  try {
    const placed = await execute(order, stream, numbered, metadata);
    if (!isNumbered(placed.state, number)) orders.numbers.giveBack(number);
    return { ...placed, reservedAt };
  } catch (error) {
    // After any other failure the event may have reached the log.
    if (!(error instanceof Rejected)) throw error;
    orders.numbers.giveBack(number);
    await abandonPlacing(deps, { id, stream, products: reserved }, compensationOf(metadata));
    throw error;
  }
};

/** Empties the cart at once, for the browser's next query. If that fails, the reaction `empty-cart` does it a moment later. */
const emptyCart = async (ctx: ShopContext, deps: OrderRoutesDeps, placed: KnownOrder, metadata: CommandMetadata): Promise<void> => {
  try {
    const position = await takeFromCart(deps, placed, metadata);
    if (position !== undefined) leavePosition(ctx, 'cart', position);
  } catch (error) {
    deps.log.warn({ requestId: requestIdOf(ctx), err: error }, 'An order was placed, but its lines are still in the cart');
  }
};

const noPrepaid = () => new HttpError({ status: 409, code: 'prepaid_unavailable', message: 'Prepaid is not available' });

/** One that was placed as prepaid before is answered as it is, and another shopper's is not found. */
const refusePrepaid = async ({ load }: OrderRoutesDeps, id: OrderId, by: ShopperId): Promise<void> => {
  const { state } = await load(order, orderStream(id));
  if (ownedBy(by, state)?.placement === null) throw noPrepaid();
};

/** `PUT /order/place-order/:id`: places at the prices of the checkout, or refuses. Placing again returns the current order. */
export const placeOrder =
  (deps: OrderRoutesDeps): ShopMiddleware =>
  async (ctx) => {
    const id = orderIdIn(ctx);
    const { method } = parse(PlaceInput, bodyOf(ctx));
    const by = await ownerIn(ctx);
    if (method === 'Prepaid' && !deps.isPrepaidAvailable) await refusePrepaid(deps, id, by);
    const metadata = await commandMetadata(ctx);
    const command = { type: 'PlaceOrder', by, method, now: deps.now() } as const;
    const { reservedAt, ...placed } = await placeNumbered(deps, id, command, metadata);
    if (reservedAt !== undefined) leavePosition(ctx, 'stock', reservedAt);
    await emptyCart(ctx, deps, { id, order: requireOrder(placed.state) }, metadata);
    ctx.body = await respondWithOrder(ctx, deps, id, placed);
  };
