import { expect } from 'vitest';

import { payment } from '#domain/payment/payment.ts';
import { orderStream } from '#domain/order/order.ts';
import { paise } from '#domain/shared/money.ts';
import { collected, paidAt, price } from '#domain/testing/payments.ts';
import { anOrder, anotherOrder, meera, noon, visitor } from '#domain/testing/carts.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeTotals } from '#domain/order/totals.ts';
import * as the from '#domain/testing/orders.ts';

import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { ordersDesk } from './orders-desk.ts';

const { aNumber, cancelled, claimed, confirmed, created, delivered, home, orderAfter, placed, returned, revised, shipped } = the;

/** The texts contain NUL, which Postgres refuses. */
const zoe = { ...home, name: 'Zoë  D’Souza\0', email: 'Zoe@Example.com' };
const begun = [created({ shopper: visitor, shippingAddress: zoe }), placed()] as const;
const goneOn = [claimed(), confirmed('Packed'), shipped(), delivered(), returned('erased')] as const;
const anew = [created(), cancelled(), created({ shopper: meera }), revised({ giftWrap: true })] as const;

const short = paise(1_00);
const differs = { kind: 'cash_differs', amount: short, expected: price } as const;
const unknown = { kind: 'unknown_order', amount: price, method: 'card' } as const;
const money = [collected(short), { type: 'MismatchFound', data: { mismatch: differs, foundAt: paidAt } } as const].reduce(
  payment.evolve,
  payment.initial,
);

const happenings: Happenings = [
  [orderStream(anOrder), ...begun],
  [orderStream(anotherOrder), ...anew],
  [orderStream(anOrder), ...goneOn],
  [`payment-${anOrder}`, collected(short), { type: 'MismatchFound', data: { mismatch: differs, foundAt: paidAt } }],
  ['payment-pay_9', { type: 'MismatchFound', data: { mismatch: unknown, foundAt: paidAt } }],
];

const always = { guest: false, changed_by: JSON.stringify({ kind: 'system', id: 'test' }) };
const desk = [
  {
    order_id: anOrder,
    state: JSON.stringify(orderAfter(...begun, ...goneOn)),
    ...always,
    customer: meera,
    status: 'returned',
    payment_status: 'on_delivery',
    total: computeTotals(orderAfter(...begun, ...goneOn) as ExistingOrder).total,
    placed_at: noon,
    number: aNumber,
    search: `${aNumber.toLowerCase()}\nzoe d’souza\nzoe@example.com`,
    step: null,
    overdue_from: null,
  },
  {
    order_id: anotherOrder,
    state: JSON.stringify(orderAfter(...anew)),
    ...always,
    customer: null,
    status: 'created',
    payment_status: 'none',
    total: computeTotals(orderAfter(...anew) as ExistingOrder).total,
    placed_at: null,
    number: null,
    search: null,
    step: null,
    overdue_from: null,
  },
];

describeProjector(ordersDesk, happenings, {
  orders_desk: desk,
  orders_desk_returns: [],
  orders_desk_payments: [
    {
      order_id: anOrder,
      state: JSON.stringify(money),
      status: 'collected',
      received: short,
      method: 'cash',
      at: expect.any(String),
      mismatch: 'The courier brought ₹1.00 instead of ₹11,033.00',
      is_reminded: false,
      has_link: false,
      is_refunding: false,
      look_from: null,
    },
  ],
  unknown_payments: [
    {
      payment_id: 'pay_9',
      amount: price,
      method: 'card',
      news: 'came',
      at: expect.any(String),
      mismatch: '₹11,033.00 came for no order of this shop',
    },
  ],
});
