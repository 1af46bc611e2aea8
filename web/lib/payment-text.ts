import type { PaymentStatus } from '#domain/payment/rules.ts';
import { methodName } from '#domain/payment/view.ts';

/** Statuses of a payment in words. */
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

/** `UPI`, `Card`: how it was paid, as a word of its own. */
export const methodText = (method: string): string => methodName(method).replace(/^./, (first) => first.toUpperCase());
