import { accept, reject, type Decision } from '../shared/decider.ts';
import { paise, ZERO, type Paise } from '../shared/money.ts';
import { NO_TEXT, personalText, type PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { Mismatch, PaymentEvent, RefundKind } from './events.ts';
import {
  completing,
  owedFor,
  receivedAmount,
  refundable,
  listRefundable,
  REFUND_RETRIES,
  type Bill,
  type Payment,
  type Refund,
} from './rules.ts';

/** The limit counts characters. */
export const LONGEST_REASON = 500;

/** Refunds what was paid beyond the order's cost: after a cancellation, or after a payment that arrived during one. */
export type RefundExcess = { readonly type: 'RefundExcess'; readonly bill: Bill; readonly now: Instant };
/** This command is sent by staff: the route has checked their permission. */
export type RequestRefund = {
  readonly type: 'RequestRefund';
  readonly bill: Bill;
  readonly amount: Paise;
  /** The value is null for an erased shopper, whose reason cannot be kept. */
  readonly reason: string | null;
  readonly now: Instant;
};
export type SettleRefund = { readonly type: 'SettleRefund'; readonly refund: string; readonly now: Instant };
export type RefuseRefund = { readonly type: 'RefuseRefund'; readonly refund: string; readonly why: string; readonly now: Instant };

export type RefundRejection =
  { readonly code: 'more_than_was_paid'; readonly left: Paise } | { readonly code: 'refund_reason_invalid'; readonly most: number };

type Decided = Decision<PaymentEvent, RefundRejection>;

export const mismatchFound = (mismatch: Mismatch, foundAt: Instant): PaymentEvent => ({
  type: 'MismatchFound',
  data: { mismatch, foundAt },
});

export const requested = ({ refund: id, requestedAt: at, payment, amount, kind, reason }: RefundRequested['data']): Refund => ({
  id,
  payment,
  amount,
  kind,
  reason,
  status: 'requested',
  at,
  refusals: 0,
});

type RefundRequested = Extract<PaymentEvent, { type: 'RefundRequested' }>;
type Refunding = { readonly bill: Bill; readonly kind: RefundKind; readonly reason: PersonalText; readonly now: Instant };

/**
 * Makes refunds of this amount, beginning with the newest payment; each refund belongs to one payment. Its id counts the refunds of that
 * payment and has only letters, digits and dashes, as the gateway requires of an idempotency key.
 */
const requestRefunds = (payment: Payment, amount: Paise, { bill, kind, reason, now }: Refunding): readonly RefundRequested[] => {
  let rest: number = amount;
  return listRefundable(payment)
    .toReversed()
    .flatMap(({ payment: from, amount: left }): RefundRequested[] => {
      const part = paise(Math.min(rest, left));
      if (part === 0) return [];
      rest -= part;
      const refund = `${from}-${payment.refunds.filter((each) => each.payment === from).length + 1}`;
      return [
        { type: 'RefundRequested', data: { refund, payment: from, amount: part, kind, shopper: bill.shopper, reason, requestedAt: now } },
      ];
    });
};

const isExcess = ({ kind, status }: Refund): boolean => kind === 'excess' && status !== 'refused';

/** Returns what was paid beyond the order's cost, less the refunds under way. */
const computeExcess = (payment: Payment, owed: Paise): Paise => {
  const returning = payment.refunds.filter(isExcess).reduce((total, { amount }) => total + amount, 0);
  return paise(Math.min(refundable(payment), Math.max(0, receivedAmount(payment) - owed - returning)));
};

export const refundExcess = (payment: Payment, { bill, now }: Pick<RefundExcess, 'bill' | 'now'>): readonly PaymentEvent[] => {
  const owed = owedFor(bill);
  const kind = bill.isCancelled ? 'cancelled' : 'excess';
  const amount = owed === 0 ? refundable(payment) : computeExcess(payment, owed);
  return requestRefunds(payment, amount, { bill, kind, reason: NO_TEXT, now });
};

/**
 * Returns the part of a desk refund that was never due: all of it before the order is fully paid, and afterwards the rest of the excess. It
 * is 0 for a cancelled order, all of whose money was paid for it.
 */
const neverDue = (payment: Payment, bill: Bill, amount: Paise): Paise => {
  if (bill.isCancelled) return ZERO;
  return completing(payment) === undefined ? amount : paise(Math.min(amount, computeExcess(payment, owedFor(bill))));
};

export const requestRefund = (payment: Payment, { bill, amount, reason, now }: RequestRefund): Decided => {
  if (reason !== null && (reason.trim() === '' || reason.length > LONGEST_REASON))
    return reject({ code: 'refund_reason_invalid', most: LONGEST_REASON });
  const left = refundable(payment);
  if (amount > left) return reject({ code: 'more_than_was_paid', left });
  const asked = { bill, reason: reason === null ? NO_TEXT : personalText(reason), now };
  const excess = neverDue(payment, bill, amount);
  const first = requestRefunds(payment, excess, { ...asked, kind: 'excess' });
  const after = { ...payment, refunds: [...payment.refunds, ...first.map(({ data }) => requested(data))] };
  return accept(...first, ...requestRefunds(after, paise(amount - excess), { ...asked, kind: 'desk' }));
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
