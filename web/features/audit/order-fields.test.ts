import { expect, test } from 'vitest';
import { viewOrder } from '#domain/order/view.ts';
import { anOrder } from '#domain/testing/carts.ts';
import {
  cancelled,
  confirmed,
  created,
  historyOf,
  orderAfter,
  packed,
  placed,
  revised,
  shipmentCorrected,
  shipped,
  soldLines,
  unpacked,
} from '#domain/testing/orders.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { mapOrderTexts, orderTextFields, orderTexts } from '#domain/order/texts.ts';
import { captured, paymentAfter, refundRequested, refundSettled } from '#domain/testing/payments.ts';
import { paise } from '#domain/shared/money.ts';
import { changesBetween, listFacts } from './order-fields.ts';

const factsAfter = (...events: readonly OrderEvent[]) => listFacts(viewOrder(anOrder, orderAfter(...events)));
const [oud] = soldLines;

test('an order that does not exist has no fields', () => expect(listFacts(null)).toEqual([]));

test('the fields of an order include every text', () => {
  const facts = factsAfter(created(mapOrderTexts((field) => `Words of ${field}`)));
  for (const field of orderTextFields) expect(facts).toContainEqual({ name: orderTexts[field].title, text: `Words of ${field}` });
});

test('a confirmation changes the status and the history, and no other field', () => {
  const changes = changesBetween(factsAfter(created(), placed()), factsAfter(created(), placed(), confirmed('By telephone')));
  expect(changes).toEqual([
    { name: 'Status', before: 'pending', after: 'confirmed' },
    { name: 'Became confirmed', before: undefined, after: expect.stringMatching(/: By telephone$/) as unknown },
  ]);
});

test('a removed line has no value after the event, and a changed line has one before and one after', () => {
  const changes = changesBetween(factsAfter(created()), factsAfter(created(), revised({ lines: [{ ...oud, quantity: 1 }] })));
  expect(changes).toEqual([
    { name: 'Oud Saffron Majlis', before: '2 × ₹3,450.00', after: '1 × ₹3,450.00' },
    { name: 'Subtotal', before: '₹9,350.00', after: '₹3,450.00' },
    { name: 'Tax', before: '₹1,683.00', after: '₹621.00' },
    { name: 'Total', before: '₹11,033.00', after: '₹4,071.00' },
    { name: 'Ruh Gulab', before: '1 × ₹2,450.00', after: undefined },
  ]);
});

test('payment changes between two events are listed as changes', () => {
  const money = [captured(), refundRequested('desk', paise(100_00)), refundSettled()];
  const before = factsAfter(created(), placed('Prepaid'));
  const after = listFacts(viewOrder(anOrder, orderAfter(created(), placed('Prepaid')), paymentAfter(...money)));
  expect(changesBetween(before, after)).toEqual([
    { name: 'Payment status', before: 'Not paid yet', after: 'Partly refunded' },
    { name: 'Paid by', before: undefined, after: 'UPI' },
    { name: 'Paid at', before: undefined, after: expect.stringContaining('14 Nov 2026, 13:30') as unknown },
    { name: 'Refunded', before: undefined, after: '₹100.00' },
    { name: 'Refund of ₹100.00', before: undefined, after: expect.stringMatching(/^Settled, 14 Nov 2026, .*: A reason$/) as unknown },
  ]);
});

test('fields of the same name are numbered', () => {
  const twice = factsAfter(created({ lines: [oud, oud] })).map(({ name }) => name);
  expect(twice).toEqual([...new Set(twice)]);
});

test('every event changes at least one field', () => {
  const travelling = [created(), placed(), confirmed(), packed(), unpacked(), packed(), shipped(), shipmentCorrected()];
  for (const events of [...Object.values(historyOf), travelling, [created(), cancelled('No'), created()]])
    for (const index of events.keys())
      expect(
        changesBetween(index === 0 ? [] : factsAfter(...events.slice(0, index)), factsAfter(...events.slice(0, index + 1))),
      ).not.toEqual([]);
});
