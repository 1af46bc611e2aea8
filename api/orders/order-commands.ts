import type { Logger } from 'pino';

import type { LogPosition } from '#domain/event-store.ts';
import { order, type OrderCommand, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder, Order } from '#domain/order/rules.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { isOrderId, type OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import { Rejected, type CommandFor, type Executed, type ExecuteOptions } from '../command-handler/execute.ts';
import type { ShopContext, ShopMiddleware } from '../http/context.ts';
import { setPosition } from '../http/freshness.ts';
import { HttpError } from '../http/http-error.ts';
import type { UnsentOrderMails } from '../mail/unsent-order-mails.ts';
import type { Limits } from '../accounts/limits/limits.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { Orders } from './open-orders.ts';
import type { OrderLinks } from './order-links.ts';
import { shownPayment } from './order-payment.ts';

export type OrderRoutesDeps = Pick<Shop, 'execute' | 'load' | 'cached' | 'now' | 'store'> & {
  readonly orders: Orders;
  readonly links: Pick<OrderLinks, 'isOpen'>;
  readonly limits: Pick<Limits, 'spend'>;
  readonly mails: Pick<UnsentOrderMails, 'findProblems' | 'sendAgain'>;
  /** Returns the time from which the time to pay is counted, by the clock that ends it, which may not be that of this process. */
  readonly startPaymentWindow: () => Promise<Instant>;
  /** The value is true if a payment gateway is configured. */
  readonly isPrepaidAvailable: boolean;
  readonly log: Logger;
};

export const orderNotFound = (): Rejected => new Rejected({ code: 'order_not_found' });

export const shopperErased = (advice: string): HttpError =>
  new HttpError({ status: 409, code: 'shopper_erased', message: `The data of this shopper was erased. ${advice}` });

/** Returns the id of the order in the path. Throws `order_not_found` for an invalid id. */
export const parseOrderId = (ctx: ShopContext): OrderId => {
  const { id = '' } = ctx['params'];
  if (!isOrderId(id)) throw orderNotFound();
  return id;
};

/** Throws `order_not_found` for an order that does not exist. */
export const requireOrder = (state: Order): ExistingOrder => {
  if (state.status === 'none') throw orderNotFound();
  return state;
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

export type MailProblems = Pick<UnsentOrderMails, 'findProblems'>;

/** Adds what staff who read an order see of it: `mailProblem: {to, reason, at}|null`, its newest mail that was given up. */
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
