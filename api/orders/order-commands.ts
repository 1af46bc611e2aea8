import type { Logger } from 'pino';

import type { LogPosition } from '#domain/event-store.ts';
import { order, type OrderCommand, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder, Order } from '#domain/order/rules.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { isOrderId, shopperId, type OrderId, type ShopperId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import { Rejected, type CommandFor, type Executed, type ExecuteOptions } from '../command-handler/execute.ts';
import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { setPosition } from '../http/freshness.ts';
import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import type { Limits } from '../accounts/limits/limits.ts';
import { commandMetadata, findShopper, userToday } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { Orders } from './open-orders.ts';
import { shownPayment } from './order-payment.ts';

export type OrderRoutesDeps = Pick<Shop, 'execute' | 'load' | 'cached' | 'now' | 'store'> & {
  readonly orders: Orders;
  readonly limits: Pick<Limits, 'spend'>;
  readonly mails: Pick<UnsentOrderMails, 'findProblems' | 'sendAgain'>;
  /** Returns the time from which the time to pay is counted, by the clock that ends it, which may not be that of this process. */
  readonly startPaymentWindow: () => Promise<Instant>;
  /** The value is true if a payment gateway is configured. */
  readonly isPrepaidAvailable: boolean;
  readonly log: Logger;
};

export const orderNotFound = (): Rejected => new Rejected({ code: 'order_not_found' });

/** Returns the id of the order in the path. Throws `order_not_found` for an invalid id. */
export const parseOrderId = (ctx: ShopContext): OrderId => {
  const { id = '' } = ctx['params'];
  if (!isOrderId(id)) throw orderNotFound();
  return id;
};

/** Returns the shopper of the session. Throws `order_not_found` without a session, since it has no orders. */
export const getOwner = async (ctx: ShopContext): Promise<ShopperId> => {
  const shopper = await findShopper(ctx);
  if (!shopper) throw orderNotFound();
  return shopperId(shopper.id);
};

/** Throws `order_not_found` for an order that does not exist. */
export const requireOrder = (state: Order): ExistingOrder => {
  if (state.status === 'none') throw orderNotFound();
  return state;
};

const mayRead = async (ctx: ShopContext, { shopper }: ExistingOrder): Promise<boolean> => {
  if ((await findShopper(ctx))?.id === shopper) return true;
  const user = await userToday(ctx);
  return user !== undefined && (user.isAdmin || user.isAuditor);
};

/** Loads the order in the path from the log, where other processes' changes are visible, and checks that this session may read it. */
export const orderToRead = async (
  ctx: ShopContext,
  { load }: Pick<Shop, 'load'>,
): Promise<{ readonly id: OrderId; readonly state: ExistingOrder }> => {
  const id = parseOrderId(ctx);
  if (!(await findShopper(ctx))) throw orderNotFound();
  const state = requireOrder((await load(order, orderStream(id))).state);
  if (!(await mayRead(ctx, state))) throw orderNotFound();
  return { id, state };
};

/**
 * Responds with an order after a command and sets the browser's position cookie. If the command appended nothing, its first response and
 * position may have been lost: then the cookie gets the newest position of all orders.
 */
export const respondWithOrder = async (
  ctx: ShopContext,
  deps: Pick<Shop, 'store' | 'load' | 'now'>,
  id: OrderId,
  { state, position }: Executed<Order>,
): Promise<OrderView> => {
  const where: LogPosition = position ?? (await deps.store.head(['order']));
  setPosition(ctx, 'order', where);
  const current = requireOrder(state);
  return viewOrder(id, current, await shownPayment(deps, id, current));
};

type MailProblems = Pick<UnsentOrderMails, 'findProblems'>;

/** Adds what the staff see of an order: `mailProblem: {to, reason, at}|null`, its newest mail that was given up. */
export const addMailProblem = async ({ findProblems }: MailProblems, view: OrderView) => ({
  ...view,
  mailProblem: (await findProblems([view._id])).get(view._id) ?? null,
});

/** Adds it to the order in the answer. */
export const withMailProblem =
  (mails: MailProblems): ShopMiddleware =>
  async (ctx, next) => {
    await next();
    ctx.body = await addMailProblem(mails, ctx.body as OrderView);
  };

/** Executes the command on the order in the path, and responds with the resulting order. */
export const handleOrderCommand = async (
  ctx: ShopContext,
  deps: OrderRoutesDeps,
  command: CommandFor<Order, OrderCommand>,
  options: ExecuteOptions<Order> = {},
): Promise<void> => {
  const id = parseOrderId(ctx);
  const executed = await deps.execute(order, orderStream(id), command, await commandMetadata(ctx), options);
  ctx.body = await respondWithOrder(ctx, deps, id, executed);
};
