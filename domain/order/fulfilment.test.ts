import { describe, expect, test } from 'vitest';

import { NOT_AN_EMAIL } from '../shared/email.ts';
import { NO_TEXT } from '../shared/text.ts';
import { evening, meera, ravi, visitor } from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import * as the from '../testing/orders.ts';
import { order } from './order.ts';
import { findPlaceOfSupply, orderStatuses, transitions, type OrderStatus } from './rules.ts';

const { cancel, cancelled, claim, claimed, confirmed, created, delivered, deliveryDay, emailCorrected, historyOf, home } = the;
const { moveTo, orderAfter, place, placed, shipped } = the;

const notFound = { code: 'order_not_found' } as const;

describe('correcting the e-mail address', () => {
  const correct = (email: string, reason = 'She called') => ({ type: 'CorrectEmail', email, reason, now: evening }) as const;
  const email = 'meera.nair@example.com';
  test.each(orderStatuses.filter((status) => status !== 'created'))('is possible for an order that is %s', (status) =>
    expectDecision(order, historyOf[status], correct(' Ｍeera.nair@Example.com'), [emailCorrected('Meera.nair@example.com')]),
  );
  testDecisions(order, [
    ['a draft is not corrected', [created()], correct(email), notFound],
    ['again changes nothing', [...historyOf.pending, emailCorrected()], correct(email), []],
    ['to a wrong address is refused', historyOf.pending, correct('a@b!c'), { code: 'checkout_invalid', errors: { email: NOT_AN_EMAIL } }],
    ['for a reason that is too long is refused', historyOf.pending, correct(email, 'x'.repeat(501)), { code: 'note_too_long', most: 500 }],
  ]);
  test('changes nothing else', () => {
    const { shippingAddress, ...others } = orderAfter(...historyOf.pending);
    const corrected = { ...others, shippingAddress: { ...shippingAddress, email } };
    expect(orderAfter(...historyOf.pending, emailCorrected())).toEqual(corrected);
  });
});

describe('cancelling', () => {
  test.each(['created', 'pending', 'confirmed'] as const)('is possible for the owner of an order that is %s', (status) =>
    expectDecision(order, historyOf[status], cancel({ reason: 'Ordered twice' }), [cancelled('Ordered twice')]),
  );
  test.each(['shipped', 'delivered', 'returned'] as const)('is refused for an order that is %s', (status) =>
    expectDecision(order, historyOf[status], cancel(), { code: 'illegal_transition', from: status, to: 'cancelled' }),
  );
  testDecisions(order, [
    ['again changes nothing', [created(), placed(), cancelled()], cancel(), []],
    ["another shopper's order finds no order", [created(), placed()], cancel({ by: ravi }), notFound],
  ]);
});

describe('cancelling an unpaid order', () => {
  const cancelUnpaid = (isDue: boolean) => ({ type: 'CancelUnpaid', isDue, now: evening }) as const;
  const prepaid = [created(), placed('Prepaid')];

  testDecisions(order, [
    ['changes nothing if it was paid meanwhile', prepaid, cancelUnpaid(false), []],
    ['leaves a checkout', [created()], cancelUnpaid(true), []],
    ['leaves one that staff have begun to work on', [...prepaid, confirmed()], cancelUnpaid(true), []],
    ['leaves one that is paid on delivery', historyOf.pending, cancelUnpaid(true), []],
    ['leaves none', [], cancelUnpaid(true), []],
  ]);
  test('succeeds while payment is due, which the history names', () => {
    const unpaid = { type: 'OrderCancelled', data: { shopper: meera, reason: NO_TEXT, cancelledAt: evening, because: 'unpaid' } } as const;
    expectDecision(order, prepaid, cancelUnpaid(true), [unpaid]);
    expect([unpaid, cancelled('No')].map((event) => orderAfter(...prepaid, event).history.at(-1)?.note)).toEqual([
      'It was not paid in time',
      'No',
    ]);
  });
});

describe('of an erased shopper', () => {
  const cancelErased = { type: 'CancelErased', now: evening } as const;
  const gone = { type: 'OrderCancelled', data: { shopper: meera, reason: NO_TEXT, cancelledAt: evening, because: 'erased' } } as const;
  const refused = { code: 'shopper_erased' } as const;
  test.each(orderStatuses)('the shop cancels what has not shipped: %s', (status) =>
    expectDecision(order, historyOf[status], cancelErased, status === 'pending' || status === 'confirmed' ? [gone] : []),
  );
  testDecisions(order, [
    ['no order is confirmed', historyOf.pending, moveTo('confirmed', { isErased: true }), refused],
    ['no order is shipped', historyOf.confirmed, moveTo('shipped', { isErased: true }), refused],
    ['an order is cancelled', historyOf.confirmed, moveTo('cancelled', { isErased: true }), [cancelled()]],
    ['a parcel arrives', historyOf.shipped, moveTo('delivered', { isErased: true, now: deliveryDay }), [delivered()]],
  ]);
});

describe('staff confirm and ship a prepaid order only when it is paid:', () => {
  const prepaid = [created(), placed('Prepaid')];
  const unpaid = { code: 'order_not_paid' } as const;
  const refunded = { code: 'order_refunded' } as const;
  testDecisions(order, [
    ['it is not confirmed unpaid', prepaid, moveTo('confirmed', { unpaid }), unpaid],
    ['it is confirmed when it is paid', prepaid, moveTo('confirmed'), [confirmed()]],
    ['it is cancelled unpaid', prepaid, moveTo('cancelled', { unpaid }), [cancelled()]],
    ['one that is paid on delivery is confirmed unpaid', historyOf.pending, moveTo('confirmed', { unpaid }), [confirmed()]],
    ['it is not confirmed after it was refunded', prepaid, moveTo('confirmed', { unpaid: refunded }), refunded],
    ['it is not shipped unpaid', [...prepaid, confirmed()], moveTo('shipped', { unpaid }), unpaid],
  ]);
});

describe('a move that was begun and did not come is given up', () => {
  const abandoned = { type: 'MoveAbandoned', data: { abandonedAt: evening } } as const;
  testDecisions(order, [
    ['before the order is confirmed', historyOf.pending, { type: 'AbandonMove', now: evening }, [abandoned]],
    ['before the order is shipped', historyOf.confirmed, { type: 'AbandonMove', now: evening }, [abandoned]],
    ['unless it came', historyOf.shipped, { type: 'AbandonMove', now: evening }, []],
  ]);
  test('and changes nothing', () => expect(orderAfter(...historyOf.confirmed, abandoned)).toEqual(orderAfter(...historyOf.confirmed)));
});

describe('staff may name the state of delivery when they ship:', () => {
  const placeOfSupply = 'Kerala' as const;
  testDecisions(order, [
    ['it is recorded', historyOf.confirmed, moveTo('shipped', { placeOfSupply }), [shipped('', evening, { placeOfSupply })]],
    ['no other move records it', historyOf.pending, moveTo('confirmed', { placeOfSupply }), [confirmed()]],
  ]);
  test('it counts more than the address', () => {
    const utopia = { ...home, state: 'Utopia' };
    for (const shippingAddress of [utopia, { ...home, state: 'Goa' }]) {
      const before = [created({ shippingAddress }), placed(), confirmed()];
      expect(findPlaceOfSupply(orderAfter(...before, shipped('', evening, { placeOfSupply }), delivered()))).toBe(placeOfSupply);
    }
  });
});

describe('500 characters are the most', () => {
  const text = 'x'.repeat(500);
  const tooLong = { code: 'note_too_long', most: 500 } as const;
  testDecisions(order, [
    ['for a note of staff', historyOf.pending, moveTo('confirmed', { note: text }), [confirmed(text)]],
    ['for the reason of a cancellation', historyOf.pending, cancel({ reason: text }), [cancelled(text)]],
    ['so that a longer note is refused', historyOf.pending, moveTo('confirmed', { note: `${text}x` }), tooLong],
    ['so that a longer reason to cancel is refused', historyOf.pending, cancel({ reason: `${text}x` }), tooLong],
  ]);
});

describe("staff change an order's status", () => {
  testDecisions(order, [
    ['to confirmed, with a note', historyOf.pending, moveTo('confirmed', { note: 'By telephone' }), [confirmed('By telephone')]],
    ['to shipped, with a note', historyOf.confirmed, moveTo('shipped', { note: 'Waybill 7719' }), [shipped('Waybill 7719')]],
    ['to delivered', historyOf.shipped, moveTo('delivered', { now: deliveryDay }), [delivered()]],
    ['to cancelled', historyOf.confirmed, moveTo('cancelled', { note: 'Lost' }), [cancelled('Lost')]],
    ['unless the order is unknown', [], moveTo('confirmed'), notFound],
  ]);

  /** Staff do not set these. */
  const notTheirs: ReadonlySet<OrderStatus> = new Set(['created', 'pending', 'returned']);
  const moves = orderStatuses.flatMap((from) => orderStatuses.map((to) => ({ from, to })));
  const illegal = moves.filter(({ from, to }) => !transitions[from].includes(to) || notTheirs.has(to));

  test.each(illegal)('but not from $from to $to', ({ from, to }) =>
    expectDecision(order, historyOf[from], moveTo(to), { code: 'illegal_transition', from, to }),
  );
  test('the builders of the tests give the status that they name', () =>
    orderStatuses.forEach((status) => expect(orderAfter(...historyOf[status]).status).toBe(status)));
});

describe('when a visitor signs in', () => {
  const theirs = created({ shopper: visitor });

  test('their order becomes the user’s', () => {
    expectDecision(order, [theirs, placed()], claim(), [claimed()]);
    expectDecision(order, [theirs, claimed()], place(), [placed()]);
  });
  testDecisions(order, [
    ['it is no longer the visitor’s', [theirs, claimed()], cancel({ by: visitor }), notFound],
    ['claiming it again changes nothing', [theirs, claimed()], claim(), []],
    ['no other user can claim the order afterwards', [theirs, claimed()], claim({ by: ravi }), notFound],
    ['orders of other visitors are not changed', [created({ shopper: ravi })], claim(), notFound],
    ['later personal data are encrypted with the user’s key', [theirs, claimed()], cancel(), [cancelled('', evening)]],
  ]);
  test('the order still names the cart it came from', () =>
    expect(orderAfter(theirs, claimed())).toMatchObject({ shopper: meera, cart: visitor }));
});
