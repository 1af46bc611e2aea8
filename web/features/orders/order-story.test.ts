import { expect, test } from 'vitest';
import { mapShipping } from '#domain/order/checkout.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { paise } from '#domain/shared/money.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { instant } from '#domain/shared/time.ts';
import { personalText } from '#domain/shared/text.ts';
import { cancelled, confirmed, created, delivered, parcel, placed, shipped } from '#domain/testing/orders.ts';
import { returnDecided, returnReceived, returnRequested, soldLines } from '#domain/testing/orders.ts';
import { captured, refundRequested, refundSettled } from '#domain/testing/payments.ts';
import { tellOrder } from './order-story.ts';
import type { OrderView } from '#domain/order/view.ts';
import { answered, orderThatIs, prepaidOrder } from './testing/sample-orders.ts';

const now = instant('2026-11-20T10:00:00.000Z');
const MAILED = 'An e-mail was sent to meera@example.com.';
const CASH = 'Please have ₹11,033.00 ready when the courier comes.';
const ARRIVES = 'It should be at your door between 19 Nov and 21 Nov.';
const TAKES = 'usually within 7–10 business days';

const paidAndDelivered = (since: readonly OrderEvent[], ...refunds: readonly PaymentEvent[]): OrderView =>
  prepaidOrder([captured(), ...refunds], confirmed(), shipped(), delivered(), ...since);
const asked = returnRequested({ lines: soldLines.map(({ productId }) => ({ productId, quantity: 1 })), value: paise(6_962_00) });
const pageOpened: PaymentEvent = {
  type: 'PaymentRequested',
  data: { link: 'plink_1', url: 'https://pay.example/1', total: paise(11_033_00), requestedAt: now },
};
const ofReturn = (amount: number, nth = 1) => refundRequested('returned', paise(amount), `pay_1-${nth}`, '', { return: 1 });
const WHAT = '1 × Oud Saffron Majlis and 1 × Ruh Gulab';

/** The steps are those up to now, then those to come. */
test.each<[string, OrderView, string, string, string, string]>([
  [
    'just placed, cash',
    orderThatIs('pending'),
    'Order Confirmed',
    `${MAILED} ${CASH}`,
    'wait',
    'Order Confirmed | Being packed, On its way, Delivered',
  ],
  [
    'due',
    prepaidOrder(),
    'One step left',
    `Pay ₹11,033.00 and the packing begins. Your order is kept for you until 15 Nov, 12:00. ${MAILED}`,
    'pay',
    'Order Confirmed, Payment | Being packed, On its way, Delivered',
  ],
  ['paid', prepaidOrder([captured()]), 'Order Confirmed', MAILED, 'wait', 'Order Confirmed, Paid | Being packed, On its way, Delivered'],
  [
    'whose shopper is erased',
    { ...orderThatIs('pending'), shippingAddress: mapShipping(() => personalText('erased')) },
    'Order Confirmed',
    CASH,
    'wait',
    'Order Confirmed | Being packed, On its way, Delivered',
  ],
  [
    'confirmed',
    prepaidOrder([captured()], confirmed()),
    'Being packed',
    `Your perfumes are being packed. ${ARRIVES}`,
    'wait',
    'Order Confirmed, Paid, Being packed | On its way, Delivered',
  ],
  [
    'shipped with a link',
    answered(created(), placed(), confirmed(), shipped('', undefined, parcel)),
    'On its way',
    `Blue Dart has had it since 14 Nov 2026. ${ARRIVES} ${CASH}`,
    'track',
    'Order Confirmed, Being packed, On its way | Delivered',
  ],
  [
    'shipped without a link',
    prepaidOrder([captured()], confirmed(), shipped()),
    'On its way',
    `The courier has had it since 14 Nov 2026. ${ARRIVES}`,
    'wait',
    'Order Confirmed, Paid, Being packed, On its way | Delivered',
  ],
  [
    'delivered',
    prepaidOrder([captured()], confirmed(), shipped(), delivered()),
    'Delivered',
    'Handed over on 17 Nov 2026, 14:30. What stays unopened may come back until 1 Dec.',
    'buy again',
    'Order Confirmed, Paid, Being packed, On its way, Delivered | ',
  ],
  [
    'that shall come back',
    paidAndDelivered([asked]),
    'We have your wish',
    `You asked on 17 Nov 2026 to send back ${WHAT}. We answer by e-mail. ₹6,962.00 goes back to you once it has come.`,
    'wait',
    'Return asked for | Accepted, Received, Refunded',
  ],
  [
    'that may come back',
    paidAndDelivered([asked, returnDecided()]),
    'Your return is on its way back',
    `Accepted on 17 Nov 2026. Send ${WHAT}, unopened, to the address given here. ₹6,962.00 goes back to you once it has come.`,
    'send back',
    'Return asked for, Accepted | Received, Refunded',
  ],
  [
    'that shall come back after a part was refunded',
    paidAndDelivered([asked], refundRequested('desk', paise(10_000_00)), refundSettled()),
    'We have your wish',
    `You asked on 17 Nov 2026 to send back ${WHAT}. We answer by e-mail. ₹1,033.00 goes back to you once it has come.`,
    'wait',
    'Return asked for | Accepted, Received, Refunded',
  ],
  [
    'that came back',
    paidAndDelivered([asked, returnDecided(), returnReceived()], refundRequested('desk')),
    'Your return has come',
    `${WHAT} came on 17 Nov 2026. ₹11,033.00 is on its way back to you, ${TAKES}.`,
    'buy again',
    'Return asked for, Accepted, Received | Refunded',
  ],
  [
    'that came back before the cash did',
    answered(created(), placed(), confirmed(), shipped(), delivered(), asked, returnDecided(), returnReceived()),
    'Your return has come',
    `${WHAT} came on 17 Nov 2026. What you paid in cash goes back by bank or UPI transfer: please answer our e-mail with your UPI ID or bank account.`,
    'buy again',
    'Return asked for, Accepted, Received | Refunded',
  ],
  [
    'that may not come back',
    paidAndDelivered([asked, returnDecided('refused', 'The seal is broken')]),
    'Delivered',
    `Handed over on 17 Nov 2026, 14:30. We cannot take ${WHAT} back: The seal is broken`,
    'buy again',
    'Order Confirmed, Paid, Being packed, On its way, Delivered | ',
  ],
  [
    'that came back in an earlier release',
    orderThatIs('returned'),
    'Your return has come',
    'Since 17 Nov 2026.',
    'buy again',
    'Order Confirmed, Being packed, On its way, Delivered, Returned | ',
  ],
  [
    'cancelled before it was paid',
    prepaidOrder([], cancelled()),
    'Cancelled',
    'Cancelled on 14 Nov 2026. Nothing is to be paid.',
    'buy again',
    'Order Confirmed, Cancelled | ',
  ],
  [
    'cancelled, with its money going back',
    prepaidOrder([captured(), refundRequested('cancelled')], cancelled()),
    'Cancelled',
    `Cancelled on 14 Nov 2026. ₹11,033.00 is on its way back to you, ${TAKES}.`,
    'buy again',
    'Order Confirmed, Paid, Cancelled | Refunded',
  ],
  [
    'cancelled after a part was paid',
    prepaidOrder([pageOpened, captured(paise(4_000_00)), refundRequested('cancelled', paise(4_000_00))], cancelled()),
    'Cancelled',
    `Cancelled on 14 Nov 2026. ₹4,000.00 is on its way back to you, ${TAKES}.`,
    'buy again',
    'Order Confirmed, Cancelled | ',
  ],
  [
    'cancelled and refunded',
    prepaidOrder([captured(), refundRequested('cancelled'), refundSettled()], cancelled()),
    'Cancelled',
    'Cancelled on 14 Nov 2026. ₹11,033.00 went back to you.',
    'buy again',
    'Order Confirmed, Paid, Cancelled, Refunded | ',
  ],
])('an order %s', (_, order, title, lead, deed, steps) => {
  const story = tellOrder(order, now, 1_440);
  const list = (some: typeof story.steps): string => some.map((step) => step.title).join(', ');
  expect(story).toMatchObject({ title, lead, deed });
  expect(`${list(story.steps.slice(0, story.here + 1))} | ${list(story.steps.slice(story.here + 1))}`).toBe(steps);
});

const cameBack = [asked, returnDecided(), returnReceived()];
test.each([
  ['its value', paidAndDelivered(cameBack, ofReturn(6_962_00)), '₹6,962.00 by UPI'],
  ['what is left after a refund by the desk', paidAndDelivered([asked], refundRequested('desk', paise(10_000_00))), '₹1,033.00 by UPI'],
  [
    'what went back after it',
    paidAndDelivered(cameBack, refundRequested('desk', paise(10_000_00)), ofReturn(1_033_00, 2)),
    '₹1,033.00 by UPI',
  ],
  ['the cash that the courier has', answered(created(), placed(), confirmed(), shipped(), delivered(), asked), '₹6,962.00'],
])('the last step of a return names %s', (_, order, detail) =>
  expect(tellOrder(order, now).steps.at(-1)).toMatchObject({ title: 'Refunded', detail }),
);

test('the last step of a return has no sum if all was refunded before', () => {
  const { steps, here } = tellOrder(paidAndDelivered(cameBack, refundRequested('desk'), refundSettled()), now);
  expect([steps.at(-1), here]).toEqual([{ title: 'Refunded', detail: '' }, 3]);
});
