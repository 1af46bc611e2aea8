import { expect, test } from 'vitest';

import type { PaymentEvent } from '../payment/events.ts';
import { paise } from '../shared/money.ts';
import { taxRate } from '../tax/rates.ts';
import { cancelled, created, placed, revised, soldLines } from '../testing/orders.ts';
import { captured, collected, refundRefused, refundRequested, refundSettled } from '../testing/payments.ts';
import { recorded } from '../testing/recorded.ts';
import type { OrderEvent } from './events.ts';
import { explain } from './explain.ts';

const explained = (order: readonly OrderEvent[], payment: readonly PaymentEvent[] = []) =>
  explain(recorded('order-1', order), recorded('payment-1', payment));

const twoRates = [soldLines[0], { ...soldLines[1], rate: taxRate(5) }];

test('each amount is explained by the events it comes from', () => {
  const checkout = { stream: 'order-1', revision: 1, type: 'OrderRevised' };
  expect(
    explained(
      [created(), revised({ lines: twoRates, giftWrap: true }), placed('Prepaid')],
      [captured(), refundRequested('desk', paise(50_00)), refundSettled()],
    ),
  ).toEqual([
    {
      name: 'subtotal',
      amount: 9350,
      formula: 'Price × quantity of each perfume',
      parts: [
        { label: 'Oud Saffron Majlis: ₹3,450.00 × 2', amount: 6900, event: checkout },
        { label: 'Ruh Gulab: ₹2,450.00 × 1', amount: 2450, event: checkout },
      ],
    },
    {
      name: 'tax',
      amount: 1364.5,
      formula: 'Rate × the perfumes taxed at it, half a paisa rounded up, once for each rate',
      parts: [
        { label: '18% of ₹6,900.00', amount: 1242, event: checkout },
        { label: '5% of ₹2,450.00', amount: 122.5, event: checkout },
      ],
    },
    { name: 'giftWrap', amount: 39, formula: 'One gift wrap, untaxed', parts: [{ label: 'Gift wrap', amount: 39, event: checkout }] },
    {
      name: 'total',
      amount: 10753.5,
      formula: 'Subtotal + tax + gift wrap',
      parts: [
        { label: 'Subtotal', amount: 9350, event: checkout },
        { label: 'Tax', amount: 1364.5, event: checkout },
        { label: 'Gift wrap', amount: 39, event: checkout },
      ],
    },
    {
      name: 'paid',
      amount: 11033,
      formula: 'All payments that came',
      parts: [{ label: 'Paid by UPI', amount: 11033, event: { stream: 'payment-1', revision: 0, type: 'PaymentCaptured' } }],
    },
    {
      name: 'refunded',
      amount: 50,
      formula: 'All refunds that arrived',
      parts: [{ label: 'Refund', amount: 50, event: { stream: 'payment-1', revision: 2, type: 'RefundSettled' } }],
    },
  ]);
});

test('a refund for bottles that came back names its return', () => {
  const back = refundRequested('returned', paise(50_00), 'cash-1', '', { return: 2 });
  const [refunded] = explained([created(), placed()], [collected(), back, refundSettled('cash-1')])?.slice(-1) ?? [];
  expect(refunded).toMatchObject({ amount: 50, parts: [{ label: 'Refund of return 2', amount: 50, event: { revision: 2 } }] });
});

test('cash counts as paid, and a requested or refused refund does not count as refunded', () => {
  const amounts = explained([created(), placed()], [collected(), refundRequested('desk'), refundRefused()]);
  expect(amounts?.map(({ name, amount }) => [name, amount])).toEqual([
    ['subtotal', 9350],
    ['tax', 1683],
    ['giftWrap', 0],
    ['total', 11033],
    ['paid', 11033],
    ['refunded', 0],
  ]);
});

test('an order that was checked out again after a cancellation is explained by the last checkout', () =>
  expect(explained([created(), cancelled(), created({ giftWrap: true })])?.[3]?.parts.map(({ event }) => event.revision)).toEqual([
    2, 2, 2,
  ]));

test('an order without a checkout has no explanation', () => expect(explained([placed()])).toBeUndefined());

test('an order without wrap and money says so', () =>
  expect(explained([created(), placed()])?.map(({ formula }) => formula)).toEqual([
    'Price × quantity of each perfume',
    'Rate × the perfumes taxed at it, half a paisa rounded up, once for each rate',
    'No gift wrap',
    'Subtotal + tax',
    'Nothing was paid yet',
    'Nothing was refunded',
  ]));

test('cash is named, and a perfume taxed at nothing has a tax of nothing', () => {
  const untaxed = created({ lines: [{ ...soldLines[0], rate: taxRate(0) }] });
  const parts = explained([untaxed, placed()], [collected()])?.map((each) => each.parts.map(({ label, amount }) => [label, amount]));
  expect(parts?.[3]).toEqual([
    ['Subtotal', 6900],
    ['Tax', 0],
  ]);
  expect(parts?.[4]).toEqual([['Paid in cash', 11_033]]);
});
