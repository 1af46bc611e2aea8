import { expect, test } from 'vitest';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';
import { captured, collected, paidAt, price, refundRefused, refundRequested, refundSettled } from '#domain/testing/payments.ts';
import { exactMomentText, labelFor, findNote, momentOrUnknown } from './audit-labels.ts';
import { clockInIndia, momentInIndia } from './india-time.ts';

const requested: PaymentEvent = {
  type: 'PaymentRequested',
  data: { link: 'plink_1', url: 'https://pay.example/1', total: price, requestedAt: paidAt },
};
const tooLittle: PaymentEvent = {
  type: 'MismatchFound',
  data: { mismatch: { kind: 'too_little', amount: paise(100), expected: price }, foundAt: paidAt },
};

const noteAfter = ({ type, data }: PaymentEvent) =>
  findNote({ position: '1', stream: 'payment-1', revision: 0, type, data, metadata: null, recordedAt: paidAt });

test.each<readonly [PaymentEvent, string, string | undefined]>([
  [requested, 'Payment page opened', '₹11,033.00'],
  [{ type: 'PaymentLinkClosed', data: { link: 'plink_1', closedAt: paidAt } }, 'Payment page closed', undefined],
  [captured(), 'Paid', '₹11,033.00, UPI'],
  [captured(paise(100)), 'Paid', '₹1.00 of ₹11,033.00, UPI'],
  [{ type: 'PaymentFailed', data: { payment: 'pay_1', why: 'No funds', failedAt: paidAt } }, 'Payment failed', 'No funds'],
  [{ type: 'LatePaymentsSought', data: { look: 1, soughtAt: paidAt } }, 'Late payments sought', undefined],
  [{ type: 'PaymentReminded', data: { remindedAt: paidAt } }, 'Reminded of the payment', undefined],
  [refundRequested('desk', paise(100_00)), 'Refund requested', '₹100.00: A reason'],
  [refundRequested('desk', paise(100_00), 'pay_1-1', ''), 'Refund requested', '₹100.00: erased'],
  [refundSettled(), 'Refunded', 'Refund pay_1-1'],
  [refundRefused(), 'Refund refused', 'Refund pay_1-1: No funds'],
  [refundRefused(true), 'Refund refused', 'Refund pay_1-1: No funds. It is not tried again.'],
  [collected(), 'Cash received', '₹11,033.00, remittance RM-7'],
  [collected(paise(100)), 'Cash received', '₹1.00 of ₹11,033.00, remittance RM-7'],
  [{ type: 'MoveBegun', data: { move: 'move_1', begunAt: paidAt } }, 'Move begun, so no full refund', undefined],
  [{ type: 'MoveEnded', data: { move: 'move_1', endedAt: paidAt } }, 'Move ended', undefined],
  [tooLittle, 'Mismatch found', 'Paid ₹1.00 of ₹11,033.00'],
])('a payment event has a title and a note with its facts: %j', (event, title, note) => {
  expect(labelFor(event.type).text).toBe(title);
  expect(noteAfter(event)).toBe(note);
});

test('an event with invalid data has no note', () => {
  expect(
    findNote({ position: '1', stream: 'payment-1', revision: 0, type: 'MismatchFound', data: null, metadata: null, recordedAt: paidAt }),
  ).toBe(undefined);
});

test('the audit shows a moment like the rest of the shop, or with milliseconds', () => {
  const moment = instant('2026-09-09T20:48:41.204Z');
  expect([momentOrUnknown(moment), exactMomentText(moment)]).toEqual(['10 Sep, 02:18', '10 Sep 2026, 02:18:41.204']);
});

test('the clock in India shows a moment five and a half hours later than UTC', () =>
  expect(clockInIndia('2026-11-14T18:45:07.118Z')).toBe('2026-11-15T00:15:07'));
test.each([
  ['2026-11-14T14:03:00', '2026-11-14T08:33:00.999Z'],
  ['2026-11-14T14:03', '2026-11-14T08:33:00.999Z'],
  ['', undefined],
])('the clock in India gives for %j the last millisecond of its second, whose events are included: %s', (clock, moment) =>
  expect(momentInIndia(clock)).toBe(moment),
);
