import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { formatRupees, toPaise, sum } from '#domain/shared/money.ts';
import type { PaymentView, RefundView } from '#domain/payment/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';

const methods: Readonly<Record<string, string>> = { upi: 'UPI', netbanking: 'net banking', emi: 'EMI' };

const paidText = ({ amount, method, paidAt }: PaymentView): string => {
  const by = method === undefined ? '' : ` by ${methods[method] ?? method}`;
  const on = paidAt === undefined ? '' : ` on ${dayText(paidAt)}`;
  return `Paid ${moneyText(amount)}${by}${on}.`;
};

const underWay = ({ refunds }: PaymentView): string =>
  formatRupees(sum(refunds.filter(({ status }) => status === 'requested').map(({ amount }) => toPaise(amount))));

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
      return `${paidText(payment)} ${underWay(payment)} is on its way back to you.`;
    case 'partly_refunded':
      return `${paidText(payment)} ${moneyText(payment.refunded)} was refunded.`;
    case 'refunded':
      return `Your payment of ${amount} was refunded.`;
    case 'cancelled':
      return 'Nothing is to be paid.';
    case 'on_delivery':
      return hasArrived(status) ? `Cash on delivery: ${amount}.` : `You pay ${amount} in cash when the parcel arrives.`;
    case 'collected':
      return `Paid in cash on delivery${payment.paidAt === undefined ? '' : `, on ${dayText(payment.paidAt)}`}.`;
  }
};

export const refundText = ({ status, at }: RefundView): string => {
  switch (status) {
    case 'requested':
      return `On its way since ${dayText(at)}`;
    case 'settled':
      return `Sent back on ${dayText(at)}`;
    case 'refused':
      return `Refused by the bank on ${dayText(at)}. We are looking into it.`;
  }
};
