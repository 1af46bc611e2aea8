import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import type { OrderId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';
import type { Mismatch, PaymentEvent, UnknownNews } from './events.ts';
import {
  recordRefundResult,
  mismatchFound,
  refundExcess,
  reportRefund,
  requested,
  settleCashRefund,
  requestRefund,
  type RefundExcess,
  type RefundRejection,
  type RefuseRefund,
  type ReportRefund,
  type RequestRefund,
  type SettleCashRefund,
  type SettleRefund,
} from './refunds.ts';
import {
  completing,
  computeKept,
  NO_PAYMENT,
  owedFor,
  paymentStatus,
  refundable,
  type Bill,
  type Payment,
  type Refund,
  findUnpaid,
  type UnpaidRejection,
} from './rules.ts';

/** A payment belongs to one order. */
export const paymentStream = (id: OrderId): StreamName => `payment-${id}`;

const withRefund = (payment: Payment, id: string, change: (refund: Refund) => Refund): Payment => ({
  ...payment,
  refunds: payment.refunds.map((refund) => (refund.id === id ? change(refund) : refund)),
});

/** Returns whether a refund that was given up was settled after all, or whether the same amount of its kind was refunded later. */
const wentBack = ({ refunds }: Payment, { refund, amount }: Extract<Mismatch, { kind: 'refund_refused' }>): boolean => {
  const index = refunds.findIndex(({ id }) => id === refund);
  const isExcess = refunds[index]?.kind === 'excess';
  const later = refunds.slice(index + 1).filter(({ kind, status }) => status === 'settled' && (kind === 'excess') === isExcess);
  return refunds[index]?.status === 'settled' || later.reduce((total, each) => total + each.amount, 0) >= amount;
};

/** Removes the mismatches that this state resolves: the order is paid, its money was refunded, or a refund was settled after all. */
const settled = (payment: Payment): Payment => {
  const isOpen = (mismatch: Mismatch): boolean => {
    if (mismatch.kind === 'page_refused') return (payment.link?.id ?? '') === mismatch.link && completing(payment) === undefined;
    if (mismatch.kind === 'too_little') return completing(payment) === undefined && refundable(payment) > 0;
    if (mismatch.kind !== 'refund_refused') return true;
    return !wentBack(payment, mismatch) && refundable(payment) > 0;
  };
  return payment.mismatches.length === 0 ? payment : { ...payment, mismatches: payment.mismatches.filter(isOpen) };
};

/** Returns the state after an event. Events are facts and are not checked again. */
const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  const { type, data } = event;
  switch (type) {
    case 'PaymentRequested':
      return settled({
        ...payment,
        total: data.total,
        link: { id: data.link, url: data.url },
        pages: [...payment.pages, data.link],
        openedAt: data.requestedAt,
        looks: 0,
      });
    case 'PaymentLinkClosed':
      return payment.link?.id === data.link ? settled({ ...payment, link: null }) : payment;
    case 'PaymentCaptured': {
      const { payment: id, amount, method, capturedAt: at, total } = data;
      const captures = [...payment.captures, { payment: id, amount, method, at }];
      const after = { ...payment, total, failed: null, captures };
      // The gateway's page accepts no payment once the order is paid.
      return settled({ ...after, link: completing(after) ? null : payment.link });
    }
    case 'PaymentFailed':
      return { ...payment, failed: { payment: data.payment, why: data.why, at: data.failedAt } };
    case 'PaymentReminded':
      return { ...payment, isReminded: true };
    case 'LatePaymentsSought':
      return { ...payment, looks: data.look };
    case 'RefundRequested':
      return settled({ ...payment, refunds: [...payment.refunds, requested(data)] });
    case 'RefundSettled': {
      const { refund: id, settledAt: at, reference } = data;
      const after = withRefund(payment, id, (refund) => ({
        ...refund,
        status: 'settled',
        at,
        ...(reference !== undefined && { reference }),
      }));
      const isTwice = completing(payment) !== undefined && completing(after) === undefined;
      return settled(isTwice ? withRefund(after, id, (refund) => ({ ...refund, isTwice })) : after);
    }
    case 'RefundRefused': {
      const status = data.isLast ? 'refused' : 'requested';
      return withRefund(payment, data.refund, (refund) => ({ ...refund, status, at: data.refusedAt, refusals: refund.refusals + 1 }));
    }
    case 'CashCollected': {
      const { amount, reference, file, collectedAt: at } = data;
      return { ...payment, total: data.total, cash: { amount, reference, ...(file !== undefined && { file }), at } };
    }
    case 'MismatchFound':
      return settled({ ...payment, mismatches: [...payment.mismatches, data.mismatch] });
    case 'MoveBegun':
      return { ...payment, moves: [...payment.moves, { id: data.move, at: data.begunAt }] };
    case 'MoveEnded':
      return { ...payment, moves: payment.moves.filter(({ id }) => id !== data.move), movedAt: data.endedAt };
    default:
      return afterUnknown(type, payment);
  }
};

/** This command is sent after a page was opened at the gateway; the handler has checked `nothingToPay` before. */
export type RequestPayment = {
  readonly type: 'RequestPayment';
  readonly bill: Bill;
  readonly link: { readonly id: string; readonly url: string };
  readonly now: Instant;
};
export type CloseLink = { readonly type: 'CloseLink'; readonly link: string; readonly now: Instant };
/** This command is sent when the gateway has repeatedly refused to answer about the open page. */
export type ReportRefusedPage = { readonly type: 'ReportRefusedPage'; readonly why: string; readonly now: Instant };
export type ReportNoPage = { readonly type: 'ReportNoPage'; readonly why: string; readonly now: Instant };
/** This command is sent after late payments were looked for. `looksBefore` is the number of earlier looks. */
export type NoteLook = { readonly type: 'NoteLook'; readonly looksBefore: number; readonly now: Instant };
/**
 * This command is sent when the gateway reports a payment. It is never refused, because the money has arrived, even if the order is
 * cancelled or not prepaid.
 */
export type CapturePayment = {
  readonly type: 'CapturePayment';
  readonly bill: Bill;
  readonly payment: string;
  readonly amount: Paise;
  readonly method: string;
  readonly at: Instant;
  readonly now: Instant;
};
export type FailPayment = { readonly type: 'FailPayment'; readonly payment: string; readonly why: string; readonly at: Instant };
export type RemindOfPayment = { readonly type: 'RemindOfPayment'; readonly bill: Bill; readonly now: Instant };
export type CollectCash = {
  readonly type: 'CollectCash';
  readonly bill: Pick<Bill, 'method' | 'total' | 'isDelivered'>;
  readonly amount: Paise;
  /** The reference is that of the remittance; it is empty if there is none. */
  readonly reference: string;
  readonly file?: string | undefined;
  readonly collectedOn: CalendarDate;
  readonly now: Instant;
};
/** This command is sent, to a separate stream if no order is named, when the gateway sends a text that the log cannot hold. */
export type ReportUnreadable = {
  readonly type: 'ReportUnreadable';
  readonly webhook: string;
  readonly news: string;
  readonly why: string;
  readonly now: Instant;
};
/** This command is sent to a separate stream when the gateway reports something that names no order of this shop. */
export type ReportUnknown = {
  readonly type: 'ReportUnknown';
  readonly amount: Paise;
  readonly method: string;
  readonly news: UnknownNews;
  readonly now: Instant;
};

/** This command is sent before a prepaid order is confirmed or shipped, and `EndMove` afterwards, whatever came of it. */
export type BeginMove = { readonly type: 'BeginMove'; readonly move: string; readonly now: Instant };
export type EndMove = { readonly type: 'EndMove'; readonly move: string; readonly now: Instant };

export type PaymentCommand =
  | BeginMove
  | EndMove
  | RequestPayment
  | CloseLink
  | ReportRefusedPage
  | ReportNoPage
  | NoteLook
  | CapturePayment
  | FailPayment
  | RemindOfPayment
  | RefundExcess
  | RequestRefund
  | SettleCashRefund
  | SettleRefund
  | RefuseRefund
  | CollectCash
  | ReportRefund
  | ReportUnknown
  | ReportUnreadable;

export type PaymentRejection =
  | { readonly code: 'nothing_to_pay' }
  | UnpaidRejection
  | RefundRejection
  | { readonly code: 'not_delivered' }
  | { readonly code: 'not_paid_on_delivery' };

type Decided = Decision<PaymentEvent, PaymentRejection>;

/** Returns whether the shopper cannot pay now: the order is a draft, is to be paid on delivery, or is paid or cancelled. */
export const nothingToPay = (bill: Bill, payment: Payment): boolean => paymentStatus(bill, payment) !== 'due' || owedFor(bill) === 0;

const requestPayment = (payment: Payment, { bill, link, now }: RequestPayment): Decided => {
  if (nothingToPay(bill, payment)) return reject({ code: 'nothing_to_pay' });
  if (payment.link?.id === link.id) return accept();
  return accept({ type: 'PaymentRequested', data: { link: link.id, url: link.url, total: owedFor(bill), requestedAt: now } });
};

const capturePayment = (payment: Payment, { bill, payment: id, amount, method, at, now }: CapturePayment): Decided => {
  if (payment.captures.some((capture) => capture.payment === id)) return accept();
  const { total } = bill;
  const captured: PaymentEvent = { type: 'PaymentCaptured', data: { payment: id, amount, method, total, capturedAt: at } };
  const after = evolve(payment, captured);
  const back = refundExcess(after, { bill, now });
  if (back.length > 0 || completing(after) !== undefined) return accept(captured, ...back);
  return accept(captured, mismatchFound({ kind: 'too_little', amount: computeKept(after), expected: total }, now));
};

/** Ignores a failed payment older than the last known one: the gateway lists all failed payments each time. */
const failPayment = ({ captures, failed }: Payment, { payment, why, at }: FailPayment): Decided => {
  const isKnown = failed !== null && (failed.payment === payment || failed.at >= at);
  return isKnown || captures.some((capture) => capture.payment === payment || capture.at > at)
    ? accept()
    : accept({ type: 'PaymentFailed', data: { payment, why, failedAt: at } });
};

/** Collecting again changes nothing, whatever the amount. */
const collectCash = (payment: Payment, { bill, amount, reference, file, collectedOn, now }: CollectCash): Decided => {
  if (bill.method !== 'COD') return reject({ code: 'not_paid_on_delivery' });
  if (payment.cash !== null) return accept();
  if (!bill.isDelivered) return reject({ code: 'not_delivered' });
  const { total } = bill;
  const collected: PaymentEvent = {
    type: 'CashCollected',
    data: { amount, total, reference, ...(file !== undefined && { file }), collectedOn, collectedAt: now },
  };
  if (amount === total) return accept(collected);
  return accept(collected, mismatchFound({ kind: 'cash_differs', amount, expected: total }, now));
};

const reportUnknown = ({ mismatches }: Payment, { amount, method, news, now }: ReportUnknown): Decided => {
  const known = mismatches.flatMap((mismatch) => (mismatch.kind === 'unknown_order' ? [mismatch.news ?? 'came'] : []));
  if (known.includes(news)) return accept();
  return accept(mismatchFound({ kind: 'unknown_order', amount, method, ...(news !== 'came' && { news }) }, now));
};

const reportUnreadable = ({ mismatches }: Payment, { webhook, news, why, now }: ReportUnreadable): Decided =>
  mismatches.some((mismatch) => mismatch.kind === 'news_unreadable' && mismatch.webhook === webhook)
    ? accept()
    : accept(mismatchFound({ kind: 'news_unreadable', webhook, news, why }, now));

const reportRefusedPage = ({ link, mismatches }: Payment, { type, why, now }: ReportRefusedPage | ReportNoPage): Decided =>
  (link === null) !== (type === 'ReportNoPage') || mismatches.some(({ kind }) => kind === 'page_refused')
    ? accept()
    : accept(mismatchFound({ kind: 'page_refused', link: link?.id ?? '', why }, now));

const beginMove = (payment: Payment, { move, now }: BeginMove): Decided => {
  const unpaid = findUnpaid(payment);
  return unpaid ? reject(unpaid) : accept({ type: 'MoveBegun', data: { move, begunAt: now } });
};

const endMove = ({ moves }: Payment, { move, now }: EndMove): Decided =>
  moves.some(({ id }) => id === move) ? accept({ type: 'MoveEnded', data: { move, endedAt: now } }) : accept();

const decide = (payment: Payment, command: PaymentCommand): Decided => {
  switch (command.type) {
    case 'BeginMove':
      return beginMove(payment, command);
    case 'EndMove':
      return endMove(payment, command);
    case 'RequestPayment':
      return requestPayment(payment, command);
    case 'CloseLink':
      return payment.link?.id === command.link
        ? accept({ type: 'PaymentLinkClosed', data: { link: command.link, closedAt: command.now } })
        : accept();
    case 'ReportRefusedPage':
    case 'ReportNoPage':
      return reportRefusedPage(payment, command);
    case 'NoteLook':
      return payment.looks === command.looksBefore
        ? accept({ type: 'LatePaymentsSought', data: { look: payment.looks + 1, soughtAt: command.now } })
        : accept();
    case 'CapturePayment':
      return capturePayment(payment, command);
    case 'FailPayment':
      return failPayment(payment, command);
    case 'RemindOfPayment':
      return payment.isReminded || nothingToPay(command.bill, payment)
        ? accept()
        : accept({ type: 'PaymentReminded', data: { remindedAt: command.now } });
    case 'RefundExcess':
      return accept(...refundExcess(payment, command));
    case 'RequestRefund':
      return requestRefund(payment, command);
    case 'SettleCashRefund':
      return settleCashRefund(payment, command);
    case 'SettleRefund':
    case 'RefuseRefund':
      return recordRefundResult(payment, command);
    case 'CollectCash':
      return collectCash(payment, command);
    case 'ReportRefund':
      return reportRefund(payment, command);
    case 'ReportUnknown':
      return reportUnknown(payment, command);
    case 'ReportUnreadable':
      return reportUnreadable(payment, command);
  }
};

/**
 * Decides about the payment of one order. Its stream is `payment-<order id>`; a payment that names no order has a stream with the gateway's
 * id.
 */
export const payment: Decider<Payment, PaymentCommand, PaymentEvent, PaymentRejection> = { initial: NO_PAYMENT, decide, evolve };
