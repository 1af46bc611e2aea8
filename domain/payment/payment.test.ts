import { describe, expect, test } from 'vitest';

import { billOf } from '../order/totals.ts';
import { paise, rupees } from '../shared/money.ts';
import { dateInIndia, instant } from '../shared/time.ts';
import { meera } from '../testing/carts.ts';
import { given } from '../testing/given.ts';
import { laterEvent } from '../testing/later-release.ts';
import { created, delivered, orderAfter, placed } from '../testing/orders.ts';
import {
  cancelledPrepaid,
  capture,
  captured,
  collected,
  paidAt,
  paymentAfter,
  prepaid,
  price,
  refund,
  refundRefused,
  refundRequested,
  refundSettled,
} from '../testing/payments.ts';
import type { PaymentEvent } from './events.ts';
import { payment, type FailPayment } from './payment.ts';
import { isPaidFor, isRefunding, nextLook, paymentStatus, refundable } from './rules.ts';
import { methodName, mismatchText, viewPayment } from './view.ts';

type Tried = { readonly fail: FailPayment; readonly failed: PaymentEvent };
const statusAfter = (...events: readonly PaymentEvent[]) => paymentStatus(prepaid, paymentAfter(...events));
const half = paise(price / 2);
const requested: PaymentEvent = {
  type: 'PaymentRequested',
  data: { link: 'link_1', url: 'https://pay', total: price, requestedAt: paidAt },
};
const open = (bill = prepaid) => ({ type: 'RequestPayment', bill, link: { id: 'link_1', url: 'https://pay' }, now: paidAt }) as const;
const delivery = billOf(orderAfter(created(), placed('COD'), delivered()));
const collect = (amount = price, bill = delivery) =>
  ({ type: 'CollectCash', bill, amount, reference: 'RM-7', collectedOn: dateInIndia(paidAt), now: paidAt }) as const;
const excessRefund = (amount: typeof price, id: string) => refundRequested('excess', amount, id, '');
const cancelRefund = (amount = price, id = 'pay_1-1') => refundRequested('cancelled', amount, id, '');

describe('asking for the money', () => {
  test('a page of the gateway is opened for the total', () => given(payment).when(open()).thenHappened(requested));
  test('while it is open, it is the same', () => given(payment, requested).when(open()).thenNothing());
  test.each([
    ['a draft', billOf(orderAfter(created()))],
    ['an order paid on delivery', billOf(orderAfter(created(), placed('COD')))],
    ['a cancelled order', cancelledPrepaid],
  ])('there is nothing to pay for %s', (_, bill) => given(payment).when(open(bill)).thenRejected({ code: 'nothing_to_pay' }));
  test('nor for one that is paid', () => given(payment, captured()).when(open()).thenRejected({ code: 'nothing_to_pay' }));
  test('one reminder while it is due', () => {
    const remind = { type: 'RemindOfPayment', bill: prepaid, now: paidAt } as const;
    given(payment)
      .when(remind)
      .thenHappened({ type: 'PaymentReminded', data: { remindedAt: paidAt } });
    given(payment, { type: 'PaymentReminded', data: { remindedAt: paidAt } })
      .when(remind)
      .thenNothing();
    given(payment, captured()).when(remind).thenNothing();
  });
});

describe('money that comes', () => {
  test('pays the order', () => {
    given(payment, requested).when(capture()).thenHappened(captured());
    expect(viewPayment(prepaid, paymentAfter(captured()))).toEqual({
      status: 'paid',
      amount: price / 100,
      method: 'upi',
      paidAt,
      refunded: 0,
      refunds: [],
    });
  });
  test('is told once, however often the gateway says it', () => given(payment, captured()).when(capture()).thenNothing());
  test('a second time goes back', () => {
    given(payment, captured())
      .when(capture({ payment: 'pay_2' }))
      .thenHappened(captured(price, 'pay_2'), excessRefund(price, 'pay_2-1'));
    expect(statusAfter(captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1'))).toBe('paid');
  });
  test('what is too much goes back', () =>
    given(payment)
      .when(capture({ amount: paise(price + 1_00) }))
      .thenHappened(captured(paise(price + 1_00)), excessRefund(paise(1_00), 'pay_1-1')));
  test('too little leaves the order due', () => {
    const mismatch = { kind: 'too_little', amount: half, expected: price } as const;
    const found: PaymentEvent = { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } };
    given(payment)
      .when(capture({ amount: half }))
      .thenHappened(captured(half), found);
    expect(statusAfter(captured(half), found)).toBe('due');
    expect(mismatchText(mismatch)).toBe('Paid ₹5,516.50 of ₹11,033.00');
    expect(paymentAfter(captured(half), found).mismatches).toEqual([mismatch]);
    expect(paymentAfter(captured(half), found, captured(half, 'pay_2')).mismatches).toEqual([]);
    expect(statusAfter(captured(half), found, captured(half, 'pay_2'))).toBe('paid');
  });
  test('too little says what the order keeps, without what went back', () => {
    const mismatch = { kind: 'too_little', amount: paise(half + 1_00), expected: price } as const;
    given(payment, captured(half), excessRefund(half, 'pay_1-1'), refundSettled())
      .when(capture({ payment: 'pay_2', amount: paise(half + 1_00) }))
      .thenHappened(captured(paise(half + 1_00), 'pay_2'), { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } });
  });
  test('after the cancellation is shown with its refund, of an order that was never paid', () =>
    expect(
      viewPayment(cancelledPrepaid, paymentAfter(requested, captured(), excessRefund(price, 'pay_1-1'), refundSettled())),
    ).toMatchObject({
      status: 'cancelled',
      refunded: 11_033,
      refunds: [{ amount: 11_033, status: 'settled' }],
    }));
  test('after the cancellation goes back', () => {
    given(payment, requested)
      .when(capture({ bill: cancelledPrepaid }))
      .thenHappened(captured(), cancelRefund());
    expect(statusAfter(captured(), cancelRefund())).toBe('refunding');
    expect(statusAfter(captured(), cancelRefund(), refundSettled())).toBe('refunded');
  });
  test('for an order paid on delivery goes back', () =>
    given(payment)
      .when(capture({ bill: delivery }))
      .thenHappened(captured(), excessRefund(price, 'pay_1-1')));
  test('for an order that it does not pay for leaves the order as it is', () => {
    const returned = paymentAfter(captured(), excessRefund(price, 'pay_1-1'));
    expect(paymentStatus(delivery, returned)).toBe('on_delivery');
    expect(paymentStatus(prepaid, returned)).toBe('due');
    expect(isPaidFor(returned)).toBe(false);
  });
  test('that failed before it came is told, and forgotten when it comes', () => {
    const fail = { type: 'FailPayment', payment: 'pay_1', why: 'Declined', at: paidAt } as const;
    const failed: PaymentEvent = { type: 'PaymentFailed', data: { payment: 'pay_1', why: 'Declined', failedAt: paidAt } };
    given(payment).when(fail).thenHappened(failed);
    given(payment, failed).when(fail).thenNothing();
    expect(statusAfter(failed)).toBe('due');
    expect(paymentAfter(failed, captured()).failed).toBeNull();
    given(payment, captured()).when(fail).thenNothing();
  });
  test('tries that failed are told once, although the gateway lists all of them each time', () => {
    const [first, second] = [paidAt, instant('2026-11-14T08:01:00.000Z')].map((at, index) => ({
      fail: { type: 'FailPayment', payment: `pay_${index}`, why: 'Declined', at } as const,
      failed: { type: 'PaymentFailed', data: { payment: `pay_${index}`, why: 'Declined', failedAt: at } } satisfies PaymentEvent,
    })) as [Tried, Tried];
    given(payment, first.failed).when(second.fail).thenHappened(second.failed);
    given(payment, first.failed, second.failed).when(first.fail).thenNothing();
    given(payment, first.failed, second.failed).when(second.fail).thenNothing();
  });
  test('that nobody told of is sought twice after the time for paying, and again when another page is opened', () => {
    const sought = (look: number): PaymentEvent => ({ type: 'LatePaymentsSought', data: { look, soughtAt: paidAt } });
    const seek = (looksBefore: number) => ({ type: 'NoteLook', looksBefore, now: paidAt }) as const;
    const { openedAt } = paymentAfter(requested);
    given(payment, requested, captured()).when(seek(0)).thenHappened(sought(1));
    given(payment, requested, captured(), sought(1)).when(seek(0)).thenNothing();
    expect(nextLook(paymentAfter(captured()))).toBeNull();
    expect(nextLook(paymentAfter(requested, captured()))).toBe(openedAt);
    expect(nextLook(paymentAfter(requested, captured(), sought(1)))).toBe('2026-11-19T08:00:00.000Z');
    expect(nextLook(paymentAfter(requested, captured(), sought(1), sought(2)))).toBeNull();
    expect(paymentAfter(requested, sought(1), requested)).toMatchObject({ looks: 0 });
  });
  test('of a page of which the gateway says nothing are a mismatch, until it is closed or paid', () => {
    const report = { type: 'ReportRefusedPage', why: 'Not allowed', now: paidAt } as const;
    const mismatch = { kind: 'page_refused', link: 'link_1', why: 'Not allowed' } as const;
    const found: PaymentEvent = { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } };
    given(payment, requested).when(report).thenHappened(found);
    given(payment, requested, found).when(report).thenNothing();
    given(payment).when(report).thenNothing();
    expect(mismatchText(mismatch)).toBe('The gateway does not say what was paid on its page link_1: Not allowed');
    expect(paymentAfter(requested, found).mismatches).toEqual([mismatch]);
    for (const end of [captured(), { type: 'PaymentLinkClosed', data: { link: 'link_1', closedAt: paidAt } } as const])
      expect(paymentAfter(requested, found, end).mismatches).toEqual([]);
  });
  test('for which the gateway opens no page are a mismatch, until it opens one or they came', () => {
    const report = { type: 'ReportNoPage', why: 'Not allowed', now: paidAt } as const;
    const mismatch = { kind: 'page_refused', link: '', why: 'Not allowed' } as const;
    const found: PaymentEvent = { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } };
    given(payment).when(report).thenHappened(found);
    given(payment, found).when(report).thenNothing();
    given(payment, requested).when(report).thenNothing();
    expect(mismatchText(mismatch)).toBe('The gateway opens no page for it: Not allowed');
    for (const end of [requested, captured()]) expect(paymentAfter(found, end).mismatches).toEqual([]);
  });
  test('of no order is a mismatch, once', () => {
    const report = { type: 'ReportUnknown', news: 'came', amount: price, method: 'card', now: paidAt } as const;
    const mismatch = { kind: 'unknown_order', amount: price, method: 'card' } as const;
    given(payment)
      .when(report)
      .thenHappened({ type: 'MismatchFound', data: { mismatch, foundAt: paidAt } });
    given(payment, { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } })
      .when(report)
      .thenNothing();
  });
  test.each([
    ['failed', 'A payment of ₹11,033.00 failed, for no order of this shop'],
    ['page_closed', 'A payment page was closed, of no order of this shop'],
    ['refunded', '₹11,033.00 were refunded, of no order of this shop'],
    ['refund_refused', 'A refund of ₹11,033.00 was refused, of no order of this shop'],
  ] as const)('of no order that %s is a mismatch too, and the money that comes then another', (news, sentence) => {
    const report = { type: 'ReportUnknown', news, amount: price, method: '', now: paidAt } as const;
    const mismatch = { kind: 'unknown_order', amount: price, method: '', news } as const;
    const found = { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } } as const;
    given(payment).when(report).thenHappened(found);
    given(payment, found).when(report).thenNothing();
    const came = { kind: 'unknown_order', amount: price, method: 'upi' } as const;
    given(payment, found)
      .when({ ...report, method: 'upi', news: 'came' })
      .thenHappened({ type: 'MismatchFound', data: { mismatch: came, foundAt: paidAt } });
    expect(mismatchText(mismatch)).toBe(sentence);
  });
  test('that somebody refunded at the gateway itself is a mismatch, once for each refund', () => {
    const report = { type: 'ReportRefundElsewhere', refund: 'rfnd_1', amount: price, now: paidAt } as const;
    const mismatch = { kind: 'refunded_elsewhere', refund: 'rfnd_1', amount: price } as const;
    const found = { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } } as const;
    given(payment, captured()).when(report).thenHappened(found);
    given(payment, captured(), found).when(report).thenNothing();
    expect(mismatchText(mismatch)).toBe('₹11,033.00 were refunded at the gateway itself, as rfnd_1');
  });
});

describe('refunds', () => {
  const cancel = { type: 'RefundExcess', bill: cancelledPrepaid, now: paidAt } as const;
  test('a cancelled order gets all of it back, once', () => {
    given(payment, captured()).when(cancel).thenHappened(cancelRefund());
    given(payment, captured(), cancelRefund()).when(cancel).thenNothing();
    given(payment).when(cancel).thenNothing();
  });
  test('too little goes back when the order is cancelled, which was never paid', () => {
    given(payment, captured(half)).when(cancel).thenHappened(cancelRefund(half));
    for (const end of [refundSettled(), refundRefused(true)])
      expect(paymentStatus(cancelledPrepaid, paymentAfter(captured(half), cancelRefund(half), end))).toBe('cancelled');
  });
  test('of too little by the desk leaves the order due, and says what went back', () => {
    const history = [requested, captured(half), refundRequested('excess', half), refundSettled()];
    expect(viewPayment(prepaid, paymentAfter(...history))).toMatchObject({
      status: 'due',
      refunded: rupees(half),
      refunds: [{ amount: rupees(half), status: 'settled' }],
    });
  });
  test('the desk refunds a part', () => {
    const asked = refundRequested('desk', paise(100_00), 'pay_1-1', 'A broken bottle');
    given(payment, captured()).when(refund()).thenHappened(asked);
    expect(statusAfter(captured(), asked)).toBe('refunding');
    expect(statusAfter(captured(), asked, refundSettled())).toBe('partly_refunded');
    expect(isPaidFor(paymentAfter(captured(), asked))).toBe(true);
    expect(isPaidFor(paymentAfter(captured(), refundRequested('desk')))).toBe(false);
  });
  test('of what was too much, and could not go back by itself, leaves the order paid', () => {
    const given = [captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1'), refundRefused(true, 'pay_2-1')];
    const decided = payment.decide(paymentAfter(...given), refund({ amount: paise(price + 1_00), reason: 'A reason' }));
    const asked = [refundRequested('excess', price, 'pay_2-2'), refundRequested('desk', paise(1_00), 'pay_1-1')];
    expect(decided).toEqual({ ok: true, events: asked });
    const [excess] = asked as [PaymentEvent];
    expect(statusAfter(...given, excess, refundSettled('pay_2-2'))).toBe('paid');
    expect(isPaidFor(paymentAfter(...given, excess))).toBe(true);
  });
  test('of one payment that is too much and of the order itself have ids of their own', () => {
    const more = paise(price + 1_00);
    given(payment, captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRefused(true))
      .when(refund({ amount: paise(3_00), reason: 'A reason' }))
      .thenHappened(refundRequested('excess', paise(1_00), 'pay_1-2'), refundRequested('desk', paise(2_00), 'pay_1-3'));
  });
  test('of too little do not count against the order, which is paid when all of it comes', () => {
    const back = refundRequested('excess', half, 'pay_1-1');
    given(payment, captured(half))
      .when(refund({ amount: half, reason: 'A reason' }))
      .thenHappened(back);
    given(payment, captured(half), back)
      .when(capture({ payment: 'pay_2' }))
      .thenHappened(captured(price, 'pay_2'));
  });
  test('of a cancelled order count against it', () => {
    const given = [captured(), cancelRefund(), refundRefused(true)];
    const asked = refundRequested('desk', price, 'pay_1-2');
    const decided = payment.decide(paymentAfter(...given), refund({ bill: cancelledPrepaid, amount: price, reason: 'A reason' }));
    expect(decided).toEqual({ ok: true, events: [asked] });
    expect(paymentStatus(cancelledPrepaid, paymentAfter(...given, asked, refundSettled('pay_1-2')))).toBe('refunded');
  });
  test('never more than was paid, what is on its way counted', () => {
    const left = { code: 'more_than_was_paid', left: paise(price - 100_00) } as const;
    given(payment, captured(), refundRequested('desk', paise(100_00)))
      .when(refund({ amount: price }))
      .thenRejected(left);
    given(payment)
      .when(refund())
      .thenRejected({ code: 'more_than_was_paid', left: paise(0) });
  });
  test('one that was given up, made anew, and arrived after all leaves nothing', () => {
    const anew = [refundRefused(true), refundRequested('desk', price, 'pay_1-2'), refundSettled()];
    expect(refundable(paymentAfter(captured(), refundRequested('desk'), ...anew))).toBe(0);
  });
  test('of an excess that was given up, made anew, and arrived after all leave the order paid', () => {
    const more = paise(price + 1_00);
    const anew = [excessRefund(paise(1_00), 'pay_1-2'), refundSettled('pay_1-2'), refundSettled()];
    const history = [captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRefused(true), ...anew];
    expect(statusAfter(...history)).toBe('paid');
    expect(isPaidFor(paymentAfter(...history))).toBe(true);
    expect(refundable(paymentAfter(...history))).toBe(price - 1_00);
  });
  test('that were given up leave a cancelled order cancelled, and one paid on delivery as it is', () => {
    const history = [captured(half), excessRefund(half, 'pay_1-1'), refundRefused(true)];
    expect(statusAfter(...history)).toBe('due');
    expect(paymentStatus(cancelledPrepaid, paymentAfter(...history))).toBe('cancelled');
    expect(paymentStatus(delivery, paymentAfter(...history))).toBe('on_delivery');
  });
  test('that were given up are no mismatch any more when as much goes back later', () => {
    const mismatch = { kind: 'refund_refused', refund: 'pay_1-1', amount: paise(2_00), why: 'No funds' } as const;
    const found: PaymentEvent = { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } };
    const history = [captured(), refundRequested('desk', paise(2_00)), refundRefused(true), found];
    const later = (amount: number, id: string, kind: 'desk' | 'excess' = 'desk') => [
      refundRequested(kind, paise(amount), id),
      refundSettled(id),
    ];
    expect(paymentAfter(...history, refundRequested('desk', paise(2_00), 'pay_1-2')).mismatches).toEqual([mismatch]);
    expect(paymentAfter(...history, ...later(2_00, 'pay_1-2', 'excess')).mismatches).toEqual([mismatch]);
    expect(paymentAfter(...history, ...later(1_00, 'pay_1-2')).mismatches).toEqual([mismatch]);
    expect(paymentAfter(...history, ...later(1_00, 'pay_1-2'), ...later(1_00, 'pay_1-3')).mismatches).toEqual([]);
  });
  test('of two payments are two, the newer first', () =>
    given(payment, captured(half), captured(half, 'pay_2'))
      .when(refund({ amount: paise(half + 1_00), reason: 'A reason' }))
      .thenHappened(refundRequested('desk', half, 'pay_2-1'), refundRequested('desk', paise(1_00), 'pay_1-1')));
  test.each([[''], [' '], ['x'.repeat(501)]])('need a reason', (reason) =>
    given(payment, captured()).when(refund({ reason })).thenRejected({ code: 'refund_reason_invalid', most: 500 }),
  );
  test('for a shopper who was erased keep no reason', () => {
    const asked = refundRequested('desk', paise(100_00), 'pay_1-1', '');
    given(payment, captured())
      .when(refund({ reason: null }))
      .thenHappened(asked);
    expect(viewPayment(prepaid, paymentAfter(captured(), asked)).refunds[0]?.reason).toBe('erased');
  });
  test('are settled once', () => {
    const settle = { type: 'SettleRefund', refund: 'pay_1-1', now: paidAt } as const;
    given(payment, captured(), refundRequested('desk')).when(settle).thenHappened(refundSettled());
    given(payment, captured(), refundRequested('desk'), refundSettled()).when(settle).thenNothing();
    given(payment, captured()).when(settle).thenNothing();
  });
  test('that the gateway refuses are tried three times more, and then a mismatch', () => {
    const refuse = { type: 'RefuseRefund', refund: 'pay_1-1', why: 'No funds', now: paidAt } as const;
    const before = [captured(), refundRequested('desk')];
    given(payment, ...before)
      .when(refuse)
      .thenHappened(refundRefused());
    const thrice = [...before, refundRefused(), refundRefused(), refundRefused()];
    const mismatch = { kind: 'refund_refused', refund: 'pay_1-1', amount: price, why: 'No funds' } as const;
    const last = [refundRefused(true), { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } }] as const;
    given(payment, ...thrice)
      .when(refuse)
      .thenHappened(...last);
    given(payment, ...thrice, ...last)
      .when(refuse)
      .thenNothing();
    const after = paymentAfter(...thrice, ...last);
    expect({ status: paymentStatus(prepaid, after), left: refundable(after), mismatches: after.mismatches }).toEqual({
      status: 'paid',
      left: price,
      mismatches: [mismatch],
    });
    expect(paymentAfter(...thrice, ...last, refundSettled()).mismatches).toEqual([]);
  });
});

describe('cash', () => {
  test('is collected once', () => {
    given(payment).when(collect()).thenHappened(collected());
    given(payment, collected()).when(collect(half)).thenNothing();
    expect(viewPayment(delivery, paymentAfter(collected()))).toMatchObject({ status: 'collected', method: 'cash', refunded: 0 });
  });
  test('another amount is a mismatch', () => {
    const mismatch = { kind: 'cash_differs', amount: half, expected: price } as const;
    given(payment)
      .when(collect(half))
      .thenHappened(collected(half), { type: 'MismatchFound', data: { mismatch, foundAt: paidAt } });
  });
  test('only of delivered orders that are paid on delivery', () => {
    given(payment)
      .when(collect(price, billOf(orderAfter(created(), placed('COD')))))
      .thenRejected({ code: 'not_delivered' });
    given(payment).when(collect(price, prepaid)).thenRejected({ code: 'not_paid_on_delivery' });
  });
});

test('a refund names the owner of the order, whose data its reason is', () =>
  expect(refundRequested('desk').data).toMatchObject({ shopper: meera }));

describe('the page of the gateway', () => {
  const closed = (link: string) => ({ type: 'PaymentLinkClosed', data: { link, closedAt: paidAt } }) as const;
  const close = (link: string) => ({ type: 'CloseLink', link, now: paidAt }) as const;

  test('is closed only if it is the one that is open', () => {
    given(payment, requested).when(close('link_1')).thenHappened(closed('link_1'));
    given(payment, requested).when(close('link_2')).thenNothing();
    given(payment).when(close('link_1')).thenNothing();
    expect(paymentAfter(requested, closed('link_2')).link).toEqual({ id: 'link_1', url: 'https://pay' });
    expect([paymentAfter(requested, closed('link_1')).link, paymentAfter(closed('link_1')).link]).toEqual([null, null]);
  });
});

test('a payment that failed is known by its time: an older one, or one before the money came, is no news', () => {
  const fail = (id: string, at: string) =>
    ({ type: 'FailPayment', payment: id, why: 'Declined', at: instant(`2026-11-14T${at}:00.000Z`) }) as const;
  const failed = (id: string, at: string): PaymentEvent => {
    const { payment: of, why, at: failedAt } = fail(id, at);
    return { type: 'PaymentFailed', data: { payment: of, why, failedAt } };
  };
  given(payment, captured()).when(fail('pay_2', '07:59')).thenNothing();
  given(payment, captured()).when(fail('pay_2', '08:00')).thenHappened(failed('pay_2', '08:00'));
  given(payment, failed('pay_2', '08:00')).when(fail('pay_3', '08:00')).thenNothing();
  given(payment, failed('pay_2', '08:00')).when(fail('pay_2', '08:01')).thenNothing();
  given(payment, failed('pay_2', '08:00')).when(fail('pay_3', '08:01')).thenHappened(failed('pay_3', '08:01'));
});

test('cash is shown with its time, and an event of a later release changes nothing', () => {
  const paid = { status: 'collected', amount: rupees(price), method: 'cash', paidAt, refunded: 0, refunds: [] };
  expect(viewPayment(delivery, paymentAfter(collected(), laterEvent('PaymentBlessed')))).toEqual(paid);
});

test('only refunds that the gateway has not settled are on their way', () => {
  expect(
    [[], [refundRequested('desk')], [refundRequested('desk'), refundSettled()]].map((events) => isRefunding(paymentAfter(...events))),
  ).toEqual([false, true, false]);
  const two = [captured(), refundRequested('desk', paise(1_00)), refundSettled(), refundRequested('desk', paise(1_00), 'pay_1-2')];
  expect(isRefunding(paymentAfter(...two))).toBe(true);
  expect(viewPayment(prepaid, paymentAfter(...two))).toMatchObject({ status: 'refunding', refunded: 1 });
});

test('a method and each mismatch are said in words', () => {
  expect(['upi', 'card', 'pay_later_card'].map(methodName)).toEqual(['UPI', 'card', 'pay later card']);
  const amounts = { amount: half, expected: price } as const;
  expect(mismatchText({ kind: 'cash_differs', ...amounts })).toBe('The courier brought ₹5,516.50 instead of ₹11,033.00');
  expect(mismatchText({ kind: 'unknown_order', amount: half, method: 'upi' })).toBe('₹5,516.50 came for no order of this shop');
  expect(mismatchText({ kind: 'refund_refused', refund: 'pay_1-1', amount: half, why: 'No funds' })).toBe(
    'The gateway refused to refund ₹5,516.50: No funds',
  );
});
