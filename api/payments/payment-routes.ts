import type { Router } from '@koa/router';
import type { Logger } from 'pino';

import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { nothingToPay } from '#domain/payment/payment.ts';
import { paymentStatus } from '#domain/payment/rules.ts';
import { computeBill } from '#domain/order/totals.ts';

import { Rejected } from '../command-handler/execute.ts';
import { commandMetadata } from '../accounts/sessions/session.ts';
import type { Shop } from '../shop.ts';
import type { ShopContext, State } from '../http/context.ts';
import { setPosition } from '../http/freshness.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { readBody } from '../http/json-body.ts';
import { createRouter } from '../http/router.ts';
import { reachOrder, type AccessDeps, type ReachedOrder } from '../orders/order-access.ts';
import { loadPayment } from '../orders/order-payment.ts';
import { GatewayUnavailable, GatewayRefused } from './gateway/gateway.ts';
import { BadSignature, type WebhookHeaders } from './gateway/webhook.ts';
import type { Payments } from './payment-service.ts';

export type PaymentRoutesDeps = Pick<Shop, 'store'> & AccessDeps & { readonly payments: Payments | undefined; readonly log: Logger };

/** No message says that nothing was charged, because an earlier page may have been paid. */
const AWAY = 'The payment service does not answer. Please try again in a minute.';
const NOT_CHECKED = 'The payment service does not answer. If you have paid, your payment may have arrived: it will be looked up again.';

const REFUSED = 'The payment service does not accept this payment. Please contact us.';
const NOT_TOLD = 'The payment service does not say whether you have paid. If you have, please contact us.';

const unavailable = (message: string): HttpError => new HttpError({ status: 503, code: 'gateway_unavailable', message });

/** `refused` is the message when trying again does not help. */
const answering = async <Result>(work: Promise<Result>, log: Logger, away: string, refused?: string): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatewayUnavailable || error instanceof GatewayRefused)) throw error;
    log.warn({ err: error }, 'The payment gateway failed while a request waited for it');
    if (error instanceof GatewayUnavailable || refused === undefined) throw unavailable(away);
    throw new HttpError({ status: 409, code: 'payment_refused', message: refused });
  }
};

/** Loads the order in the path for its shopper only: staff and auditors may read it, but not pay for it. */
const ownOrder = async (ctx: ShopContext, deps: PaymentRoutesDeps): Promise<ReachedOrder> => {
  const reached = await reachOrder(ctx, deps);
  if (reached.access === 'staff')
    throw new HttpError({ status: 403, code: 'not_the_shopper', message: 'Only its shopper can pay an order' });
  return reached;
};

const pay = async (ctx: ShopContext, deps: PaymentRoutesDeps): Promise<void> => {
  const { id, state } = await ownOrder(ctx, deps);
  if (!deps.payments) {
    if (nothingToPay(computeBill(state), await loadPayment(deps, id, state))) throw new Rejected({ code: 'nothing_to_pay' });
    throw unavailable(AWAY);
  }
  ctx.body = { url: await answering(deps.payments.request(id, await commandMetadata(ctx)), deps.log, AWAY, REFUSED) };
};

/** The order with the reason why the last payment failed, as long as payment is due. */
type CheckedOrder = OrderView & { readonly paymentFailure?: string };

const checkPayment = async (ctx: ShopContext, deps: PaymentRoutesDeps): Promise<void> => {
  const { id, state } = await ownOrder(ctx, deps);
  if (!deps.payments) throw unavailable(NOT_CHECKED);
  const payment = await answering(deps.payments.check(id), deps.log, NOT_CHECKED, NOT_TOLD);
  setPosition(ctx, 'payment', await deps.store.head(['payment']));
  const failure = paymentStatus(computeBill(state), payment) === 'due' ? payment.failed?.why : undefined;
  ctx.body = { ...viewOrder(id, state, payment), ...(failure !== undefined && { paymentFailure: failure }) } satisfies CheckedOrder;
};

/**
 * Handles `POST /order/pay/:id` → `{url}` of the gateway's page, and `POST /order/check-payment/:id` → the order, after asking the gateway.
 */
export const paymentRoutes = (deps: PaymentRoutesDeps): Router<State> =>
  createRouter()
    .post('/order/pay/:id', (ctx) => pay(ctx, deps))
    .post('/order/check-payment/:id', (ctx) => checkPayment(ctx, deps));

/** A body may have this many bytes; the gateway sends a few thousand. */
const LARGEST = 512 * 1024;

/** Checks the signature and books what the webhook reports. Throws `BadSignature`. */
export type TakeSigned = (rawBody: Buffer, headers: WebhookHeaders) => Promise<void>;

/** Handles `POST /api/payment/webhook`, which the gateway calls without a session. The answer is sent after the event is in the log. */
export const paymentWebhook = (take: TakeSigned | undefined, log: Logger): Router<State> =>
  createRouter({ prefix: '/api' }).post('/payment/webhook', async (ctx) => {
    if (!take) throw notFound('There is nothing at this address');
    try {
      // If the gateway does not answer a question of the shop, the route fails and the gateway sends the webhook again.
      await answering(take(await readBody(ctx, LARGEST), ctx.req.headers), log, AWAY);
    } catch (error) {
      if (error instanceof BadSignature) throw new HttpError({ status: 400, code: 'bad_signature', message: 'The signature is wrong' });
      throw error;
    }
    ctx.body = { message: 'Taken' };
  });
