import { instant } from '#domain/shared/time.ts';
import { orderStream } from '#domain/order/order.ts';
import { anOrder, anotherOrder } from '#domain/testing/carts.ts';
import * as the from '#domain/testing/orders.ts';

import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { nthOrder } from '../testing/order-histories.ts';
import { stats } from './projector.ts';

const { cancelled, claimed, confirmed, created, delivered, placed, returned, revised, shipped, soldLines } = the;

const [oud] = soldLines;
/** `WHOLE` is ₹9,350.00 and 18% of it; `WRAPPED` is one bottle of oud with gift wrap. */
const WHOLE = 11_033_00;
const WRAPPED = 4_110_00;

/** `late` is a minute before midnight in India. */
const late = instant('2026-11-14T18:29:00.000Z');
const midnight = instant('2026-11-14T18:30:00.000Z');

const happenings: Happenings = [
  [orderStream(anOrder), created(), placed('COD', late)],
  [orderStream(anotherOrder), created(), cancelled(), created(), revised({ lines: [{ ...oud, quantity: 1 }], giftWrap: true })],
  [orderStream(nthOrder(1)), created(), placed('Prepaid', midnight), confirmed(), shipped(), delivered()],
  [orderStream(nthOrder(2)), created(), placed('COD', midnight), claimed()],
  [orderStream(anotherOrder), placed('COD', midnight)],
  [orderStream(nthOrder(1)), returned()],
  [orderStream(nthOrder(2)), cancelled()],
  [orderStream(nthOrder(3)), created()],
];

describeProjector(stats, happenings, {
  stats_orders: [
    { order_id: nthOrder(1), total: WHOLE, placed_at: midnight, sold: false },
    { order_id: nthOrder(2), total: WHOLE, placed_at: midnight, sold: false },
    { order_id: nthOrder(3), total: WHOLE, placed_at: null, sold: false },
    { order_id: anOrder, total: WHOLE, placed_at: late, sold: true },
    { order_id: anotherOrder, total: WRAPPED, placed_at: midnight, sold: true },
  ],
  stats_hours: [{ hour: '2026-11-14T18', orders: 4, sales: WHOLE + WRAPPED }],
  stats_days: [
    { day: '2026-11-14', orders: 1, sales: WHOLE },
    { day: '2026-11-15', orders: 3, sales: WRAPPED },
  ],
  stats_ever: [{ which: 'ever', orders: 4, sales: WHOLE + WRAPPED }],
});
