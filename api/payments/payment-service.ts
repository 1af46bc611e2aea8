import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

import type { CommandMetadata } from '#domain/event-store.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import { nothingToPay, payment, type PaymentCommand, type ReportUnknown, paymentStream } from '#domain/payment/payment.ts';
import type { Payment } from '#domain/payment/rules.ts';
import { isOrderId, type OrderId } from '#domain/shared/ids.ts';
import { ZERO } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { pages } from '#domain/site/pages.ts';

import { Rejected, type RequestMetadata } from '../command-handler/execute.ts';
import type { Shop } from '../shop.ts';
import { bySystem, loadPayment } from '../orders/order-payment.ts';
import { GatewayRefused, within, type Gateway, type GatewayLink, type GatewayPayment, type GatewayRefund } from './gateway/gateway.ts';
import type { WebhookSubject, Webhook } from './gateway/webhook.ts';

export type PaymentParts = Pick<Shop, 'execute' | 'load' | 'now'> & {
  readonly gateway: Gateway;
  readonly publicUrl: string;
  /** An order must be paid within this many ms after placing. */
  readonly window: number;
  /** Multiplies the limit of calls for one order. */
  readonly rateLimitFactor?: number;
  readonly log: Logger;
};

export type Payments = {
  /** Returns the address of the gateway's page for this order. Throws `nothing_to_pay`, `GatewayUnavailable`, and `GatewayRefused`. */
  request(id: OrderId, metadata: CommandMetadata): Promise<string>;
  /**
   * Asks the gateway about the order's open page, or about all its pages if none is open and money is due, and books the answer. Throws
   * `GatewayUnavailable`. Returns the payment.
   */
  check(id: OrderId): Promise<Payment>;
  /**
   * Asks the gateway about all pages that the order ever had, and books what was paid through them and refunded. Throws
   * `GatewayUnavailable`.
   */
  seekLate(id: OrderId): Promise<void>;
  /** Asks the gateway for the refunds of all payments of the order, and books those that are settled. Throws `GatewayUnavailable`. */
  seekRefunds(id: OrderId): Promise<void>;
  /**
   * Books what the webhook reports. Idempotent, in any order. Throws when the log is unreachable; then the gateway sends the webhook again.
   */
  take(webhook: Webhook): Promise<void>;
};

type HandledWebhook = Exclude<Webhook, { readonly kind: 'ignored' | 'unreadable' | 'unstorable' }>;
type OfRefund = Extract<Webhook, { readonly kind: 'refund_settled' | 'refund_refused' }>;

/** Returns the gateway's id of a payment, page or refund that names no order, with what the webhook says about it. */
const describeUnknown = (webhook: HandledWebhook): Pick<ReportUnknown, 'amount' | 'method' | 'news'> & { readonly id: string } => {
  switch (webhook.kind) {
    case 'captured':
      return { ...webhook.payment, news: 'came' };
    case 'failed':
      return { ...webhook.payment, news: 'failed' };
    case 'link_closed':
      return { id: webhook.link ?? '', amount: ZERO, method: '', news: 'page_closed' };
    case 'refund_settled':
      return { ...webhook.refund, method: '', news: 'refunded' };
    case 'refund_refused':
      return { ...webhook.refund, method: '', news: 'refund_refused' };
  }
};

/**
 * Recognises a refund of the shop by its reference, which begins with the payment's id. If it names no order, the worker asks about it
 * later.
 */
const isOwnRefund = (webhook: HandledWebhook): boolean =>
  'refund' in webhook && webhook.refund.reference.startsWith(`${webhook.refund.payment}-`);

/** A request must be answered within ten seconds. One call to the gateway takes at most nine. */
const ANSWERS_WITHIN = 9_500;

export const BANK_REFUSED = 'The bank refused it';

/**
 * Returns metadata that makes each refusal count once, however often it is reported. Each try is a separate refund at the gateway, so the
 * refund's id identifies it; the id of the webhook's event is not signed.
 */
export const ignoreBankRefusal = (gatewayId: string): RequestMetadata => ({ ...bySystem(`refused-${gatewayId}`), isRepeated: true });

/** Two calls for one order begin at least this many ms apart, since the gateway limits all calls of the shop together. */
const APART_MS = 2_000;

/** Shares a call with those who ask for the same order before it ends, and begins the next one only some time after the last began. */
const callsApart = <Order, Result>(call: (id: OrderId, of: Order) => Promise<Result>, apart: number) => {
  const shared = new Map<OrderId, Promise<Result>>();
  const recent = new Map<OrderId, Promise<void>>();
  return (id: OrderId, of: Order): Promise<Result> => {
    const begin = async (): Promise<Result> => {
      await recent.get(id);
      recent.set(
        id,
        sleep(apart, undefined, { ref: false }).finally(() => recent.delete(id)),
      );
      return call(id, of);
    };
    const answer = shared.get(id) ?? begin().finally(() => shared.delete(id));
    shared.set(id, answer);
    return answer;
  };
};

/** The id becomes part of a stream's name. */
const GATEWAY_ID = /^[\w-]{1,64}$/;

export const paymentsWith = ({ execute, load, now, gateway, publicUrl, window, rateLimitFactor = 1, log }: PaymentParts): Payments => {
  const findOrder = async (id: OrderId): Promise<ExistingOrder | undefined> => {
    const { state } = await load(order, orderStream(id));
    return state.status === 'none' ? undefined : state;
  };
  const getOrder = async (id: OrderId): Promise<ExistingOrder> => {
    const found = await findOrder(id);
    if (!found) throw new Rejected({ code: 'order_not_found' });
    return found;
  };
  const command = (id: OrderId, what: PaymentCommand, metadata: RequestMetadata) => execute(payment, paymentStream(id), what, metadata);

  /** The order is read after the capture is booked: an order cancelled later is refunded by the reaction `settle-payments`. */
  const book = async (
    id: OrderId,
    of: ExistingOrder,
    { id: gatewayId, status, amount, method, at, reason }: GatewayPayment,
  ): Promise<void> => {
    const metadata = bySystem(`${status}-${gatewayId}`);
    if (status === 'failed')
      await command(id, { type: 'FailPayment', payment: gatewayId, why: reason ?? 'The payment failed', at }, metadata);
    else await command(id, { type: 'CapturePayment', bill: computeBill(of), payment: gatewayId, amount, method, at, now: now() }, metadata);
  };

  const closed = (id: OrderId, link: string) => command(id, { type: 'CloseLink', link, now: now() }, bySystem(`closed-${link}`));

  const bookAll = async (id: OrderId, of: ExistingOrder, { id: link, status, payments }: GatewayLink): Promise<void> => {
    for (const each of payments) await book(id, of, each);
    if (status === 'cancelled' || status === 'expired') await closed(id, link);
  };

  /**
   * Books what the gateway knows of the order's page; if none is open and money is due, of all its pages. A page that the gateway does not
   * know was made under other keys and counts as closed.
   */
  const ask = async (id: OrderId, of: ExistingOrder): Promise<void> => {
    const money = await loadPayment({ load }, id, of);
    const asked = money.link ? [money.link.id] : nothingToPay(computeBill(of), money) ? [] : money.pages;
    for (const page of asked) {
      const there = await gateway.link(page);
      if (there) await bookAll(id, of, there);
      else if (page === money.link?.id) {
        await closed(id, page);
        // The gateway may still know an earlier page.
        return ask(id, of);
      }
    }
  };

  /** The order is read for each decision, after the payment: so a refund that followed its cancellation finds it cancelled. */
  const bookRefund = async (id: OrderId, { id: refund, payment: from, amount, reference }: GatewayRefund): Promise<void> => {
    const report = async (): Promise<PaymentCommand> => {
      const bill = computeBill(await getOrder(id));
      return { type: 'ReportRefund', bill, payment: from, refund, reference, amount, now: now() };
    };
    await execute(payment, paymentStream(id), report, bySystem(`refunded-${refund}`));
  };

  /** Returns the answer; undefined, and a line in the log, if the gateway refuses it. */
  const ifAnswered = <T>(id: OrderId, what: string, answer: Promise<T>): Promise<T | undefined> =>
    answer.catch((error: unknown) => {
      if (!(error instanceof GatewayRefused)) throw error;
      log.warn({ err: error, order: id }, `The gateway refused to list the ${what}`);
      return undefined;
    });

  const seekRefunds = async (id: OrderId): Promise<void> => {
    const { captures, refunds } = (await load(payment, paymentStream(id))).state;
    const known = new Set(refunds.flatMap((refund) => (refund.status === 'settled' ? [refund.id] : [])));
    for (const { payment: from } of captures)
      for (const refund of (await ifAnswered(id, `refunds of ${from}`, gateway.refundsOf(from))) ?? [])
        if (refund.status === 'settled' && !known.has(refund.id) && !known.has(refund.reference)) await bookRefund(id, refund);
  };

  const askAll = async (id: OrderId, of: ExistingOrder): Promise<Payment> => {
    await ask(id, of);
    await seekRefunds(id);
    return loadPayment({ load }, id, of);
  };

  const askApart = callsApart(askAll, APART_MS / rateLimitFactor);

  const seekLate = async (id: OrderId): Promise<void> => {
    const of = await getOrder(id);
    const { pages: opened } = await loadPayment({ load }, id, of);
    for (const page of opened) {
      const there = await ifAnswered(id, `payments of the page ${page}`, gateway.link(page));
      if (there) await bookAll(id, of, there);
    }
    await seekRefunds(id);
  };

  const request = async (id: OrderId, metadata: CommandMetadata): Promise<string> => {
    const of = await getOrder(id);
    const bill = computeBill(of);
    // A payment that was made but not reported yet must be booked first, so that the shopper does not pay twice.
    const money = await askApart(id, of);
    if (nothingToPay(bill, money) || of.placement === null) throw new Rejected({ code: 'nothing_to_pay' });
    if (money.link) return money.link.url;
    const { number, placedAt } = of.placement;
    const wanted = { reference: id, number, amount: bill.total, returnTo: publicUrl + pages.orderConfirmed.replace(':id', id) };
    const opened = await gateway.openLink({ ...wanted, expiresAt: retryLater(placedAt, window) }).catch(async (error: unknown) => {
      if (error instanceof GatewayRefused)
        await command(id, { type: 'ReportNoPage', why: error.message, now: now() }, bySystem(`no-page-${id}-${now()}`));
      throw error;
    });
    await bookAll(id, of, opened);
    await command(id, { type: 'RequestPayment', bill, link: opened, now: now() }, metadata);
    return opened.url;
  };

  /** A payment's webhook may name only its link. */
  const findReference = async (webhook: WebhookSubject): Promise<string | undefined> =>
    webhook.reference ?? (webhook.link === undefined ? undefined : (await gateway.link(webhook.link))?.reference);

  const findPaidOrder = async (webhook: WebhookSubject): Promise<{ id: OrderId; of: ExistingOrder } | undefined> => {
    const reference = await findReference(webhook);
    if (reference === undefined || !isOrderId(reference)) return undefined;
    const of = await findOrder(reference);
    return of && { id: reference, of };
  };

  const takeUnknown = async (webhook: HandledWebhook): Promise<void> => {
    const { id, amount, method, news } = describeUnknown(webhook);
    if (!GATEWAY_ID.test(id)) return log.error({ amount }, 'The gateway sent news without a usable id');
    log.warn({ id, amount, news }, 'The gateway sent news of a payment that belongs to no order of this shop');
    const report = { type: 'ReportUnknown', amount, method, news, now: now() } as const;
    await execute(payment, `payment-${id}`, report, bySystem(`unknown-${news}-${id}`));
  };

  /** The payment is booked first, since its own webhook may come later. */
  const recordRefundResult = async (id: OrderId, of: ExistingOrder, { kind, refund, paid }: OfRefund): Promise<void> => {
    if (kind === 'refund_refused') {
      const refused = { type: 'RefuseRefund', refund: refund.reference, why: BANK_REFUSED, now: now() } as const;
      return void (await command(id, refused, ignoreBankRefusal(refund.id)));
    }
    if (paid) await book(id, of, paid);
    await bookRefund(id, refund);
  };

  const take = async (webhook: Webhook): Promise<void> => {
    if (webhook.kind === 'ignored') return;
    // The event would stay unreadable if it were sent again. A payment in it is found when the gateway is asked about the order.
    if (webhook.kind === 'unreadable') return log.error({ event: webhook.eventId }, 'The gateway sent a webhook that cannot be read');
    const about = await findPaidOrder(webhook);
    if (webhook.kind === 'unstorable') {
      const { digest, news, why } = webhook;
      const report = { type: 'ReportUnreadable', webhook: digest, news, why, now: now() } as const;
      return void (await execute(payment, `payment-${about?.id ?? digest}`, report, bySystem(`unreadable-${digest}`)));
    }
    if (!about) return isOwnRefund(webhook) ? undefined : takeUnknown(webhook);
    const { id, of } = about;
    switch (webhook.kind) {
      case 'captured':
      case 'failed':
        return book(id, of, webhook.payment);
      case 'link_closed':
        if (webhook.link !== undefined) await command(id, { type: 'CloseLink', link: webhook.link, now: now() }, bySystem(webhook.eventId));
        return;
      case 'refund_settled':
      case 'refund_refused':
        return recordRefundResult(id, of, webhook);
    }
  };

  return {
    request: (id, metadata) => within(ANSWERS_WITHIN, request(id, metadata)),
    check: (id) =>
      within(
        ANSWERS_WITHIN,
        getOrder(id).then((of) => askApart(id, of)),
      ),
    seekLate,
    seekRefunds,
    take,
  };
};

export const retryLater = (at: Instant, milliseconds: number): Instant => instant(new Date(Date.parse(at) + milliseconds).toISOString());
