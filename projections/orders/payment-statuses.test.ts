import { expect } from 'vitest';

import { anOrder, anotherOrder, noon } from '#domain/testing/carts.ts';
import { orderStream } from '#domain/order/order.ts';
import { cancelled, claimed, confirmed, created, delivered, placed, returned, revised, shipped } from '#domain/testing/orders.ts';
import { captured, collected, paidAt, price, refundRefused, refundRequested, refundSettled } from '#domain/testing/payments.ts';

import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { payments } from './payment-statuses.ts';

const mismatch = { kind: 'cash_differs', amount: price, expected: price } as const;

const happenings: Happenings = [
  [orderStream(anOrder), created(), revised(), placed(), claimed(), confirmed(), shipped(), delivered(), returned()],
  [orderStream(anotherOrder), created(), cancelled(), created(), placed('Prepaid')],
  [`payment-${anOrder}`, collected(), { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } }],
  [`payment-${anotherOrder}`, { type: 'PaymentRequested', data: { link: 'l', url: 'https://e', total: price, requestedAt: paidAt } }],
  [`payment-${anotherOrder}`, { type: 'PaymentFailed', data: { payment: 'pay_0', why: 'No funds', failedAt: paidAt } }],
  [`payment-${anotherOrder}`, { type: 'PaymentReminded', data: { remindedAt: paidAt } }, captured()],
  [`payment-${anotherOrder}`, { type: 'PaymentLinkClosed', data: { link: 'l', closedAt: paidAt } }],
  [orderStream(anotherOrder), cancelled()],
  [`payment-${anotherOrder}`, refundRequested('cancelled', price, 'pay_1-1', 'Personal'), refundRefused(), refundSettled()],
  [`payment-${anotherOrder}`, { type: 'LatePaymentsSought', data: { look: 1, soughtAt: paidAt } }],
  ['payment-pay_9', { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } }],
];

describeProjector(payments, happenings, {
  payment_statuses: [
    {
      order_id: anOrder,
      placed_at: noon,
      method: 'COD',
      is_cancelled: false,
      status: 'collected',
      is_mismatched: true,
      is_refunding: false,
      paid_at: paidAt,
      state: expect.any(String),
    },
    {
      order_id: anotherOrder,
      placed_at: noon,
      method: 'Prepaid',
      is_cancelled: true,
      status: 'refunded',
      is_mismatched: false,
      is_refunding: false,
      paid_at: paidAt,
      state: expect.not.stringContaining('Personal'),
    },
  ],
});
