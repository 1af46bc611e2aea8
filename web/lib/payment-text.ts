import type { PaymentStatus } from '#domain/payment/rules.ts';
import { methodName, type PaymentView } from '#domain/payment/view.ts';

export const paymentStatusText: Readonly<Record<PaymentStatus, string>> = {
  none: 'Not placed',
  on_delivery: 'To be paid on delivery',
  collected: 'Cash received',
  due: 'Not paid yet',
  paid: 'Paid',
  refunding: 'Refund under way',
  partly_refunded: 'Partly refunded',
  refunded: 'Refunded',
  cancelled: 'Never paid',
};

/** Returns the payment method as a capitalised word: `UPI`, `Card`. */
export const methodText = (method: string): string => methodName(method).replace(/^./, (first) => first.toUpperCase());

/**
 * Returns the amount that can still be refunded, in rupees. A payment that is `paid` has all of it, because a refund of an overpayment does
 * not reduce it. Where such a refund hides the rest of a partly refunded payment, the result is 0, and only the server knows the rest.
 */
export const leftToRefund = ({ status, amount, refunds }: PaymentView): number => {
  if (status === 'paid') return amount;
  const outgoing = refunds.filter((refund) => refund.status !== 'refused').map((refund) => Math.round(refund.amount * 100));
  return Math.max(0, Math.round(amount * 100) - outgoing.reduce((sum, each) => sum + each, 0)) / 100;
};
