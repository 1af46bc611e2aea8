import type { PaymentStatus } from '#domain/payment/rules.ts';
import { methodName } from '#domain/payment/view.ts';

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
