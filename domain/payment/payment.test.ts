import { describe, expect, test } from 'vitest';

import { computeBill } from '../order/totals.ts';
import { paise, rupees, ZERO, type Paise } from '../shared/money.ts';
import { dateInIndia, instant } from '../shared/time.ts';
import { NO_TEXT } from '../shared/text.ts';
import { meera } from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import { created, delivered, historyOf, orderAfter, placed, returnDecided, returnReceived, returnRequested } from '../testing/orders.ts';
import * as thePayments from '../testing/payments.ts';
import type { PaymentEvent } from './events.ts';
import { payment } from './payment.ts';
import { isPaidFor, isRefunding, nextLook, paymentStatus, refundable, type Bill } from './rules.ts';
import type { ReportRefund } from './refunds.ts';
import { mismatchesText, methodName, mismatchText, viewPayment } from './view.ts';

const { cancelledPrepaid, capture, captured, collected, mismatchFound, paidAt, paymentAfter, prepaid, price, refund } = thePayments;
const { refundRefused, refundRequested, refundSettled } = thePayments;

const statusAfter = (...events: readonly PaymentEvent[]) => paymentStatus(prepaid, paymentAfter(...events));
const half = paise(price / 2);
const requested: PaymentEvent = {
  type: 'PaymentRequested',
  data: { link: 'link_1', url: 'https://pay', total: price, requestedAt: paidAt },
};
const open = (bill = prepaid) => ({ type: 'RequestPayment', bill, link: { id: 'link_1', url: 'https://pay' }, now: paidAt }) as const;
const delivery = computeBill(orderAfter(created(), placed('COD'), delivered()));
const collect = (amount = price, bill = delivery) =>
  ({ type: 'CollectCash', bill, amount, reference: 'RM-7', collectedOn: dateInIndia(paidAt), now: paidAt }) as const;
const excessRefund = (amount: typeof price, id: string) => refundRequested('excess', amount, id, '');
const cancelRefund = (amount = price, id = 'pay_1-1') => refundRequested('cancelled', amount, id, '');

describe('requesting a payment', () => {
  const remind = { type: 'RemindOfPayment', bill: prepaid, now: paidAt } as const;
  const reminded: PaymentEvent = { type: 'PaymentReminded', data: { remindedAt: paidAt } };
  testDecisions(payment, [
    ['opens a page of the gateway for the total', [], open(), [requested]],
    ['keeps the page while it is open', [requested], open(), []],
    ['is refused for a paid order', [captured()], open(), { code: 'nothing_to_pay' }],
    ['sends a reminder while payment is due', [], remind, [reminded]],
    ['sends one reminder', [reminded], remind, []],
    ['sends no reminder of what is paid', [captured()], remind, []],
  ]);
  test.each([
    ['a draft', computeBill(orderAfter(created()))],
    ['an order paid on delivery', computeBill(orderAfter(created(), placed('COD')))],
    ['a cancelled order', cancelledPrepaid],
  ])('is refused for %s', (_, bill) => expectDecision(payment, [], open(bill), { code: 'nothing_to_pay' }));
});

describe('a payment', () => {
  test('pays the order', () => {
    expectDecision(payment, [requested], capture(), [captured()]);
    expect(viewPayment(prepaid, paymentAfter(captured()))).toEqual({
      status: 'paid',
      amount: price / 100,
      method: 'upi',
      paidAt,
      refunded: 0,
      refundable: price / 100,
      refunds: [],
    });
  });
  const more = paise(price + 1_00);
  testDecisions(payment, [
    ['is recorded once, however often the gateway reports it', [captured()], capture(), []],
    ['has its excess refunded', [], capture({ amount: more }), [captured(more), excessRefund(paise(1_00), 'pay_1-1')]],
    ['on delivery is refunded', [], capture({ bill: delivery }), [captured(), excessRefund(price, 'pay_1-1')]],
    ['after the cancellation is refunded', [requested], capture({ bill: cancelledPrepaid }), [captured(), cancelRefund()]],
  ]);
  test('is refunded if the order is paid already', () => {
    expectDecision(payment, [captured()], capture({ payment: 'pay_2' }), [captured(price, 'pay_2'), excessRefund(price, 'pay_2-1')]);
    expect(statusAfter(captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1'))).toBe('paid');
  });
  test('of too little leaves the order due', () => {
    const mismatch = { kind: 'too_little', amount: half, expected: price } as const;
    const found = mismatchFound(mismatch);
    expectDecision(payment, [], capture({ amount: half }), [captured(half), found]);
    expect(statusAfter(captured(half), found)).toBe('due');
    expect(mismatchText(mismatch)).toBe('Paid ₹5,516.50 of ₹11,033.00');
    expect(paymentAfter(captured(half), found).mismatches).toEqual([mismatch]);
    expect(paymentAfter(captured(half), found, captured(half, 'pay_2')).mismatches).toEqual([]);
    expect(statusAfter(captured(half), found, captured(half, 'pay_2'))).toBe('paid');
  });
  test('of too little is a mismatch with the amount that the order keeps, less refunds', () => {
    const mismatch = { kind: 'too_little', amount: paise(half + 1_00), expected: price } as const;
    expectDecision(
      payment,
      [captured(half), excessRefund(half, 'pay_1-1'), refundSettled()],
      capture({ payment: 'pay_2', amount: paise(half + 1_00) }),
      [captured(paise(half + 1_00), 'pay_2'), mismatchFound(mismatch)],
    );
  });
  test('after the cancellation is shown with its refund, and the order as cancelled', () =>
    expect(
      viewPayment(cancelledPrepaid, paymentAfter(requested, captured(), excessRefund(price, 'pay_1-1'), refundSettled())),
    ).toMatchObject({ status: 'cancelled', refunded: 11_033, refunds: [{ amount: 11_033, status: 'settled' }] }));
  test('after the cancellation is on its way back, and then refunded', () => {
    expect(statusAfter(captured(), cancelRefund())).toBe('refunding');
    expect(statusAfter(captured(), cancelRefund(), refundSettled())).toBe('refunded');
  });
  test('that is refunded in full as excess leaves the order unpaid', () => {
    const returned = paymentAfter(captured(), excessRefund(price, 'pay_1-1'));
    expect(paymentStatus(delivery, returned)).toBe('on_delivery');
    expect(paymentStatus(prepaid, returned)).toBe('due');
    expect(isPaidFor(returned)).toBe(false);
  });
  test('that failed before it was captured is recorded, and forgotten when it is captured', () => {
    const fail = { type: 'FailPayment', payment: 'pay_1', why: 'Declined', at: paidAt } as const;
    const failed: PaymentEvent = { type: 'PaymentFailed', data: { payment: 'pay_1', why: 'Declined', failedAt: paidAt } };
    expectDecision(payment, [], fail, [failed]);
    expectDecision(payment, [failed], fail, []);
    expect(statusAfter(failed)).toBe('due');
    expect(paymentAfter(failed, captured()).failed).toBeNull();
    expectDecision(payment, [captured()], fail, []);
  });
  test('without a webhook is looked for twice after the time for paying, and again after another page was opened', () => {
    const sought = (look: number): PaymentEvent => ({ type: 'LatePaymentsSought', data: { look, soughtAt: paidAt } });
    const seek = (looksBefore: number) => ({ type: 'NoteLook', looksBefore, now: paidAt }) as const;
    const { openedAt } = paymentAfter(requested);
    expectDecision(payment, [requested, captured()], seek(0), [sought(1)]);
    expectDecision(payment, [requested, captured(), sought(1)], seek(0), []);
    expect(nextLook(paymentAfter(captured()))).toBeNull();
    expect(nextLook(paymentAfter(requested, captured()))).toBe(openedAt);
    expect(nextLook(paymentAfter(requested, captured(), sought(1)))).toBe('2026-11-19T08:00:00.000Z');
    expect(nextLook(paymentAfter(requested, captured(), sought(1), sought(2)))).toBeNull();
    expect(paymentAfter(requested, sought(1), requested)).toMatchObject({ looks: 0 });
  });
  test('on a page about which the gateway gives no answer is a mismatch, until the page is closed or paid', () => {
    const report = { type: 'ReportRefusedPage', why: 'Not allowed', now: paidAt } as const;
    const mismatch = { kind: 'page_refused', link: 'link_1', why: 'Not allowed' } as const;
    const found = mismatchFound(mismatch);
    expectDecision(payment, [requested], report, [found]);
    expectDecision(payment, [requested, found], report, []);
    expectDecision(payment, [], report, []);
    expect(mismatchText(mismatch)).toBe('The gateway does not say what was paid on its page link_1: Not allowed');
    expect(paymentAfter(requested, found).mismatches).toEqual([mismatch]);
    for (const end of [captured(), { type: 'PaymentLinkClosed', data: { link: 'link_1', closedAt: paidAt } } as const])
      expect(paymentAfter(requested, found, end).mismatches).toEqual([]);
  });
  test('for which the gateway opens no page is a mismatch, until a page is opened or the order is paid', () => {
    const report = { type: 'ReportNoPage', why: 'Not allowed', now: paidAt } as const;
    const mismatch = { kind: 'page_refused', link: '', why: 'Not allowed' } as const;
    const found = mismatchFound(mismatch);
    expectDecision(payment, [], report, [found]);
    expectDecision(payment, [found], report, []);
    expectDecision(payment, [requested], report, []);
    expect(mismatchText(mismatch)).toBe('The gateway opens no page for it: Not allowed');
    for (const end of [requested, captured()]) expect(paymentAfter(found, end).mismatches).toEqual([]);
  });
  test('of an unknown order is one mismatch', () => {
    const report = { type: 'ReportUnknown', news: 'came', amount: price, method: 'card', now: paidAt } as const;
    const mismatch = { kind: 'unknown_order', amount: price, method: 'card' } as const;
    expectDecision(payment, [], report, [mismatchFound(mismatch)]);
    expectDecision(payment, [mismatchFound(mismatch)], report, []);
  });
  test.each([
    ['failed', 'A payment of ₹11,033.00 for no order of this shop failed'],
    ['page_closed', 'A payment page was closed that belongs to no order of this shop'],
    ['refunded', '₹11,033.00 were refunded for no order of this shop'],
    ['refund_refused', 'A refund of ₹11,033.00 for no order of this shop was refused'],
  ] as const)('of an unknown order that was %s is a mismatch, and a later payment is another mismatch', (news, sentence) => {
    const report = { type: 'ReportUnknown', news, amount: price, method: '', now: paidAt } as const;
    const mismatch = { kind: 'unknown_order', amount: price, method: '', news } as const;
    const found = mismatchFound(mismatch);
    expectDecision(payment, [], report, [found]);
    expectDecision(payment, [found], report, []);
    const came = { kind: 'unknown_order', amount: price, method: 'upi' } as const;
    expectDecision(payment, [found], { ...report, method: 'upi', news: 'came' }, [mismatchFound(came)]);
    expect(mismatchText(mismatch)).toBe(sentence);
  });
});

describe('a refund', () => {
  const cancel = { type: 'RefundExcess', bill: cancelledPrepaid, now: paidAt } as const;
  testDecisions(payment, [
    ['of a cancelled order returns everything', [captured()], cancel, [cancelRefund()]],
    ['of a cancelled order is made once', [captured(), cancelRefund()], cancel, []],
    ['of an unpaid order is not made', [], cancel, []],
    ['never exceeds what was paid', [], refund(), { code: 'more_than_was_paid', left: paise(0) }],
  ]);
  test('of a partial payment is made when the order is cancelled, and the order counts as cancelled', () => {
    expectDecision(payment, [captured(half)], cancel, [cancelRefund(half)]);
    for (const end of [refundSettled(), refundRefused(true)])
      expect(paymentStatus(cancelledPrepaid, paymentAfter(captured(half), cancelRefund(half), end))).toBe('cancelled');
  });
  test('of a partial payment by the desk leaves the order due, and the view shows it', () => {
    const history = [requested, captured(half), refundRequested('excess', half), refundSettled()];
    expect(viewPayment(prepaid, paymentAfter(...history))).toMatchObject({
      status: 'due',
      refunded: rupees(half),
      refunds: [{ amount: rupees(half), status: 'settled' }],
    });
  });
  test('by the desk may be a part of the payment', () => {
    const asked = refundRequested('desk', paise(100_00), 'pay_1-1', 'A broken bottle');
    expectDecision(payment, [captured()], refund(), [asked]);
    expect(statusAfter(captured(), asked)).toBe('refunding');
    expect(statusAfter(captured(), asked, refundSettled())).toBe('partly_refunded');
    expect(isPaidFor(paymentAfter(captured(), asked))).toBe(true);
    expect(isPaidFor(paymentAfter(captured(), refundRequested('desk')))).toBe(false);
  });
  test('of an excess whose first refund was given up leaves the order paid', () => {
    const given = [captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1'), refundRefused(true, 'pay_2-1')];
    const decided = payment.decide(paymentAfter(...given), refund({ amount: paise(price + 1_00), reason: 'A reason' }));
    const asked = [refundRequested('excess', price, 'pay_2-2'), refundRequested('desk', paise(1_00), 'pay_1-1')];
    expect(decided).toEqual({ ok: true, events: asked });
    const [excess] = asked as [PaymentEvent];
    expect(statusAfter(...given, excess, refundSettled('pay_2-2'))).toBe('paid');
    expect(isPaidFor(paymentAfter(...given, excess))).toBe(true);
  });
  test("of both an excess and a part of the order's total is two refunds with distinct ids", () => {
    const more = paise(price + 1_00);
    expectDecision(
      payment,
      [captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRefused(true)],
      refund({ amount: paise(3_00), reason: 'A reason' }),
      [refundRequested('excess', paise(1_00), 'pay_1-2'), refundRequested('desk', paise(2_00), 'pay_1-3')],
    );
  });
  test('of a partial payment does not count against the order, which is paid when all of it is paid', () => {
    const back = refundRequested('excess', half, 'pay_1-1');
    expectDecision(payment, [captured(half)], refund({ amount: half, reason: 'A reason' }), [back]);
    expectDecision(payment, [captured(half), back], capture({ payment: 'pay_2' }), [captured(price, 'pay_2')]);
  });
  test('of a cancelled order counts against it', () => {
    const given = [captured(), cancelRefund(), refundRefused(true)];
    const asked = refundRequested('desk', price, 'pay_1-2');
    const decided = payment.decide(paymentAfter(...given), refund({ bill: cancelledPrepaid, amount: price, reason: 'A reason' }));
    expect(decided).toEqual({ ok: true, events: [asked] });
    expect(paymentStatus(cancelledPrepaid, paymentAfter(...given, asked, refundSettled('pay_1-2')))).toBe('refunded');
  });
  test('never exceeds what was paid, less the refunds under way', () =>
    expectDecision(payment, [captured(), refundRequested('desk', paise(100_00))], refund({ amount: price }), {
      code: 'more_than_was_paid',
      left: paise(price - 100_00),
    }));
  test('that was given up, repeated and settled after all leaves nothing to refund', () => {
    const anew = [refundRefused(true), refundRequested('desk', price, 'pay_1-2'), refundSettled()];
    expect(refundable(paymentAfter(captured(), refundRequested('desk'), ...anew))).toBe(0);
  });
  test('of an excess that was given up, repeated and settled after all leaves the order paid', () => {
    const more = paise(price + 1_00);
    const anew = [excessRefund(paise(1_00), 'pay_1-2'), refundSettled('pay_1-2'), refundSettled()];
    const history = [captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRefused(true), ...anew];
    expect(statusAfter(...history)).toBe('paid');
    expect(isPaidFor(paymentAfter(...history))).toBe(true);
    expect(refundable(paymentAfter(...history))).toBe(price - 1_00);
  });
  test('that was given up leaves a cancelled order cancelled, and an order with payment on delivery unpaid', () => {
    const history = [captured(half), excessRefund(half, 'pay_1-1'), refundRefused(true)];
    expect(statusAfter(...history)).toBe('due');
    expect(paymentStatus(cancelledPrepaid, paymentAfter(...history))).toBe('cancelled');
    expect(paymentStatus(delivery, paymentAfter(...history))).toBe('on_delivery');
  });
  test('that was given up is no mismatch any more once the same amount was refunded later', () => {
    const mismatch = { kind: 'refund_refused', refund: 'pay_1-1', amount: paise(2_00), why: 'No funds' } as const;
    const found = mismatchFound(mismatch);
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
  test('of two payments is two refunds, the newer payment first', () =>
    expectDecision(payment, [captured(half), captured(half, 'pay_2')], refund({ amount: paise(half + 1_00), reason: 'A reason' }), [
      refundRequested('desk', half, 'pay_2-1'),
      refundRequested('desk', paise(1_00), 'pay_1-1'),
    ]));
  test.each([[''], [' '], ['x'.repeat(501)]])('needs a reason', (reason) =>
    expectDecision(payment, [captured()], refund({ reason }), { code: 'refund_reason_invalid', most: 500 }),
  );
  test('has a reason of at most 500 characters', () => {
    const reason = 'x'.repeat(500);
    expectDecision(payment, [captured()], refund({ reason }), [refundRequested('desk', paise(100_00), 'pay_1-1', reason)]);
  });
  test('for an erased shopper keeps no reason', () => {
    const asked = refundRequested('desk', paise(100_00), 'pay_1-1', '');
    expectDecision(payment, [captured()], refund({ reason: null }), [asked]);
    expect(viewPayment(prepaid, paymentAfter(captured(), asked)).refunds[0]?.reason).toBe('erased');
  });
  const settle = { type: 'SettleRefund', refund: 'pay_1-1', now: paidAt } as const;
  testDecisions(payment, [
    ['is settled', [captured(), refundRequested('desk')], settle, [refundSettled()]],
    ['is settled once', [captured(), refundRequested('desk'), refundSettled()], settle, []],
    ['that nobody requested is not settled', [captured()], settle, []],
  ]);
  test('that the gateway refuses is tried three more times, and is then a mismatch', () => {
    const refuse = { type: 'RefuseRefund', refund: 'pay_1-1', why: 'No funds', now: paidAt } as const;
    const before = [captured(), refundRequested('desk')];
    expectDecision(payment, before, refuse, [refundRefused()]);
    const thrice = [...before, refundRefused(), refundRefused(), refundRefused()];
    const mismatch = { kind: 'refund_refused', refund: 'pay_1-1', amount: price, why: 'No funds' } as const;
    const last = [refundRefused(true), mismatchFound(mismatch)] as const;
    expectDecision(payment, thrice, refuse, last);
    expectDecision(payment, [...thrice, ...last], refuse, []);
    const after = paymentAfter(...thrice, ...last);
    expect({ status: paymentStatus(prepaid, after), left: refundable(after), mismatches: after.mismatches }).toEqual({
      status: 'paid',
      left: price,
      mismatches: [mismatch],
    });
    expect(paymentAfter(...thrice, ...last, refundSettled()).mismatches).toEqual([]);
  });
});

describe('a refund at the gateway itself', () => {
  const tell = (amount = price, changes: Partial<ReportRefund> = {}) =>
    ({ type: 'ReportRefund', bill: prepaid, payment: 'pay_1', refund: 'rfnd_1', reference: '', amount, now: paidAt, ...changes }) as const;
  const gone = (kind: 'desk' | 'excess', amount = price, refund = 'rfnd_1', from = 'pay_1'): readonly PaymentEvent[] => [
    {
      type: 'RefundRequested',
      data: {
        payment: from,
        shopper: meera,
        reason: NO_TEXT,
        requestedAt: paidAt,
        isElsewhere: true,
        refund,
        amount,
        kind,
      },
    },
    refundSettled(refund),
  ];
  const found = (amount = price, refund = 'rfnd_1') => mismatchFound({ kind: 'refunded_elsewhere', refund, amount });
  const givenUp = (refund: string): PaymentEvent => ({
    type: 'RefundRefused',
    data: { refund, why: expect.stringContaining('Too little is left') as string, isLast: true, refusedAt: paidAt },
  });
  const more = paise(price + 1_00);

  testDecisions(payment, [
    ['counts as settled, beside a mismatch', [captured()], tell(), [...gone('desk'), found()]],
    ['counts once, however often it is told', [captured(), ...gone('desk'), found()], tell(), []],
    [
      'counts once for each of its parts',
      [captured(), ...gone('desk', half), found(half)],
      tell(half, { refund: 'rfnd_2' }),
      [...gone('desk', half, 'rfnd_2'), found(half, 'rfnd_2')],
    ],
    [
      'is the one that the shop asked for, if it has its reference',
      [captured(), refundRequested('desk')],
      tell(price, { reference: 'pay_1-1' }),
      [refundSettled()],
    ],
    [
      'of what was paid too much leaves the order paid',
      [captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRefused(true)],
      tell(paise(1_00)),
      [...gone('excess', paise(1_00)), found(paise(1_00))],
    ],
    [
      'of what was paid too much and a part of the rest is two refunds',
      [captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRefused(true)],
      tell(paise(3_00)),
      [...gone('excess', paise(1_00)), ...gone('desk', paise(2_00), 'rfnd_1-2', 'pay_1'), found(paise(3_00))],
    ],
    [
      'of a second payment takes the place of the refund that was under way',
      [captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1')],
      tell(price, { payment: 'pay_2' }),
      [givenUp('pay_2-1'), ...gone('excess', price, 'rfnd_1', 'pay_2'), found()],
    ],
    [
      'leaves what cancelling still returns',
      [captured(), cancelRefund()],
      tell(half, { bill: cancelledPrepaid }),
      [givenUp('pay_1-1'), ...gone('desk', half), found(half), cancelRefund(half, 'pay_1-3')],
    ],
    [
      'leaves the desk to ask for the rest of what it wanted',
      [captured(), refundRequested('desk')],
      tell(half),
      [
        givenUp('pay_1-1'),
        ...gone('desk', half),
        found(half),
        mismatchFound({ kind: 'refund_refused', refund: 'pay_1-1', amount: price, why: expect.stringContaining('Too little') as string }),
      ],
    ],
    [
      'gives up the later one of two refunds that fit only one by one',
      [captured(more), excessRefund(paise(1_00), 'pay_1-1'), refundRequested('desk', paise(2_00), 'pay_1-2')],
      tell(paise(price - 1_00)),
      [
        givenUp('pay_1-2'),
        ...gone('desk', paise(price - 1_00)),
        found(paise(price - 1_00)),
        mismatchFound({
          kind: 'refund_refused',
          refund: 'pay_1-2',
          amount: paise(2_00),
          why: expect.stringContaining('Too little') as string,
        }),
      ],
    ],
  ]);

  test('is seen in status, sums, limit, what cancelling returns and what may ship', () => {
    const parts = [captured(), ...gone('desk', half), found(half)];
    const part = paymentAfter(...parts);
    expect([paymentStatus(prepaid, part), isPaidFor(part), refundable(part)]).toEqual(['partly_refunded', true, price - half]);
    expectDecision(payment, parts, refund({ amount: price }), { code: 'more_than_was_paid', left: paise(price - half) });
    const cancelling = { type: 'RefundExcess', bill: cancelledPrepaid, now: paidAt } as const;
    expectDecision(payment, parts, cancelling, [cancelRefund(half, 'pay_1-2')]);
    const whole = paymentAfter(captured(), ...gone('desk'), found());
    expect([isPaidFor(whole), refundable(whole)]).toEqual([false, 0]);
    expect(viewPayment(prepaid, whole)).toMatchObject({
      status: 'refunded',
      refunded: rupees(price),
      refunds: [{ _id: 'rfnd_1', amount: rupees(price), reason: 'Refunded at the gateway', status: 'settled', at: paidAt }],
    });
  });
  test('that takes the place of another leaves no mismatch about it, and every other payment can be refunded', () => {
    const twice = [captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1')];
    const decided = payment.decide(paymentAfter(...twice), tell(price, { payment: 'pay_2' }));
    const after = paymentAfter(...twice, ...(decided.ok ? decided.events : []));
    expect([paymentStatus(prepaid, after), refundable(after), after.mismatches.map(({ kind }) => kind)]).toEqual([
      'paid',
      price,
      ['refunded_elsewhere'],
    ]);
  });
});

describe('a move of the order and a full refund exclude each other:', () => {
  const begun: PaymentEvent = { type: 'MoveBegun', data: { move: 'm', begunAt: paidAt } };
  const later = instant('2026-11-14T08:00:01.000Z');
  const ended: PaymentEvent = { type: 'MoveEnded', data: { move: 'm', endedAt: later } };
  const begin = { type: 'BeginMove', move: 'm', now: paidAt } as const;
  const end = { type: 'EndMove', move: 'm', now: later } as const;
  const whole = (askedAt = paidAt) => refund({ amount: price, askedAt });
  const moving = { code: 'order_moving' } as const;
  testDecisions(payment, [
    ['it is begun once the order is paid', [captured()], begin, [begun]],
    ['not before', [captured(half)], begin, { code: 'order_not_paid' }],
    ['nor after a full refund', [captured(), refundRequested('desk')], begin, { code: 'order_refunded' }],
    ['one that was given up does not hold it', [captured(), refundRequested('desk'), refundRefused(true)], begin, [begun]],
    ['a full refund waits for its end', [captured(), begun], whole(), moving],
    ['so does the rest of one', [captured(), refundRequested('desk', paise(price - 100_00)), begun], refund(), moving],
    ['it was asked for before the end', [captured(), begun, ended], whole(), moving],
    [
      'it was asked for afterwards',
      [captured(), begun, ended],
      whole(later),
      [refundRequested('desk', price, 'pay_1-1', 'A broken bottle')],
    ],
    ['another move is under way', [captured(), begun, { ...begun, data: { ...begun.data, move: 'n' } }, ended], whole(later), moving],
    ['a part does not matter', [captured(), begun], refund(), [refundRequested('desk', paise(100_00), 'pay_1-1', 'A broken bottle')]],
    ['it ends', [captured(), begun], end, [ended]],
    ['it ends once', [captured(), begun, ended], end, []],
  ]);
});

describe('cash', () => {
  const mismatch = { kind: 'cash_differs', amount: half, expected: price } as const;
  const notDelivered = collect(price, computeBill(orderAfter(created(), placed('COD'))));
  testDecisions(payment, [
    ['is collected', [], collect(), [collected()]],
    ['is collected once', [collected()], collect(half), []],
    ['of another amount is a mismatch', [], collect(half), [collected(half), mismatchFound(mismatch)]],
    ['is collected only for delivered orders', [], notDelivered, { code: 'not_delivered' }],
    ['is collected only for orders with payment on delivery', [], collect(price, prepaid), { code: 'not_paid_on_delivery' }],
  ]);
  test('is shown as the method of payment', () =>
    expect(viewPayment(delivery, paymentAfter(collected()))).toMatchObject({ status: 'collected', method: 'cash', refunded: 0 }));
});

describe('what came back is refunded', () => {
  const sentBack = orderAfter(...historyOf.delivered, returnRequested({ value: paise(4_071_00) }), returnDecided(), returnReceived());
  const bill = computeBill(sentBack);
  const settle = { type: 'RefundExcess', bill, now: paidAt } as const;
  const back = (amount: number, id = 'pay_1-1') => refundRequested('returned', paise(amount), id, '', { return: 1 });
  const inCash = back(4_071_00, 'cash-1');
  const sent = (reference: string, amount?: Paise) => ({ type: 'SettleCashRefund', bill, reference, amount, now: paidAt }) as const;
  const noted = { type: 'RefundSettled', data: { refund: 'cash-1', settledAt: paidAt, reference: 'UTR 1' } } as const;
  const later = refundRequested('desk', paise(4_071_00), 'cash-2');
  const notedLater = { type: 'RefundSettled', data: { refund: 'cash-2', settledAt: paidAt, reference: 'UTR 2' } } as const;
  testDecisions(payment, [
    ['the way it came', [captured()], { ...settle, bill: { ...bill, method: 'Prepaid' } }, [back(4_071_00)]],
    ['once', [captured(), back(4_071_00)], { ...settle, bill: { ...bill, method: 'Prepaid' } }, []],
    [
      'at most what is left of it',
      [captured(), refundRequested('desk', paise(10_000_00))],
      { ...settle, bill: { ...bill, method: 'Prepaid' } },
      [back(1_033_00, 'pay_1-2')],
    ],
    ['not if it was never paid', [], settle, []],
    ['in cash that was collected', [collected()], settle, [inCash]],
    ['in cash at most as much as was collected', [collected(paise(50_00))], settle, [back(50_00, 'cash-1')]],
    ['and the transfer is noted', [collected(), inCash], sent('UTR 1'), [noted]],
    ['and noted once', [collected(), inCash, noted], sent('UTR 1'), []],
    ['and nothing else is', [collected(), inCash, noted], sent('UTR 2'), { code: 'no_cash_refund' }],
    ['and nothing without a refund', [collected()], { ...sent('UTR 1'), bill: { ...bill, returned: [] } }, { code: 'no_cash_refund' }],
    ['and nothing that was never collected', [], sent('UTR 1'), { code: 'no_cash_refund' }],
    ['and noted before the shop has requested the refund', [collected()], sent('UTR 1'), [inCash, noted]],
    ['and noted with its amount', [collected(), inCash], sent('UTR 1', paise(4_071_00)), [noted]],
    ['and noted with its amount once', [collected(), inCash, noted], sent('UTR 1', paise(4_071_00)), []],
    ['and a transfer that is noted counts for no later refund', [collected(), inCash, noted, later], sent('UTR 1', paise(4_071_00)), []],
    ['whose amount nobody names', [collected(), inCash, noted, later], sent('UTR 1'), []],
    ['which another transfer settles', [collected(), inCash, noted, later], sent('UTR 2'), [notedLater]],
    [
      'but not with the amount that went before bottles came back',
      [collected(), refundRequested('desk', paise(500_00), 'cash-1')],
      sent('UTR 1', paise(500_00)),
      { code: 'cash_refund_differs', open: paise(4_571_00), sent: paise(500_00) },
    ],
    [
      'and the desk may refund the rest of the cash',
      [collected(), inCash],
      refund({ amount: paise(6_962_00) }),
      [refundRequested('desk', paise(6_962_00), 'cash-2', 'A broken bottle')],
    ],
    ['but no more', [collected(), inCash], refund({ amount: paise(6_962_01) }), { code: 'more_than_was_paid', left: paise(6_962_00) }],
  ]);
  test('and the payment says so', () => {
    const statuses = [[], [inCash], [inCash, noted], [refundRequested('desk', price, 'cash-1'), noted]].map((events) =>
      paymentStatus(bill, paymentAfter(collected(), ...events)),
    );
    expect(statuses).toEqual(['collected', 'refunding', 'partly_refunded', 'refunded']);
    expect(viewPayment(bill, paymentAfter(collected(), inCash, noted))).toMatchObject({
      refunded: 4071,
      refunds: [{ _id: 'cash-1', reason: 'Bottles came back', status: 'settled', reference: 'UTR 1', return: 1 }],
    });
  });
});

const desk = (amount: number, id?: string) => refundRequested('desk', paise(amount), id);
test.each<readonly [string, readonly PaymentEvent[], Bill, Paise]>([
  ['nothing before anything came', [], prepaid, ZERO],
  ['too little that came', [captured(half)], prepaid, half],
  ['what is left after a refund', [captured(), desk(541_00), refundSettled()], prepaid, paise(price - 541_00)],
  ['what is left beside one under way', [captured(), desk(541_00)], prepaid, paise(price - 541_00)],
  ['what was given up', [captured(), desk(541_00), refundRefused(true)], prepaid, price],
  ['all of an order whose excess was refunded', [captured(), captured(price, 'pay_2'), excessRefund(price, 'pay_2-1')], prepaid, price],
  ['nothing after all of it', [captured(), refundRequested('desk')], prepaid, ZERO],
  ['less cash than the order costs', [collected(half)], delivery, half],
  ['no more cash than the order costs', [collected(paise(price + 1_00))], delivery, price],
  ['what is left of less cash', [collected(half), desk(100_00, 'cash-1')], delivery, paise(half - 100_00)],
])('can be refunded: %s', (_, events, bill, amount) => {
  const left = paymentAfter(...events);
  expect(viewPayment(bill, left).refundable).toBe(rupees(amount));
  const more = refund({ bill, amount: paise(amount + 1) });
  expectDecision(payment, events, more, { code: 'more_than_was_paid', left: amount });
});

test("a refund's reason is personal data of the owner of the order", () =>
  expect(refundRequested('desk').data).toMatchObject({ shopper: meera }));

describe('the page of the gateway', () => {
  const closed = (link: string) => ({ type: 'PaymentLinkClosed', data: { link, closedAt: paidAt } }) as const;
  const close = (link: string) => ({ type: 'CloseLink', link, now: paidAt }) as const;

  testDecisions(payment, [
    ['is closed', [requested], close('link_1'), [closed('link_1')]],
    ['is closed only if it is the one that is open', [requested], close('link_2'), []],
    ['is not closed when none is open', [], close('link_1'), []],
  ]);
  test('is forgotten when it is closed', () => {
    expect(paymentAfter(requested, closed('link_2')).link).toEqual({ id: 'link_1', url: 'https://pay' });
    expect([paymentAfter(requested, closed('link_1')).link, paymentAfter(closed('link_1')).link]).toEqual([null, null]);
  });
});

describe('a payment that failed is known by its time:', () => {
  const at = (time: string) => instant(`2026-11-14T${time}:00.000Z`);
  const fail = (id: string, time: string) => ({ type: 'FailPayment', payment: id, why: 'Declined', at: at(time) }) as const;
  const failed = (id: string, time: string): PaymentEvent => ({
    type: 'PaymentFailed',
    data: { payment: id, why: 'Declined', failedAt: at(time) },
  });
  const two = [failed('pay_2', '08:00'), failed('pay_3', '08:01')];
  testDecisions(payment, [
    ['one before the money came is no news', [captured()], fail('pay_2', '07:59'), []],
    ['one since then is news', [captured()], fail('pay_2', '08:00'), [failed('pay_2', '08:00')]],
    ['another of the same time is no news', [failed('pay_2', '08:00')], fail('pay_3', '08:00'), []],
    ['the same at a later time is no news', [failed('pay_2', '08:00')], fail('pay_2', '08:01'), []],
    ['another of a later time is news', [failed('pay_2', '08:00')], fail('pay_3', '08:01'), [failed('pay_3', '08:01')]],
    ['the older of two is listed again by the gateway', two, fail('pay_2', '08:00'), []],
    ['so is the newer of two', two, fail('pay_3', '08:01'), []],
  ]);
});

test('cash is shown with its time, and an event of a later release changes nothing', () => {
  const amount = rupees(price);
  const paid = { status: 'collected', amount, method: 'cash', paidAt, refunded: 0, refundable: amount, refunds: [] };
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
  expect(mismatchText({ kind: 'refunded_elsewhere', refund: 'rfnd_1', amount: price })).toBe(
    '₹11,033.00 were refunded at the gateway itself, as rfnd_1',
  );
});

test('an order has a sentence for each mismatch, the gravest first', () => {
  const elsewhere = { kind: 'refunded_elsewhere', refund: 'rfnd_1', amount: half } as const;
  const refused = { kind: 'refund_refused', refund: 'pay_1-1', amount: half, why: 'No funds.' } as const;
  expect(mismatchesText([])).toBeNull();
  expect(mismatchesText([elsewhere, refused])).toBe(
    'The gateway refused to refund ₹5,516.50: No funds. ₹5,516.50 were refunded at the gateway itself, as rfnd_1',
  );
});
