import { Router } from '@koa/router';
import type { Logger } from 'pino';

import { order } from '#domain/order/order.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { nothingToPay } from '#domain/payment/payment.ts';
import { paymentStatus } from '#domain/payment/rules.ts';
import { billOf } from '#domain/order/totals.ts';
import { orderStream } from '#domain/order/order-stream.ts';

import { Rejected } from '../command-handler/execute.ts';
import { commandMetadata, userToday } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { ShopContext, ShopMiddleware, State } from '../http/context.ts';
import { leavePosition } from '../http/freshness.ts';
import { HttpError } from '../http/http-error.ts';
import { readBody } from '../http/json-body.ts';
import { orderIdIn, orderNotFound, ownerIn, requireOrder } from '../orders/order-commands.ts';
import { paymentOf } from '../orders/order-payment.ts';
import { GatewayUnavailable, GatewayRefused } from './gateway/gateway.ts';
import { BadSignature, type WebhookHeaders } from './gateway/webhook.ts';
import type { Payments } from './payment-service.ts';

/** `payments` is undefined where no gateway is configured. */
export type PaymentRoutesDeps = Pick<Shop, 'load' | 'store'> & { readonly payments: Payments | undefined; readonly log: Logger };

/** Neither says that nothing was charged: a page that was opened before may have been paid. */
const AWAY = 'The payment service does not answer. Please try again in a minute.';
const NOT_CHECKED = 'The payment service does not answer. If you have paid, your payment may have arrived: it will be looked up again.';

const REFUSED = 'The payment service does not accept this payment. Please contact us.';
const NOT_TOLD = 'The payment service does not say whether you have paid. If you have, please contact us.';

const unavailable = (message: string): HttpError => new HttpError({ status: 503, code: 'gateway_unavailable', message });

/** `refused`: what is said when asking again does not help. */
const answering = async <Result>(work: Promise<Result>, log: Logger, away: string, refused?: string): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable || error instanceof GatewayRefused)) throw error;
    log.warn({ err: error }, 'The payment gateway did not do what a request waits for');
    if (error instanceof GatewayUnavailable || refused === undefined) throw unavailable(away);
    throw new HttpError({ status: 409, code: 'payment_refused', message: refused });
  }
};

/** Only its shopper: staff and auditors are refused, who may read it. */
const ownOrder = async (ctx: ShopContext, { load }: PaymentRoutesDeps) => {
  const id = orderIdIn(ctx);
  const state = requireOrder((await load(order, orderStream(id))).state);
  const by = await ownerIn(ctx);
  if (state.shopper !== by) {
    const user = await userToday(ctx);
    if (!user?.isAdmin && !user?.isAuditor) throw orderNotFound();
    throw new HttpError({ status: 403, code: 'not_the_shopper', message: 'Only its shopper can pay an order' });
  }
  return { id, state };
};

const pay = async (ctx: ShopContext, deps: PaymentRoutesDeps): Promise<void> => {
  const { id, state } = await ownOrder(ctx, deps);
  if (!deps.payments) {
    if (nothingToPay(billOf(state), await paymentOf(deps, id, state))) throw new Rejected({ code: 'nothing_to_pay' });
    throw unavailable(AWAY);
  }
  ctx.body = { url: await answering(deps.payments.request(id, await commandMetadata(ctx)), deps.log, AWAY, REFUSED) };
};

/** The order, and why the last try to pay failed, as long as it is due. */
type CheckedOrder = OrderView & { readonly paymentFailure?: string };

const checkPayment = async (ctx: ShopContext, deps: PaymentRoutesDeps): Promise<void> => {
  const { id, state } = await ownOrder(ctx, deps);
  if (!deps.payments) throw unavailable(NOT_CHECKED);
  const payment = await answering(deps.payments.check(id), deps.log, NOT_CHECKED, NOT_TOLD);
  leavePosition(ctx, 'payment', await deps.store.head(['payment']));
  const failure = paymentStatus(billOf(state), payment) === 'due' ? payment.failed?.why : undefined;
  ctx.body = { ...viewOrder(id, state, payment), ...(failure !== undefined && { paymentFailure: failure }) } satisfies CheckedOrder;
};

/** `POST /order/pay/:id` → `{url}` of the gateway's page; `POST /order/check-payment/:id` → the order, after asking the gateway. */
export const paymentRoutes = (deps: PaymentRoutesDeps): Router<State> =>
  new Router<State>().post('/order/pay/:id', (ctx) => pay(ctx, deps)).post('/order/check-payment/:id', (ctx) => checkPayment(ctx, deps));

const WEBHOOK = '/api/payment/webhook';
/** In bytes; the gateway's are a few thousand. */
const LARGEST = 512 * 1024;

/** Checks the signature and books what the webhook says. Throws `BadSignature`. */
export type TakeSigned = (rawBody: Buffer, headers: WebhookHeaders) => Promise<void>;

/** `POST /api/payment/webhook`: from the gateway, without session. The answer comes after its event is in the log. */
export const paymentWebhook =
  (take: TakeSigned | undefined, log: Logger): ShopMiddleware =>
  async (ctx, next) => {
    if (ctx.path !== WEBHOOK || ctx.method !== 'POST' || !take) return next();
    try {
      // If the gateway does not answer what the shop has to ask, it tells it again.
      await answering(take(await readBody(ctx.req, LARGEST), ctx.req.headers), log, AWAY);
    } catch (error) {
      if (error instanceof BadSignature) throw new HttpError({ status: 400, code: 'bad_signature', message: 'The signature is wrong' });
      throw error;
    }
    ctx.body = { message: 'Taken' };
  };
