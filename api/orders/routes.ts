import type { Router } from '@koa/router';
import { z } from 'zod';

import { order, orderStream } from '#domain/order/order.ts';
import { WrongRevision } from '#domain/event-store.ts';
import { needsPayment, type MoveOrder } from '#domain/order/fulfilment.ts';
import type { ExistingOrder, Order } from '#domain/order/rules.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { findUnpaid, type UnpaidRejection } from '#domain/payment/rules.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { OrderEvent } from '#domain/order/events.ts';

import { getClientAddress, type ShopContext, type State, type ShopMiddleware } from '../http/context.ts';
import { limitInput, linkToNext } from '../http/cursor-page.ts';
import { respondWithEvents } from '../http/event-stream.ts';
import { parse } from '../http/input.ts';
import { getBody } from '../http/json-body.ts';
import { formatActorName } from '../accounts/actor-name.ts';
import { commandMetadata, findSessionNow, findShopper, getUser } from '../accounts/sessions/session.ts';
import {
  handleOrderCommand,
  requireOrder,
  parseOrderId,
  orderNotFound,
  type OrderRoutesDeps,
  shopperErased,
  withMailProblem,
} from './order-commands.ts';
import { checkOut } from './check-out.ts';
import { CancelInput, CorrectEmailInput, MoveInput, PackedInput, ShipmentInput } from './inputs.ts';
import { findAccess, reachOrder, requireOwner, viewReached, type AccessDeps } from './order-access.ts';
import { explainOrder } from './explain-order.ts';
import type { LiveOrders } from './live-orders.ts';
import { placeOrder } from './place-order.ts';
import { loadPayment } from './order-payment.ts';
import { requireReadModel, waitForReadModel, getRequiredPosition, readModel } from '../http/freshness.ts';
import { sendJson } from '../http/cached-response.ts';
import { type OrderLists, orderCursorInput } from './order-lists.ts';
import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { Rejected } from '../command-handler/execute.ts';
import { HttpError } from '../http/http-error.ts';
import { answerTo } from '../http/rejection-answers.ts';
import { createRouter } from '../http/router.ts';

/** These events change the owner or a draft, but not the status. */
const STATUS_KEEPING_EVENTS: ReadonlySet<OrderEvent['type']> = new Set<OrderEvent['type']>([
  'OrderClaimed',
  'OrderEmailCorrected',
  'OrderPacked',
  'OrderUnpacked',
  'ShipmentCorrected',
  'OrderRevised',
  'PlacingAbandoned',
  'MoveAbandoned',
  'ReturnRequested',
  'ReturnDecided',
  'ReturnReceived',
]);

/**
 * Builds the refusal for a page that showed an older state. It holds the current order and who last changed its status: `current` and
 * `changedBy: {kind, name, at}`.
 */
const staleMove = async ({ store, load, orders }: OrderRoutesDeps, id: OrderId, no: Rejected): Promise<HttpError> => {
  const { events } = await store.read<OrderEvent>(orderStream(id));
  const current = requireOrder(events.reduce(order.evolve, order.initial));
  const last = events.findLast(({ type }) => !STATUS_KEEPING_EVENTS.has(type));
  const answer = answerTo(no.rejection);
  if (!last) return new HttpError(answer);
  const { actor, recordedAt } = last.metadata;
  const name = await formatActorName(actor, orders);
  const details = {
    current: viewOrder(id, current, await loadPayment({ load }, id, current)),
    changedBy: { kind: actor.kind, name, at: recordedAt },
  };
  return new HttpError({ ...answer, message: `${answer.message}. ${name} changed it last.`, details });
};

const MOVES_AGAIN = 5;

/**
 * Handles `PUT /admin/order/:id/status`. Order and payment are two streams, so the move of a prepaid order is begun in that of the payment,
 * which refuses a full refund until the move has ended. In between it is decided on the state of the order from before it was begun; so it
 * fails if it was given up meanwhile, and is begun anew if the order has changed.
 */
const moveOrder =
  (deps: OrderRoutesDeps): ShopMiddleware =>
  async (ctx) => {
    const { status: to, note, placeOfSupply } = parse(MoveInput, getBody(ctx));
    const shipment = parse(ShipmentInput, getBody(ctx));
    const id = parseOrderId(ctx);
    const metadata = await commandMetadata(ctx);
    const { shopper } = requireOrder((await deps.load(order, orderStream(id))).state);
    const mark = (type: 'BeginMove' | 'EndMove', move: string) =>
      deps.execute(payment, paymentStream(id), async () => ({ type, move, now: deps.now() }), {
        ...metadata,
        commandId: `${type}-${move}`,
      });
    const moveOnce = async (isErased: boolean): Promise<void> => {
      const createMove = (unpaid?: UnpaidRejection): MoveOrder => {
        return { type: 'MoveOrder', to, note, placeOfSupply, shipment, unpaid, isErased, now: deps.now() };
      };
      const command = async (state: Order): Promise<MoveOrder> =>
        createMove(state.status === 'none' ? undefined : findUnpaid(await loadPayment(deps, id, state)));
      const at = await deps.load(order, orderStream(id));
      // A move that is refused anyway is not begun, nor is one that came before and is repeated.
      if (!needsPayment(at.state, to) || !order.decide(at.state, createMove()).ok) return handleOrderCommand(ctx, deps, command);
      const move = `${metadata.commandId}-${at.head.revision}`;
      await mark('BeginMove', move);
      try {
        await handleOrderCommand(ctx, deps, command, { at });
      } finally {
        await mark('EndMove', move);
      }
    };
    const moveAgain = (isErased: boolean, times: number): Promise<void> =>
      moveOnce(isErased).catch((error: unknown) => {
        if (!(error instanceof WrongRevision) || times === 0) throw error;
        return moveAgain(isErased, times - 1);
      });
    try {
      await deps.orders.beforeErasure(shopper, (isErased) => moveAgain(isErased, MOVES_AGAIN));
    } catch (error) {
      if (error instanceof SubjectErased) throw shopperErased('Please leave out the note.');
      if (error instanceof Rejected && error.rejection.code === 'illegal_transition') throw await staleMove(deps, id, error);
      throw error;
    }
  };

/** Handles `PUT /admin/order/:id/email`: corrects the address of the order, and sends its mails that were given up to it. */
const correctEmail = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const input = parse(CorrectEmailInput, getBody(ctx));
  const id = parseOrderId(ctx);
  try {
    await handleOrderCommand(ctx, deps, { type: 'CorrectEmail', ...input, now: deps.now() });
  } catch (error) {
    throw error instanceof SubjectErased ? shopperErased('There is nobody to write to.') : error;
  }
  // Somebody may have corrected it once more.
  const { state } = await deps.load(order, orderStream(id));
  if (state.status !== 'none') await deps.mails.sendAgain(id, state.shippingAddress.email);
};

/** Handles `PUT /admin/order/:id/shipment`: replaces courier, number and link of an order that is on its way. */
const correctShipment = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const texts = parse(ShipmentInput, getBody(ctx));
  try {
    await handleOrderCommand(ctx, deps, { type: 'CorrectShipment', texts, now: deps.now() });
  } catch (error) {
    throw error instanceof SubjectErased ? shopperErased('There is nobody to tell.') : error;
  }
};

const markPacked = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { packed } = parse(PackedInput, getBody(ctx));
  await handleOrderCommand(ctx, deps, { type: 'MarkPacked', packed, now: deps.now() });
};

const showOrder = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  ctx.body = await viewReached(deps, await reachOrder(ctx, deps));
};

const showAmounts = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { id } = await reachOrder(ctx, deps);
  const answer = await explainOrder(deps.store, id);
  if (!answer) throw orderNotFound();
  ctx.body = answer;
};

const cancelOrder = async (ctx: ShopContext, deps: OrderRoutesDeps): Promise<void> => {
  const { reason } = parse(CancelInput, getBody(ctx));
  await handleOrderCommand(ctx, deps, { type: 'CancelOrder', by: await requireOwner(ctx, deps), reason, now: deps.now() });
};

/** Routes for commands on orders, a single order by id, and the explanation of its amounts. Commands respond with the current order. */
export const orderRoutes = (deps: OrderRoutesDeps): Router<State> => {
  const desk = withMailProblem(deps.mails);
  return createRouter()
    .post('/order/create-order', checkOut(deps))
    .put('/order/place-order/:id', placeOrder(deps))
    .get('/order/get-order/:id', (ctx) => showOrder(ctx, deps))
    .get('/order/:id/explain', (ctx) => showAmounts(ctx, deps))
    .put('/order/cancel/:id', (ctx) => cancelOrder(ctx, deps))
    .put('/admin/order/:id/status', desk, moveOrder(deps))
    .put('/admin/order/:id/shipment', desk, (ctx) => correctShipment(ctx, deps))
    .put('/admin/order/:id/packed', desk, (ctx) => markPacked(ctx, deps))
    .put('/admin/order/:id/email', desk, (ctx) => correctEmail(ctx, deps));
};

type LiveOrderRoutesDeps = AccessDeps & { readonly live: Pick<LiveOrders, 'watch'> };

/**
 * Handles `GET /order/:id/live` for those who may act as the order's shopper. Staff get 204, after which their browser does not ask again.
 */
export const liveOrderRoutes = ({ live, ...deps }: LiveOrderRoutesDeps): Router<State> =>
  createRouter().get('/order/:id/live', async (ctx) => {
    const { id, state, access } = await reachOrder(ctx, deps);
    if (access === 'staff') {
      ctx.status = 204;
      return;
    }
    const mayStill = async (now: ExistingOrder): Promise<boolean> => {
      const session = await findSessionNow(ctx);
      return session !== undefined && (await findAccess(ctx, deps, session, { id, state: now })) === access;
    };
    respondWithEvents(ctx, live.watch({ id, shopper: state.shopper, address: getClientAddress(ctx), mayStill }));
  });

type MyOrdersRoutesDeps = { readonly orders: Pick<OrderLists, 'mine'>; readonly progress: Progress };

const FOLLOWS = ['order', 'payment'] as const;

const MyOrdersInput = z.object({ limit: limitInput(), cursor: orderCursorInput });

/** Handles `GET /order/last-address` → `{shipping}`: the address of the newest order of this shopper, visitors too; null without one. */
const showLastAddress = async (ctx: ShopContext, { orders }: MyOrdersRoutesDeps): Promise<void> => {
  const shopper = await findShopper(ctx);
  const own = shopper && (await orders.mine({ shopper: shopperId(shopper.id), limit: 1 }, getRequiredPosition(ctx, FOLLOWS)));
  const [last]: readonly OrderView[] = own ? JSON.parse(own.json.toString()).orders : [];
  ctx.body = { shipping: last?.shippingAddress ?? null };
};

/**
 * Handles `GET /order/get-AllOrders`: always the signed-in user's own orders, whatever the URL says; pages by `limit`, `cursor` and `Link`.
 */
export const myOrdersRoutes = (deps: MyOrdersRoutesDeps): Router<State> => {
  const { orders, progress } = deps;
  const ready = [requireReadModel(progress, myOrders.name), waitForReadModel(readModel(progress, myOrders.name), FOLLOWS)];
  return createRouter()
    .get('/order/get-AllOrders', ...ready, async (ctx) => {
      const { id } = await getUser(ctx);
      const { limit, cursor: after } = parse(MyOrdersInput, ctx.query);
      const { json, next } = await orders.mine({ shopper: shopperId(id), limit, after }, getRequiredPosition(ctx, FOLLOWS));
      linkToNext(ctx, next);
      sendJson(ctx, json);
    })
    .get('/order/last-address', ...ready, (ctx) => showLastAddress(ctx, deps));
};
