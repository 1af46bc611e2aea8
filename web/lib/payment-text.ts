import type { PaymentStatus } from '#domain/payment/rules.ts';
import { methodName, type PaymentView } from '#domain/payment/view.ts';
import { moneyText } from './format.ts';

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

/** Returns what bottles of this value bring back, in rupees: no more than can be refunded, once the courier's cash is booked. */
export const goesBackFor = (value: number, { status, refundable }: PaymentView): number =>
  status === 'on_delivery' ? value : Math.min(value, refundable);

/** Says where a refund goes, and when. */
export const goesBackText = (amount: number, { method }: PaymentView): string =>
  `${moneyText(amount)} goes back the way it came${method === undefined ? '' : `, by ${methodText(method)}`}: the gateway is told at once, and how long the bank then takes is up to the bank.`;
