import type { ExistingOrder } from '../order/rules.ts';
import { totalsOf } from '../order/totals.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import { paise, type Paise } from '../shared/money.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';
import type { Mismatch, PaymentEvent, RefundKind } from './events.ts';
import {
  completing,
  NO_PAYMENT,
  owedFor,
  paymentStatus,
  received,
  refundable,
  refundableOf,
  REFUND_RETRIES,
  type Payment,
  type Refund,
} from './rules.ts';

const LONGEST_REASON = 500;

const withRefund = (payment: Payment, id: string, change: (refund: Refund) => Refund): Payment => ({
  ...payment,
  refunds: payment.refunds.map((refund) => (refund.id === id ? change(refund) : refund)),
});

/** Without the mismatches that this state settles: an order that is paid, or whose money went back, and a refund that arrived after all. */
const settled = (payment: Payment): Payment => {
  const isOpen = (mismatch: Mismatch): boolean => {
    if (mismatch.kind === 'too_little') return completing(payment) === undefined && refundable(payment) > 0;
    if (mismatch.kind !== 'refund_refused') return true;
    return payment.refunds.some(({ id, status }) => id === mismatch.refund && status !== 'settled') && refundable(payment) > 0;
  };
  return payment.mismatches.length === 0 ? payment : { ...payment, mismatches: payment.mismatches.filter(isOpen) };
};

/** Events are facts and are not checked again. */
const evolve = (payment: Payment, event: PaymentEvent): Payment => {
  const { type, data } = event;
  switch (type) {
    case 'PaymentRequested':
      return { ...payment, total: data.total, link: { id: data.link, url: data.url } };
    case 'PaymentLinkClosed':
      return payment.link?.id === data.link ? { ...payment, link: null } : payment;
    case 'PaymentCaptured': {
      const { payment: id, amount, method, capturedAt: at, total } = data;
      return settled({ ...payment, total, failed: null, captures: [...payment.captures, { payment: id, amount, method, at }] });
    }
    case 'PaymentFailed':
      return { ...payment, failed: { payment: data.payment, why: data.why, at: data.failedAt } };
    case 'PaymentReminded':
      return { ...payment, isReminded: true };
    case 'RefundRequested': {
      const { refund: id, payment: from, amount, kind, reason, requestedAt: at } = data;
      const refund: Refund = { id, payment: from, amount, kind, reason, status: 'requested', at, refusals: 0 };
      return settled({ ...payment, refunds: [...payment.refunds, refund] });
    }
    case 'RefundSettled':
      return settled(withRefund(payment, data.refund, (refund) => ({ ...refund, status: 'settled', at: data.settledAt })));
    case 'RefundRefused': {
      const status = data.isLast ? 'refused' : 'requested';
      return withRefund(payment, data.refund, (refund) => ({ ...refund, status, at: data.refusedAt, refusals: refund.refusals + 1 }));
    }
    case 'CashCollected':
      return { ...payment, total: data.total, cash: { amount: data.amount, at: data.collectedAt } };
    case 'MismatchFound':
      return { ...payment, mismatches: [...payment.mismatches, data.mismatch] };
    default:
      return afterUnknown(type, payment);
  }
};

/** A page at the gateway was opened: the handler has asked `nothingToPay` before. */
export type RequestPayment = {
  readonly type: 'RequestPayment';
  readonly order: ExistingOrder;
  readonly link: { readonly id: string; readonly url: string };
  readonly now: Instant;
};
export type CloseLink = { readonly type: 'CloseLink'; readonly link: string; readonly now: Instant };
/** The gateway says that money came. Never refused: it is there. `order` may be cancelled, or not be one to be paid in advance. */
export type CapturePayment = {
  readonly type: 'CapturePayment';
  readonly order: ExistingOrder;
  readonly payment: string;
  readonly amount: Paise;
  readonly method: string;
  readonly at: Instant;
  readonly now: Instant;
};
export type FailPayment = { readonly type: 'FailPayment'; readonly payment: string; readonly why: string; readonly at: Instant };
export type RemindOfPayment = { readonly type: 'RemindOfPayment'; readonly order: ExistingOrder; readonly now: Instant };
/** Refunds what the order as it is now does not cost: after a cancellation, or a payment that crossed it. */
export type RefundExcess = { readonly type: 'RefundExcess'; readonly order: ExistingOrder; readonly now: Instant };
/** By staff: the route has checked the sender's right. */
export type RequestRefund = {
  readonly type: 'RequestRefund';
  readonly order: ExistingOrder;
  readonly amount: Paise;
  readonly reason: string;
  readonly now: Instant;
};
export type SettleRefund = { readonly type: 'SettleRefund'; readonly refund: string; readonly now: Instant };
export type RefuseRefund = { readonly type: 'RefuseRefund'; readonly refund: string; readonly why: string; readonly now: Instant };
export type CollectCash = {
  readonly type: 'CollectCash';
  readonly order: ExistingOrder;
  readonly amount: Paise;
  /** Of the remittance; empty for none. */
  readonly reference: string;
  readonly collectedOn: CalendarDate;
  readonly now: Instant;
};
/** Money that names no order of this shop, in a stream of its own. */
export type ReportUnknownPayment = {
  readonly type: 'ReportUnknownPayment';
  readonly amount: Paise;
  readonly method: string;
  readonly now: Instant;
};

export type PaymentCommand =
  | RequestPayment
  | CloseLink
  | CapturePayment
  | FailPayment
  | RemindOfPayment
  | RefundExcess
  | RequestRefund
  | SettleRefund
  | RefuseRefund
  | CollectCash
  | ReportUnknownPayment;

export type PaymentRejection =
  | { readonly code: 'nothing_to_pay' }
  | { readonly code: 'more_than_was_paid'; readonly left: Paise }
  | { readonly code: 'refund_reason_invalid'; readonly most: number }
  | { readonly code: 'not_delivered' }
  | { readonly code: 'not_paid_on_delivery' };

type Decided = Decision<PaymentEvent, PaymentRejection>;

const mismatchFound = (mismatch: Mismatch, foundAt: Instant): PaymentEvent => ({ type: 'MismatchFound', data: { mismatch, foundAt } });

/** Whether there is nothing that the shopper could pay now: a draft, an order paid on delivery, one that is paid or cancelled. */
export const nothingToPay = (order: ExistingOrder, payment: Payment): boolean =>
  paymentStatus(order, payment) !== 'due' || owedFor(order) === 0;

const requestPayment = (payment: Payment, { order, link, now }: RequestPayment): Decided => {
  if (nothingToPay(order, payment)) return reject({ code: 'nothing_to_pay' });
  if (payment.link?.id === link.id) return accept();
  return accept({ type: 'PaymentRequested', data: { link: link.id, url: link.url, total: owedFor(order), requestedAt: now } });
};

const refundText: Readonly<Record<Exclude<RefundKind, 'desk'>, string>> = {
  excess: 'More was paid than the order costs',
  cancelled: 'The order was cancelled',
};

type Refunding = { readonly order: ExistingOrder; readonly kind: RefundKind; readonly reason: string; readonly now: Instant };

/** Refunds of this amount, from the newest payment back: each is of one payment. Its id counts the refunds of that payment. */
const refundsOf = (payment: Payment, amount: Paise, { order, kind, reason, now }: Refunding): readonly PaymentEvent[] => {
  let rest: number = amount;
  return refundableOf(payment)
    .toReversed()
    .flatMap(({ payment: from, amount: left }): PaymentEvent[] => {
      const part = paise(Math.min(rest, left));
      if (part === 0) return [];
      rest -= part;
      const refund = `${from}.${payment.refunds.filter((each) => each.payment === from).length + 1}`;
      return [
        { type: 'RefundRequested', data: { refund, payment: from, amount: part, kind, shopper: order.shopper, reason, requestedAt: now } },
      ];
    });
};

const isExcess = ({ kind, status }: Refund): boolean => kind === 'excess' && status !== 'refused';

/** What the order does not cost, of all that came and is not on its way back. */
const excessOf = (payment: Payment, owed: Paise): Paise => {
  const returning = payment.refunds.filter(isExcess).reduce((total, { amount }) => total + amount, 0);
  return paise(Math.min(refundable(payment), Math.max(0, received(payment) - owed - returning)));
};

const refundExcess = (payment: Payment, { order, now }: Pick<RefundExcess, 'order' | 'now'>): readonly PaymentEvent[] => {
  const owed = owedFor(order);
  const kind = owed === 0 ? 'cancelled' : 'excess';
  const amount = owed === 0 ? refundable(payment) : excessOf(payment, owed);
  return refundsOf(payment, amount, { order, kind, reason: refundText[kind], now });
};

const capturePayment = (payment: Payment, { order, payment: id, amount, method, at, now }: CapturePayment): Decided => {
  if (payment.captures.some((capture) => capture.payment === id)) return accept();
  const { total } = totalsOf(order);
  const captured: PaymentEvent = { type: 'PaymentCaptured', data: { payment: id, amount, method, total, capturedAt: at } };
  const after = evolve(payment, captured);
  const back = refundExcess(after, { order, now });
  if (back.length > 0 || completing(after) !== undefined) return accept(captured, ...back);
  return accept(captured, mismatchFound({ kind: 'too_little', amount: received(after), expected: total }, now));
};

const failPayment = ({ captures, failed }: Payment, { payment, why, at }: FailPayment): Decided =>
  failed?.payment === payment || captures.some((capture) => capture.payment === payment)
    ? accept()
    : accept({ type: 'PaymentFailed', data: { payment, why, failedAt: at } });

const requestRefund = (payment: Payment, { order, amount, reason, now }: RequestRefund): Decided => {
  if (reason.trim() === '' || reason.length > LONGEST_REASON) return reject({ code: 'refund_reason_invalid', most: LONGEST_REASON });
  const left = refundable(payment);
  if (amount > left) return reject({ code: 'more_than_was_paid', left });
  return accept(...refundsOf(payment, amount, { order, kind: 'desk', reason, now }));
};

const refuseRefund = (refund: Refund, { why, now }: RefuseRefund): Decided => {
  const isLast = refund.refusals >= REFUND_RETRIES.length;
  const refused: PaymentEvent = { type: 'RefundRefused', data: { refund: refund.id, why, isLast, refusedAt: now } };
  if (!isLast) return accept(refused);
  return accept(refused, mismatchFound({ kind: 'refund_refused', refund: refund.id, amount: refund.amount, why }, now));
};

/** What the gateway says of a refund that is not known here changes nothing. */
const hearOfRefund = ({ refunds }: Payment, command: SettleRefund | RefuseRefund): Decided => {
  const refund = refunds.find(({ id }) => id === command.refund);
  if (refund === undefined || refund.status === 'settled') return accept();
  if (command.type === 'SettleRefund') return accept({ type: 'RefundSettled', data: { refund: refund.id, settledAt: command.now } });
  return refund.status === 'requested' ? refuseRefund(refund, command) : accept();
};

/** Collecting again changes nothing, whatever the amount. */
const collectCash = (payment: Payment, { order, amount, reference, collectedOn, now }: CollectCash): Decided => {
  if (order.placement?.method !== 'COD') return reject({ code: 'not_paid_on_delivery' });
  if (payment.cash !== null) return accept();
  if (order.deliveredAt === null) return reject({ code: 'not_delivered' });
  const { total } = totalsOf(order);
  const collected: PaymentEvent = { type: 'CashCollected', data: { amount, total, reference, collectedOn, collectedAt: now } };
  if (amount === total) return accept(collected);
  return accept(collected, mismatchFound({ kind: 'cash_differs', amount, expected: total }, now));
};

const reportUnknown = ({ mismatches }: Payment, { amount, method, now }: ReportUnknownPayment): Decided =>
  mismatches.length > 0 ? accept() : accept(mismatchFound({ kind: 'unknown_order', amount, method }, now));

const decide = (payment: Payment, command: PaymentCommand): Decided => {
  switch (command.type) {
    case 'RequestPayment':
      return requestPayment(payment, command);
    case 'CloseLink':
      return payment.link?.id === command.link
        ? accept({ type: 'PaymentLinkClosed', data: { link: command.link, closedAt: command.now } })
        : accept();
    case 'CapturePayment':
      return capturePayment(payment, command);
    case 'FailPayment':
      return failPayment(payment, command);
    case 'RemindOfPayment':
      return payment.isReminded || nothingToPay(command.order, payment)
        ? accept()
        : accept({ type: 'PaymentReminded', data: { remindedAt: command.now } });
    case 'RefundExcess':
      return accept(...refundExcess(payment, command));
    case 'RequestRefund':
      return requestRefund(payment, command);
    case 'SettleRefund':
    case 'RefuseRefund':
      return hearOfRefund(payment, command);
    case 'CollectCash':
      return collectCash(payment, command);
    case 'ReportUnknownPayment':
      return reportUnknown(payment, command);
  }
};

/** The money of one order. Stream: `payment-<order id>`; money that names no order has a stream with the gateway's id of the payment. */
export const payment: Decider<Payment, PaymentCommand, PaymentEvent, PaymentRejection> = { initial: NO_PAYMENT, decide, evolve };

const paymentEventTypes: { readonly [Type in PaymentEvent['type']]: true } = {
  PaymentRequested: true,
  PaymentLinkClosed: true,
  PaymentCaptured: true,
  PaymentFailed: true,
  PaymentReminded: true,
  RefundRequested: true,
  RefundSettled: true,
  RefundRefused: true,
  CashCollected: true,
  MismatchFound: true,
};

/** Whether payments have events of this type. */
export const isPaymentEventType = (type: string): type is PaymentEvent['type'] => Object.hasOwn(paymentEventTypes, type);
