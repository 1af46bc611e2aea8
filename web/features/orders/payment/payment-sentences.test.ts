import { expect, test } from 'vitest';
import { paise } from '#domain/shared/money.ts';
import type { OrderView } from '#domain/order/view.ts';
import { cancelled, historyOf, orderAfter } from '#domain/testing/orders.ts';
import { captured, collected, paymentAfter, refundRequested, refundSettled } from '#domain/testing/payments.ts';
import { viewOrder } from '#domain/order/view.ts';
import { ID, orderThatIs, prepaidOrder } from '../testing/sample-orders.ts';
import { paymentText } from './payment-sentences.ts';

const collectedOrder = (): OrderView => viewOrder(ID, orderAfter(...historyOf.delivered), paymentAfter(collected()));
const hundred = refundRequested('desk', paise(100_00));

test.each<[string, OrderView, string]>([
  ['none yet', prepaidOrder(), '₹11,033.00 is still to be paid.'],
  ['paid', prepaidOrder([captured()]), 'Paid ₹11,033.00 by UPI on 14 Nov 2026.'],
  [
    'paid, and the order cancelled',
    prepaidOrder([captured()], cancelled()),
    'Paid ₹11,033.00 by UPI on 14 Nov 2026. The order is cancelled: your money goes back to you.',
  ],
  [
    'going back',
    prepaidOrder([captured(), refundRequested('cancelled')], cancelled()),
    'Paid ₹11,033.00 by UPI on 14 Nov 2026. ₹11,033.00 is on its way back to you.',
  ],
  [
    'gone back',
    prepaidOrder([captured(), refundRequested('cancelled'), refundSettled()], cancelled()),
    'Your payment of ₹11,033.00 was refunded.',
  ],
  [
    'gone back in part',
    prepaidOrder([captured(), hundred, refundSettled()]),
    'Paid ₹11,033.00 by UPI on 14 Nov 2026. ₹100.00 was refunded.',
  ],
  ['never made', prepaidOrder([], cancelled()), 'Nothing is to be paid.'],
  ['to be made on delivery', orderThatIs('shipped'), 'You pay ₹11,033.00 in cash when the parcel arrives.'],
  ['made on delivery, not booked yet', orderThatIs('delivered'), 'Cash on delivery: ₹11,033.00.'],
  ['cash', collectedOrder(), 'Paid in cash on delivery, on 14 Nov 2026.'],
  [
    'cash that goes back',
    viewOrder(ID, orderAfter(...historyOf.delivered), paymentAfter(collected(), refundRequested('returned', paise(11_033_00), 'cash-1'))),
    'Paid in cash on delivery, on 14 Nov 2026. ₹11,033.00 goes back to you by bank or UPI transfer. Please tell us where to: answer our e-mail with your UPI ID or bank account, if you have not yet.',
  ],
  ['of no order', orderThatIs('created'), ''],
])('the sentence about a payment: %s', (_, order, text) => expect(paymentText(order)).toBe(text));

test.each([
  ['upi', 'by UPI'],
  ['card', 'by card'],
  ['netbanking', 'by net banking'],
  ['wallet', 'by wallet'],
  ['paylater', 'by paylater'],
  [undefined, '₹11,033.00 on'],
])('the sentence about a payment names the payment method %s', (method, text) => {
  const order = prepaidOrder([captured()]);
  const { method: _, ...payment } = order.payment;
  expect(paymentText({ ...order, payment: { ...payment, ...(method !== undefined && { method }) } })).toContain(text);
});
