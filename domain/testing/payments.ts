import type { Mismatch, PaymentEvent, RefundKind } from '../payment/events.ts';
import { payment, type CapturePayment } from '../payment/payment.ts';
import type { RequestRefund } from '../payment/refunds.ts';
import type { Payment } from '../payment/rules.ts';
import { computeBill } from '../order/totals.ts';
import { paise, type Paise } from '../shared/money.ts';
import { personalText } from '../shared/text.ts';
import { dateInIndia, instant } from '../shared/time.ts';
import { meera } from './carts.ts';
import { cancelled, created, orderAfter, placed } from './orders.ts';

export const prepaid = computeBill(orderAfter(created(), placed('Prepaid')));
export const cancelledPrepaid = computeBill(orderAfter(created(), placed('Prepaid'), cancelled()));
/** The price is ₹11,033.00. */
export const { total: price } = prepaid;
export const paidAt = instant('2026-11-14T08:00:00.000Z');

export const captured = (amount: Paise = price, id = 'pay_1'): PaymentEvent => ({
  type: 'PaymentCaptured',
  data: { payment: id, amount, method: 'upi', total: price, capturedAt: paidAt },
});
export const refundRequested = (
  kind: RefundKind,
  amount: Paise = price,
  id = 'pay_1-1',
  reason = 'A reason',
  ofReturn: { readonly return?: number } = {},
): PaymentEvent => ({
  type: 'RefundRequested',
  data: {
    refund: id,
    payment: id.replace(/-\d+$/, ''),
    amount,
    kind,
    shopper: meera,
    reason: personalText(reason),
    requestedAt: paidAt,
    ...ofReturn,
  },
});
export const refundSettled = (refund = 'pay_1-1'): PaymentEvent => ({ type: 'RefundSettled', data: { refund, settledAt: paidAt } });
export const refundRefused = (isLast = false, refund = 'pay_1-1'): PaymentEvent => ({
  type: 'RefundRefused',
  data: { refund, why: 'No funds', isLast, refusedAt: paidAt },
});

export const mismatchFound = (mismatch: Mismatch): PaymentEvent => ({ type: 'MismatchFound', data: { mismatch, foundAt: paidAt } });

export const collected = (amount: Paise = price): PaymentEvent => ({
  type: 'CashCollected',
  data: { amount, total: price, reference: 'RM-7', collectedOn: dateInIndia(paidAt), collectedAt: paidAt },
});

export const capture = (changes: Partial<CapturePayment> = {}): CapturePayment => ({
  type: 'CapturePayment',
  bill: prepaid,
  payment: 'pay_1',
  amount: price,
  method: 'upi',
  at: paidAt,
  now: paidAt,
  ...changes,
});
export const refund = (changes: Partial<RequestRefund> = {}): RequestRefund => ({
  type: 'RequestRefund',
  bill: prepaid,
  amount: paise(100_00),
  reason: 'A broken bottle',
  askedAt: paidAt,
  now: paidAt,
  ...changes,
});

export const paymentAfter = (...events: readonly PaymentEvent[]): Payment => events.reduce(payment.evolve, payment.initial);
