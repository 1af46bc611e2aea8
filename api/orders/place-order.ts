import { randomUUID } from 'node:crypto';

import { WrongRevision, type CommandMetadata, type LogPosition } from '#domain/event-store.ts';
import type { PlaceOrder } from '#domain/order/checkout.ts';
import type { OrderLine } from '#domain/order/events.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { ownedBy, type Order } from '#domain/order/rules.ts';
import type { OrderId, ProductId, ShopperId } from '#domain/shared/ids.ts';

import type { Versioned } from '../command-handler/aggregates.ts';
import { Rejected, type Executed, type RequestMetadata } from '../command-handler/execute.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import { getRequestId, type ShopContext, type ShopMiddleware } from '../http/context.ts';
import { setPosition } from '../http/freshness.ts';
import { HttpError } from '../http/http-error.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { loadOffers } from '../catalogue/offers.ts';
import { abandonPlacing } from '../catalogue/stock/abandon-placing.ts';
import { reserve } from '../catalogue/stock/reserve.ts';
import { respondWithOrder, requireOrder, parseOrderId, type OrderRoutesDeps } from './order-commands.ts';
import { PlaceInput } from './inputs.ts';
import { requireShopper } from './order-access.ts';
import { findOrderedMeanwhile, takeFromCart, type KnownOrder } from './take-from-cart.ts';

const isNumbered = (state: Order, number: string): boolean => state.status !== 'none' && state.placement?.number === number;

const getLines = (state: Order): readonly OrderLine[] => (state.status === 'none' ? [] : state.lines);

/**
 * Returns metadata with a new command id: under the id of the placing, a repeated request would find these events and think it was done.
 */
const createCompensationMetadata = ({ commandId, correlationId, actor, traceparent }: CommandMetadata): CommandMetadata => ({
  commandId: randomUUID(),
  correlationId,
  causationId: commandId,
  actor,
  traceparent,
});

/** Placing gives up this long after its first conflict if other processes keep changing the order. */
const PLACED_WITHIN_MS = 5_000;

type Placed = Executed<Order> & { readonly reservedAt?: LogPosition | undefined };
type Placing = {
  readonly deps: OrderRoutesDeps;
  readonly id: OrderId;
  readonly metadata: RequestMetadata;
  /** The shopper wants this order beside another one of the same bottles. */
  readonly again: boolean;
  /** The products of which bottles may be reserved. */
  readonly reserved: Set<ProductId>;
};

/** Reserves the bottles of counted lines, if the order can be placed. Returns the position of the newest reservation. */
const reserveBottles = async ({ deps, id, metadata, reserved }: Placing, { state, head }: Versioned<Order>, command: PlaceOrder) => {
  const counted = getLines(state).filter(({ productId }) => typeof command.offers.get(productId)?.available === 'number');
  const decision = order.decide(state, command);
  if (counted.length === 0 || !decision.ok || decision.events.length === 0) return undefined;
  for (const { productId } of counted) reserved.add(productId);
  return reserve(deps, { id, head, lines: counted }, metadata);
};

/** Looks for an order that the shopper may take for this one. A placed order is placed whatever else was ordered. */
const findOther = async ({ deps, again }: Placing, state: Order, { by, now }: Pick<PlaceOrder, 'by' | 'now'>) => {
  const draft = ownedBy(by, state);
  return again || draft?.status !== 'created' ? undefined : findOrderedMeanwhile(deps, draft, now);
};

/** Decides on today's prices and stock. If the order has changed meanwhile, its bottles are reserved again for the changed order. */
const reserveAndPlace = async (placing: Placing, command: Omit<PlaceOrder, 'offers' | 'meanwhile'>): Promise<Placed> => {
  const { deps, id, metadata } = placing;
  const stream = orderStream(id);
  let deadline = Infinity;
  for (let before = deps.cached(order, stream); ; before = undefined) {
    const at = before ?? (await deps.load(order, stream));
    const [offers, meanwhile] = await Promise.all([loadOffers(deps, id, getLines(at.state)), findOther(placing, at.state, command)]);
    const complete: PlaceOrder = { ...command, offers, meanwhile };
    try {
      const reservedAt = await reserveBottles(placing, at, complete);
      return { ...(await deps.execute(order, stream, complete, metadata, { at })), reservedAt };
    } catch (error) {
      const isOwn = error instanceof WrongRevision && error.stream === stream;
      const now = Date.parse(deps.now());
      if (!isOwn || now > deadline) throw error;
      deadline = Math.min(deadline, now + PLACED_WITHIN_MS);
    }
  }
};

/**
 * Placing has three steps: take a number, reserve the bottles, place the order. When it is refused, the number goes to the next order, and
 * the bottles are released; after a crash `releaseAbandoned` does that.
 */
const placeNumbered = async (placing: Placing, command: Omit<PlaceOrder, 'number' | 'offers' | 'meanwhile'>): Promise<Placed> => {
  const { deps, id, metadata, reserved } = placing;
  const { numbers } = deps.orders;
  const number = await numbers.take();
  try {
    const placed = await reserveAndPlace(placing, { ...command, number });
    if (!isNumbered(placed.state, number)) numbers.giveBack(number);
    return placed;
  } catch (error) {
    // After any other failure the event may have reached the log.
    if (!(error instanceof Rejected)) throw error;
    numbers.giveBack(number);
    await abandonPlacing(deps, { id, products: [...reserved] }, createCompensationMetadata(metadata));
    throw error;
  }
};

/** Empties the cart immediately, for the browser's next query. If that fails, the reaction `empty-cart` empties it later. */
const emptyCart = async (ctx: ShopContext, deps: OrderRoutesDeps, placed: KnownOrder, metadata: CommandMetadata): Promise<void> => {
  try {
    const position = await takeFromCart(deps, placed, metadata);
    if (position !== undefined) setPosition(ctx, 'cart', position);
  } catch (error) {
    deps.log.warn({ requestId: getRequestId(ctx), err: error }, 'An order was placed, but its lines are still in the cart');
  }
};

const noPrepaid = () => new HttpError({ status: 409, code: 'prepaid_unavailable', message: 'Prepaid is not available' });

/** Refuses prepayment without a gateway. An order that was already placed as prepaid is returned, and another shopper's is not found. */
const refusePrepaid = async ({ load }: OrderRoutesDeps, id: OrderId, by: ShopperId): Promise<void> => {
  const { state } = await load(order, orderStream(id));
  if (ownedBy(by, state)?.placement === null) throw noPrepaid();
};

/**
 * Handles `PUT /order/place-order/:id`: places at the prices of the checkout, or refuses. Placing again returns the current order. A draft
 * whose bottles another order has taken meanwhile is placed with `again` only.
 */
export const placeOrder =
  (deps: OrderRoutesDeps): ShopMiddleware =>
  async (ctx) => {
    const id = parseOrderId(ctx);
    const { method, again } = parse(PlaceInput, getBody(ctx));
    const by = await requireShopper(ctx);
    if (method === 'Prepaid' && !deps.isPrepaidAvailable) await refusePrepaid(deps, id, by);
    const metadata = await commandMetadata(ctx);
    const now = method === 'Prepaid' ? await deps.startPaymentWindow() : deps.now();
    const command = { type: 'PlaceOrder', by, method, now } as const;
    const { reservedAt, ...placed } = await placeNumbered({ deps, id, metadata, again, reserved: new Set() }, command);
    if (reservedAt !== undefined) setPosition(ctx, 'stock', reservedAt);
    await emptyCart(ctx, deps, { id, order: requireOrder(placed.state) }, metadata);
    ctx.body = await respondWithOrder(ctx, deps, id, placed);
  };
