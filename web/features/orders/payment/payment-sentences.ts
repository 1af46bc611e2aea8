import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { formatRupees, toPaise, sum } from '#domain/shared/money.ts';
import type { PaymentView, RefundView } from '#domain/payment/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';

const methods: Readonly<Record<string, string>> = { upi: 'UPI', netbanking: 'net banking', emi: 'EMI' };

const paidInCash = ({ paidAt }: Pick<PaymentView, 'paidAt'>): string =>
  `Paid in cash on delivery${paidAt === undefined ? '' : `, on ${dayText(paidAt)}`}.`;

const paidText = (payment: PaymentView): string => {
  const { amount, method, paidAt } = payment;
  if (method === 'cash') return paidInCash(payment);
  const by = method === undefined ? '' : ` by ${methods[method] ?? method}`;
  const on = paidAt === undefined ? '' : ` on ${dayText(paidAt)}`;
  return `Paid ${moneyText(amount)}${by}${on}.`;
};

/** Returns the sum of the refunds that have not arrived yet. */
export const refundUnderWay = ({ refunds }: PaymentView): string =>
  formatRupees(sum(refunds.filter(({ status }) => status === 'requested').map(({ amount }) => toPaise(amount))));

/** Says how the refunds that have not arrived yet go back. Cash goes where its shopper says in an answer to a mail. */
export const refundUnderWayText = (payment: PaymentView): string =>
  payment.method === 'cash'
    ? `${refundUnderWay(payment)} goes back to you by bank or UPI transfer. Please tell us where to: answer our e-mail with your UPI ID or bank account, if you have not yet.`
    : `${refundUnderWay(payment)} is on its way back to you.`;

const hasArrived = (status: OrderStatus): boolean => status === 'delivered' || status === 'returned';

/** Returns a sentence about an order's payment, or '' before the order is placed. */
export const paymentText = ({ status, payment }: Pick<OrderView, 'status' | 'payment'>): string => {
  const amount = moneyText(payment.amount);
  switch (payment.status) {
    case 'none':
      return '';
    case 'due':
      return `${amount} is still to be paid.`;
    case 'paid':
      return status === 'cancelled' ? `${paidText(payment)} The order is cancelled: your money goes back to you.` : paidText(payment);
    case 'refunding':
      return `${paidText(payment)} ${refundUnderWayText(payment)}`;
    case 'partly_refunded':
      return `${paidText(payment)} ${moneyText(payment.refunded)} was refunded.`;
    case 'refunded':
      return `Your payment of ${amount} was refunded.`;
    case 'cancelled':
      return 'Nothing is to be paid.';
    case 'on_delivery':
      return hasArrived(status) ? `Cash on delivery: ${amount}.` : `You pay ${amount} in cash when the parcel arrives.`;
    case 'collected':
      return paidInCash(payment);
  }
};

export const refundText = ({ status, at }: RefundView, { method }: Pick<PaymentView, 'method'>): string => {
  switch (status) {
    case 'requested':
      return method === 'cash' ? `To be transferred since ${dayText(at)}` : `On its way since ${dayText(at)}`;
    case 'settled':
      return `Sent back on ${dayText(at)}`;
    case 'refused':
      return `Refused by the bank on ${dayText(at)}. We are looking into it.`;
  }
};
