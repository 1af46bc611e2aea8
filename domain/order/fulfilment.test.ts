import { describe, expect, test } from 'vitest';

import { NO_TEXT } from '../shared/text.ts';
import { dateInIndia, daysLater, instant } from '../shared/time.ts';
import { evening, meera, ravi, visitor } from '../testing/carts.ts';
import { given } from '../testing/given.ts';
import {
  cancel,
  cancelled,
  claim,
  claimed,
  confirmed,
  created,
  delivered,
  deliveryDay,
  giveBack,
  historyOf,
  moveTo,
  orderAfter,
  place,
  placed,
  returned,
  shipped,
} from '../testing/orders.ts';
import { order } from './order.ts';
import { orderStatuses, transitions, type OrderStatus } from './rules.ts';

const policy = 'You may return an unopened bottle within 14 days of delivery.';
const lastDay = dateInIndia(instant('2026-12-01T06:00:00.000Z'));
const notFound = { code: 'order_not_found' } as const;

describe('cancelling', () => {
  test.each(['created', 'pending', 'confirmed'] as const)('is possible for the owner of an order that is %s', (status) =>
    given(order, ...historyOf[status])
      .when(cancel({ reason: 'Ordered twice' }))
      .thenHappened(cancelled('Ordered twice')),
  );
  test.each(['shipped', 'delivered', 'returned'] as const)('is refused for an order that is %s', (status) =>
    given(order, ...historyOf[status])
      .when(cancel())
      .thenRejected({ code: 'illegal_transition', from: status, to: 'cancelled' }),
  );
  test('again changes nothing', () => given(order, created(), placed(), cancelled()).when(cancel()).thenNothing());
  test('accepts a reason up to a maximum length', () =>
    given(order, created())
      .when(cancel({ reason: 'x'.repeat(501) }))
      .thenRejected({ code: 'note_too_long', most: 500 }));
  test("another shopper's order finds no order", () =>
    given(order, created(), placed())
      .when(cancel({ by: ravi }))
      .thenRejected(notFound));
});

describe('cancelling an unpaid order', () => {
  const cancelUnpaid = (isDue: boolean) => ({ type: 'CancelUnpaid', isDue, now: evening }) as const;
  const prepaid = [created(), placed('Prepaid')];

  test('succeeds while payment is due', () =>
    given(order, ...prepaid)
      .when(cancelUnpaid(true))
      .thenHappened({ type: 'OrderCancelled', data: { shopper: meera, reason: NO_TEXT, cancelledAt: evening, because: 'unpaid' } }));
  test('changes nothing if it was paid meanwhile', () =>
    given(order, ...prepaid)
      .when(cancelUnpaid(false))
      .thenNothing());
  test.each([
    ['a checkout', [created()]],
    ['one that staff have begun to work on', [...prepaid, confirmed()]],
    ['one that is paid on delivery', historyOf.pending],
    ['none', []],
  ])('leaves %s', (_, history) =>
    given(order, ...history)
      .when(cancelUnpaid(true))
      .thenNothing(),
  );
});

test('staff confirm and ship a prepaid order only when it is paid', () => {
  const prepaid = [created(), placed('Prepaid')];
  const move = (to: OrderStatus, isPaid: boolean) => given(order, ...prepaid).when(moveTo(to, { isPaid }));
  move('confirmed', false).thenRejected({ code: 'order_not_paid' });
  move('confirmed', true).thenHappened(confirmed());
  move('cancelled', false).thenHappened(cancelled());
  given(order, ...historyOf.pending)
    .when(moveTo('confirmed', { isPaid: false }))
    .thenHappened(confirmed());
  given(order, ...prepaid, confirmed())
    .when(moveTo('shipped', { isPaid: false }))
    .thenRejected({ code: 'order_not_paid' });
});

test('a note and a reason have 500 characters at most', () => {
  const text = 'x'.repeat(500);
  const tooLong = { code: 'note_too_long', most: 500 } as const;
  given(order, ...historyOf.pending)
    .when(moveTo('confirmed', { note: text }))
    .thenHappened(confirmed(text));
  given(order, ...historyOf.pending)
    .when(cancel({ reason: text }))
    .thenHappened(cancelled(text));
  given(order, ...historyOf.delivered)
    .when(giveBack({ reason: text }))
    .thenHappened(returned(text));
  given(order, ...historyOf.delivered)
    .when(giveBack({ reason: `${text}x` }))
    .thenRejected(tooLong);
});

describe('returning', () => {
  test('is possible for a delivered order', () =>
    given(order, ...historyOf.delivered)
      .when(giveBack())
      .thenHappened(returned()));
  test('is possible on the fourteenth day after delivery, until midnight in India', () => {
    const lastMoment = instant('2026-12-01T18:29:59.999Z');
    given(order, ...historyOf.delivered)
      .when(giveBack({ now: lastMoment }))
      .thenHappened(returned('Not for me', lastMoment));
  });
  test.each([instant('2026-12-01T18:30:00.000Z'), daysLater(deliveryDay, 15)])(
    'is refused on the fifteenth day, with the text of the policy: %s',
    (now) =>
      given(order, ...historyOf.delivered)
        .when(giveBack({ now }))
        .thenRejected({ code: 'return_too_late', policy, lastDay }),
  );
  test('is refused after a bottle was opened, with the text of the policy', () =>
    given(order, ...historyOf.delivered)
      .when(giveBack({ opened: true }))
      .thenRejected({ code: 'bottle_opened', policy }));
  test.each(['created', 'pending', 'confirmed', 'shipped', 'cancelled'] as const)('is refused for an order that is %s', (status) =>
    given(order, ...historyOf[status])
      .when(giveBack())
      .thenRejected({ code: 'illegal_transition', from: status, to: 'returned' }),
  );
  test('again changes nothing', () =>
    given(order, ...historyOf.returned)
      .when(giveBack())
      .thenNothing());
  test("another shopper's order finds no order", () =>
    given(order, ...historyOf.delivered)
      .when(giveBack({ by: ravi }))
      .thenRejected(notFound));
});

describe("staff change an order's status", () => {
  test('from placed to delivered, with a note', () => {
    given(order, created(), placed())
      .when(moveTo('confirmed', { note: 'Confirmed by telephone' }))
      .thenHappened(confirmed('Confirmed by telephone'));
    given(order, ...historyOf.confirmed)
      .when(moveTo('shipped', { note: 'Waybill 7719 0426' }))
      .thenHappened(shipped('Waybill 7719 0426'));
    given(order, ...historyOf.shipped)
      .when(moveTo('delivered', { now: deliveryDay }))
      .thenHappened(delivered());
  });
  test('to cancelled', () =>
    given(order, ...historyOf.confirmed)
      .when(moveTo('cancelled', { note: 'Lost' }))
      .thenHappened(cancelled('Lost')));
  test('to returned within fourteen days, like a shopper', () => {
    given(order, ...historyOf.delivered)
      .when(moveTo('returned', { note: 'Not for me', now: deliveryDay }))
      .thenHappened(returned());
    given(order, ...historyOf.delivered)
      .when(moveTo('returned', { now: daysLater(deliveryDay, 15) }))
      .thenRejected({ code: 'return_too_late', policy, lastDay });
  });
  test('unless the order is unknown', () => given(order).when(moveTo('confirmed')).thenRejected(notFound));
  test('with a note up to a maximum length', () =>
    given(order, created(), placed())
      .when(moveTo('confirmed', { note: 'x'.repeat(501) }))
      .thenRejected({ code: 'note_too_long', most: 500 }));

  const shoppersOwn: ReadonlySet<OrderStatus> = new Set(['created', 'pending']);
  const moves = orderStatuses.flatMap((from) => orderStatuses.map((to) => ({ from, to })));
  const illegal = moves.filter(({ from, to }) => !transitions[from].includes(to) || shoppersOwn.has(to));

  test.each(illegal)('but not from $from to $to', ({ from, to }) =>
    given(order, ...historyOf[from])
      .when(moveTo(to))
      .thenRejected({ code: 'illegal_transition', from, to }),
  );
  test('the builders of the tests give the status that they name', () =>
    orderStatuses.forEach((status) => expect(orderAfter(...historyOf[status]).status).toBe(status)));
});

describe('when a visitor signs in', () => {
  const theirs = created({ shopper: visitor });

  test('their order becomes the user’s', () => {
    given(order, theirs, placed()).when(claim()).thenHappened(claimed());
    given(order, theirs, claimed()).when(place()).thenHappened(placed());
  });
  test('it is no longer the visitor’s', () =>
    given(order, theirs, claimed())
      .when(cancel({ by: visitor }))
      .thenRejected(notFound));
  test('claiming it again changes nothing', () => given(order, theirs, claimed()).when(claim()).thenNothing());
  test('no other user can claim the order afterwards', () =>
    given(order, theirs, claimed())
      .when(claim({ by: ravi }))
      .thenRejected(notFound));
  test('orders of other visitors are not changed', () =>
    given(order, created({ shopper: ravi }))
      .when(claim())
      .thenRejected(notFound));
  test('the order still names the cart it came from', () =>
    expect(orderAfter(theirs, claimed())).toMatchObject({ shopper: meera, cart: visitor }));
  test('later personal data are encrypted with the user’s key', () =>
    given(order, theirs, claimed()).when(cancel()).thenHappened(cancelled('', evening)));
});
