import { accept, reject, type Decision } from '../shared/decider.ts';
import { paise, sum, ZERO, type Paise } from '../shared/money.ts';
import { NO_TEXT, personalText, type PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import { CASH, type Mismatch, type PaymentEvent, type RefundKind } from './events.ts';
import {
  completing,
  computeRefundLimit,
  isAtGateway,
  wasMoving,
  isPaidFor,
  owedFor,
  receivedAmount,
  refundable,
  refundableForOrder,
  listRefundable,
  REFUND_RETRIES,
  type Bill,
  type Payment,
  type Refund,
} from './rules.ts';

/** The limits count characters. */
export const LONGEST_REASON = 500;
export const LONGEST_REFERENCE = 100;

/** Refunds what was paid beyond the order's cost: after a cancellation, a return, or a payment that arrived later than either. */
export type RefundExcess = { readonly type: 'RefundExcess'; readonly bill: Bill; readonly now: Instant };
/** This command is sent by staff: the route has checked their permission. */
export type RequestRefund = {
  readonly type: 'RequestRefund';
  readonly bill: Bill;
  readonly amount: Paise;
  /** The time at which it was asked for, which a move of the order may be later than. */
  readonly askedAt: Instant;
  /** The value is null for an erased shopper, whose reason cannot be kept. */
  readonly reason: string | null;
  readonly now: Instant;
};
/** This command is sent by staff: they have sent what is to be refunded of the order's cash, by the transfer of this reference. */
export type SettleCashRefund = {
  readonly type: 'SettleCashRefund';
  readonly bill: Bill;
  readonly reference: string;
  /** What they have sent, where they say so: more may be to be refunded by now. */
  readonly amount?: Paise | undefined;
  readonly now: Instant;
};
export type SettleRefund = { readonly type: 'SettleRefund'; readonly refund: string; readonly now: Instant };
/** This command is sent when the gateway reports a settled refund, whoever asked for it. */
export type ReportRefund = {
  readonly type: 'ReportRefund';
  readonly bill: Bill;
  readonly payment: string;
  /** The gateway's id. */
  readonly refund: string;
  /** The shop's own id, if the shop asked for the refund. */
  readonly reference: string;
  readonly amount: Paise;
  readonly now: Instant;
};
export type RefuseRefund = { readonly type: 'RefuseRefund'; readonly refund: string; readonly why: string; readonly now: Instant };

export type RefundRejection =
  | { readonly code: 'more_than_was_paid'; readonly left: Paise }
  | { readonly code: 'order_moving' }
  | { readonly code: 'no_cash_refund' }
  | { readonly code: 'cash_refund_differs'; readonly open: Paise; readonly sent: Paise }
  | { readonly code: 'refund_reason_invalid'; readonly most: number };

type Decided = Decision<PaymentEvent, RefundRejection>;

export const mismatchFound = (mismatch: Mismatch, foundAt: Instant): PaymentEvent => ({
  type: 'MismatchFound',
  data: { mismatch, foundAt },
});

export const requested = (data: RefundRequested['data']): Refund => {
  const { refund: id, requestedAt: at, shopper: _, ...others } = data;
  return { id, ...others, status: 'requested', at, refusals: 0 };
};

type RefundRequested = Extract<PaymentEvent, { type: 'RefundRequested' }>;
type Refunding = {
  readonly bill: Bill;
  readonly kind: RefundKind;
  readonly reason: PersonalText;
  readonly now: Instant;
  readonly return?: number;
};

/** Requests a refund of cash, which staff send. */
const requestCashRefund = (payment: Payment, amount: Paise, { bill, now, ...of }: Refunding): RefundRequested => {
  const refund = `${CASH}-${payment.refunds.filter((each) => !isAtGateway(each)).length + 1}`;
  return { type: 'RefundRequested', data: { refund, payment: CASH, amount, shopper: bill.shopper, requestedAt: now, ...of } };
};

/**
 * Makes refunds of this amount, beginning with the newest payment; each refund belongs to one payment. Its id counts the refunds of that
 * payment and has only letters, digits and dashes, as the gateway requires of an idempotency key.
 */
const requestRefunds = (payment: Payment, amount: Paise, { bill, now, ...of }: Refunding): readonly RefundRequested[] => {
  let rest: number = amount;
  return listRefundable(payment)
    .toReversed()
    .flatMap(({ payment: from, amount: left }): RefundRequested[] => {
      const part = paise(Math.min(rest, left));
      if (part === 0) return [];
      rest -= part;
      const refund = `${from}-${payment.refunds.filter((each) => each.payment === from).length + 1}`;
      return [{ type: 'RefundRequested', data: { refund, payment: from, amount: part, shopper: bill.shopper, requestedAt: now, ...of } }];
    });
};

const isExcess = ({ kind, status }: Refund): boolean => kind === 'excess' && status !== 'refused';

/** Returns what was paid beyond the order's cost, less the refunds under way. */
const computeExcess = (payment: Payment, owed: Paise): Paise => {
  const returning = payment.refunds.filter(isExcess).reduce((total, { amount }) => total + amount, 0);
  return paise(Math.min(refundable(payment), Math.max(0, receivedAmount(payment) - owed - returning)));
};

const afterRequests = (payment: Payment, requests: readonly RefundRequested[]): Payment => ({
  ...payment,
  refunds: [...payment.refunds, ...requests.map(({ data }) => requested(data))],
});

/**
 * Requests what goes back for bottles that came back, once for each return: at most what was paid for the order and is still there. Nothing
 * goes back for an order that was never paid.
 */
const refundReturns = (payment: Payment, { bill, now }: Pick<RefundExcess, 'bill' | 'now'>): readonly RefundRequested[] => {
  let after = payment;
  return bill.returned.flatMap(({ id, value }) => {
    const amount = paise(Math.min(value, refundableForOrder(after)));
    if (amount === 0 || after.refunds.some((each) => each.return === id)) return [];
    const of = { bill, kind: 'returned', reason: NO_TEXT, now, return: id } as const;
    const requests = after.cash ? [requestCashRefund(after, amount, of)] : requestRefunds(after, amount, of);
    after = afterRequests(after, requests);
    return requests;
  });
};

export const refundExcess = (payment: Payment, { bill, now }: Pick<RefundExcess, 'bill' | 'now'>): readonly PaymentEvent[] => {
  const owed = owedFor(bill);
  const kind = bill.isCancelled ? 'cancelled' : 'excess';
  const amount = owed === 0 ? refundable(payment) : computeExcess(payment, owed);
  const excess = requestRefunds(payment, amount, { bill, kind, reason: NO_TEXT, now });
  return [...excess, ...refundReturns(afterRequests(payment, excess), { bill, now })];
};

/**
 * Returns the part of a desk refund that was never due: all of it before the order is fully paid, and afterwards the rest of the excess. It
 * is 0 for a cancelled order, all of whose money was paid for it.
 */
const neverDue = (payment: Payment, bill: Bill, amount: Paise): Paise => {
  if (bill.isCancelled) return ZERO;
  return completing(payment) === undefined ? amount : paise(Math.min(amount, computeExcess(payment, owedFor(bill))));
};

/** Refuses to refund all of an order that was being confirmed or shipped when it was asked for: a part does not matter. */
export const requestRefund = (payment: Payment, { bill, amount, reason, askedAt, now }: RequestRefund): Decided => {
  if (reason !== null && (reason.trim() === '' || reason.length > LONGEST_REASON))
    return reject({ code: 'refund_reason_invalid', most: LONGEST_REASON });
  const left = computeRefundLimit(payment);
  if (amount > left) return reject({ code: 'more_than_was_paid', left });
  const asked = { bill, reason: reason === null ? NO_TEXT : personalText(reason), now };
  if (payment.cash) return accept(requestCashRefund(payment, amount, { ...asked, kind: 'desk' }));
  const excess = neverDue(payment, bill, amount);
  const first = requestRefunds(payment, excess, { ...asked, kind: 'excess' });
  const after = afterRequests(payment, first);
  const rest = requestRefunds(after, paise(amount - excess), { ...asked, kind: 'desk' });
  const end = afterRequests(after, rest);
  if (wasMoving(payment, askedAt) && isPaidFor(payment) && !isPaidFor(end)) return reject({ code: 'order_moving' });
  return accept(...first, ...rest);
};

const refuseRefund = (refund: Refund, { why, now }: RefuseRefund): Decided => {
  const isLast = refund.refusals >= REFUND_RETRIES.length;
  const refused: PaymentEvent = { type: 'RefundRefused', data: { refund: refund.id, why, isLast, refusedAt: now } };
  if (!isLast) return accept(refused);
  return accept(refused, mismatchFound({ kind: 'refund_refused', refund: refund.id, amount: refund.amount, why }, now));
};

/** Records the gateway's answer about a refund. A refund that is not known here changes nothing. */
export const recordRefundResult = ({ refunds }: Payment, command: SettleRefund | RefuseRefund): Decided => {
  const refund = refunds.find(({ id }) => id === command.refund);
  if (refund === undefined || refund.status === 'settled') return accept();
  if (command.type === 'SettleRefund') return accept({ type: 'RefundSettled', data: { refund: refund.id, settledAt: command.now } });
  return refund.status === 'requested' ? refuseRefund(refund, command) : accept();
};

/**
 * Settles the refunds of cash that are under way, and those that the shop is about to request for received returns. The same reference again
 * changes nothing, although more is to be refunded by now: that transfer did not bring it. Another amount than theirs is refused.
 */
export const settleCashRefund = (payment: Payment, { bill, reference, amount: sent, now }: SettleCashRefund): Decided => {
  const asked = payment.cash ? refundReturns(payment, { bill, now }) : [];
  const ofCash = afterRequests(payment, asked).refunds.filter((refund) => !isAtGateway(refund));
  const open = ofCash.filter(({ status }) => status === 'requested');
  const settle = ({ id }: Refund): PaymentEvent => ({ type: 'RefundSettled', data: { refund: id, settledAt: now, reference } });
  const known = ofCash.filter((refund) => refund.reference === reference);
  if (known.length > 0 && (sent === undefined || sent === sum(known.map(({ amount }) => amount)))) return accept();
  const total = sum(open.map(({ amount }) => amount));
  if (open.length > 0 && sent !== undefined && sent !== total) return reject({ code: 'cash_refund_differs', open: total, sent });
  if (open.length > 0) return accept<PaymentEvent>(...asked, ...open.map(settle));
  return known.length > 0 ? accept() : reject({ code: 'no_cash_refund' });
};

const GONE_ELSEWHERE = 'Too little is left of its payment, of which a part was refunded at the gateway itself';

/** Returns the refunds under way that do not fit into what is left of their payment; the older ones go first. */
const findTooLarge = (refunds: readonly Refund[], rest: number): readonly Refund[] => {
  let left = rest;
  return refunds.filter(({ status, amount }) => {
    if (status !== 'requested') return false;
    if (amount > left) return true;
    left -= amount;
    return false;
  });
};

/**
 * Records a refund that somebody made at the gateway itself, beside a mismatch. Like one of the desk it first returns what was never due.
 * A refund under way for which its payment has too little left is given up, since the gateway will refuse it; what is to be returned
 * without the desk is requested anew.
 */
const recordRefundElsewhere = (payment: Payment, { bill, payment: from, refund, amount, now }: ReportRefund): Decided => {
  const ofPayment = payment.refunds.filter((each) => each.payment === from);
  const settled = ofPayment.filter(({ status }) => status === 'settled').map((each) => each.amount);
  const rest = (payment.captures.find((capture) => capture.payment === from)?.amount ?? 0) - sum([...settled, amount]);
  const lost = findTooLarge(ofPayment, rest);
  const refunds = payment.refunds.map((each): Refund => (lost.includes(each) ? { ...each, status: 'refused' } : each));
  const excess = neverDue({ ...payment, refunds }, bill, amount);
  const data = { payment: from, shopper: bill.shopper, reason: NO_TEXT, requestedAt: now, isElsewhere: true } as const;
  const parts = [
    { ...data, refund, amount: excess, kind: 'excess' as const },
    { ...data, refund: excess === 0 ? refund : `${refund}-2`, amount: paise(amount - excess), kind: 'desk' as const },
  ].filter((part) => part.amount > 0);
  const after = { ...payment, refunds: [...refunds, ...parts.map(requested)] };
  const byDesk = lost.filter(({ kind }) => kind === 'desk' || kind === 'returned');
  return accept(
    ...lost.map(({ id }): PaymentEvent => ({
      type: 'RefundRefused',
      data: { refund: id, why: GONE_ELSEWHERE, isLast: true, refusedAt: now },
    })),
    ...parts.flatMap((part): readonly PaymentEvent[] => [
      { type: 'RefundRequested', data: part },
      { type: 'RefundSettled', data: { refund: part.refund, settledAt: now } },
    ]),
    mismatchFound({ kind: 'refunded_elsewhere', refund, amount }, now),
    ...byDesk.map(({ id, amount }) => mismatchFound({ kind: 'refund_refused', refund: id, amount, why: GONE_ELSEWHERE }, now)),
    ...(lost.length > byDesk.length ? refundExcess(after, { bill, now }) : []),
  );
};

/** Settles the shop's own refund, by its reference; a refund with another one was made at the gateway itself, and counts once too. */
export const reportRefund = (payment: Payment, command: ReportRefund): Decided => {
  const { refund, reference, now } = command;
  if (payment.refunds.some(({ id }) => id === reference))
    return recordRefundResult(payment, { type: 'SettleRefund', refund: reference, now });
  return payment.refunds.some(({ id }) => id === refund) ? accept() : recordRefundElsewhere(payment, command);
};
