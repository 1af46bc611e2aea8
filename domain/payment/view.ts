import { formatRupees, rupees, sum, ZERO } from '../shared/money.ts';
import type { Instant } from '../shared/time.ts';
import type { Mismatch } from './events.ts';
import {
  completing,
  computeRefundLimit,
  describeReason,
  statusBeforePayment,
  statusOfMoney,
  type Bill,
  type Payment,
  type PaymentStatus,
  type Refund,
} from './rules.ts';

export type RefundView = {
  readonly _id: string;
  readonly amount: number;
  readonly reason: string;
  readonly status: Refund['status'];
  readonly at: Instant;
  /** The reference of the transfer by which cash was refunded. */
  readonly reference?: string;
  /** Which return of the order it is for, counted from 1. */
  readonly return?: number;
};

/**
 * The `payment` of an order's JSON has amounts in rupees; `amount` is the order's total, `refunded` the sum of settled refunds, and
 * `refundable` the most that can still be refunded.
 */
export type PaymentView = {
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly method?: string;
  readonly paidAt?: Instant;
  readonly refunded: number;
  readonly refundable: number;
  readonly refunds: readonly RefundView[];
};

type MoneyView = Omit<PaymentView, 'refundable'>;

const viewBeforePayment = (bill: Pick<Bill, 'method' | 'isCancelled' | 'total'>): MoneyView => ({
  status: statusBeforePayment(bill),
  amount: rupees(bill.total),
  refunded: 0,
  refunds: [],
});

const viewRefund = (refund: Refund): RefundView => ({
  _id: refund.id,
  amount: rupees(refund.amount),
  reason: describeReason(refund),
  status: refund.status,
  at: refund.at,
  ...(refund.reference !== undefined && { reference: refund.reference }),
  ...(refund.return !== undefined && { return: refund.return }),
});

type RefundsView = Pick<PaymentView, 'refunded' | 'refunds'>;

const viewRefunds = ({ refunds }: Payment): RefundsView => ({
  refunded: rupees(sum(refunds.filter((refund) => refund.status === 'settled').map(({ amount }) => amount))),
  refunds: refunds.map(viewRefund),
});

/** Returns the refunds of money that was paid through the shop's page but did not pay the order; undefined if there are none. */
const viewReturned = (payment: Payment): RefundsView | undefined =>
  payment.pages.length > 0 && payment.refunds.length > 0 && statusOfMoney(payment) === undefined ? viewRefunds(payment) : undefined;

/** Returns undefined until the order is paid. */
const viewMoney = (payment: Payment): MoneyView | undefined => {
  const status = statusOfMoney(payment);
  if (status === undefined) return undefined;
  const capture = completing(payment);
  const paid = payment.cash ? { method: 'cash', paidAt: payment.cash.at } : capture && { method: capture.method, paidAt: capture.at };
  return {
    status,
    amount: rupees(payment.total ?? ZERO),
    ...paid,
    ...viewRefunds(payment),
  };
};

export const viewPayment = (bill: Pick<Bill, 'method' | 'isCancelled' | 'total'>, payment: Payment): PaymentView => ({
  ...(viewMoney(payment) ?? { ...viewBeforePayment(bill), ...viewReturned(payment) }),
  refundable: rupees(computeRefundLimit(payment)),
});

/** Returns the payment method as it stands within a sentence: `UPI`, `card`. */
export const methodName = (method: string): string => (method.length <= 3 ? method.toUpperCase() : method.replaceAll('_', ' '));

const unknownText = ({ amount, news = 'came' }: Extract<Mismatch, { kind: 'unknown_order' }>): string => {
  const money = formatRupees(amount);
  switch (news) {
    case 'came':
      return `${money} came for no order of this shop`;
    case 'failed':
      return `A payment of ${money} for no order of this shop failed`;
    case 'page_closed':
      return 'A payment page was closed that belongs to no order of this shop';
    case 'refunded':
      return `${money} were refunded for no order of this shop`;
    case 'refund_refused':
      return `A refund of ${money} for no order of this shop was refused`;
  }
};

/** The kinds of mismatches, the gravest first: what a shopper waits for, what the shop waits for, what is only to be understood. */
const GRAVEST_FIRST = [
  'refund_refused',
  'too_little',
  'news_unreadable',
  'page_refused',
  'refunded_elsewhere',
  'cash_differs',
  'unknown_order',
] as const satisfies readonly Mismatch['kind'][];

/** Returns a sentence for the bookkeeper. */
export const mismatchText = (mismatch: Mismatch): string => {
  switch (mismatch.kind) {
    case 'too_little':
      return `Paid ${formatRupees(mismatch.amount)} of ${formatRupees(mismatch.expected)}`;
    case 'refund_refused':
      return `The gateway refused to refund ${formatRupees(mismatch.amount)}: ${mismatch.why}`;
    case 'cash_differs':
      return `The courier brought ${formatRupees(mismatch.amount)} instead of ${formatRupees(mismatch.expected)}`;
    case 'page_refused':
      return mismatch.link === ''
        ? `The gateway opens no page for it: ${mismatch.why}`
        : `The gateway does not say what was paid on its page ${mismatch.link}: ${mismatch.why}`;
    case 'refunded_elsewhere':
      return `${formatRupees(mismatch.amount)} were refunded at the gateway itself, as ${mismatch.refund}`;
    case 'news_unreadable':
      return `The gateway's news ${mismatch.news} could not be booked: ${mismatch.why}`;
    case 'unknown_order':
      return unknownText(mismatch);
  }
};

/** Returns a sentence for each mismatch, the gravest first; null if there are none. */
export const mismatchesText = (mismatches: readonly Mismatch[]): string | null => {
  const grave = mismatches.toSorted((one, other) => GRAVEST_FIRST.indexOf(one.kind) - GRAVEST_FIRST.indexOf(other.kind));
  return mismatches.length === 0 ? null : grave.map((each) => mismatchText(each).replace(/\.$/, '')).join('. ');
};
