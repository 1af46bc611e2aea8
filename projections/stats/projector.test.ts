import { expect } from 'vitest';

import { paise } from '#domain/shared/money.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { orderStream } from '#domain/order/order.ts';
import { anOrder, anotherOrder } from '#domain/testing/carts.ts';
import * as the from '#domain/testing/orders.ts';

import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { nthOrder } from '../testing/order-histories.ts';
import { stats } from './projector.ts';

const { cancelled, claimed, deliveryDay, confirmed, created, delivered, placed, returned, revised, shipped, soldLines } = the;
const { returnDecided, returnReceived, returnRequested } = the;

const [oud, gulab] = soldLines;
/** `WHOLE` is ₹9,350.00 and 18% of it; `WRAPPED` is one bottle of oud with gift wrap. */
const WHOLE = 11_033_00;
const WRAPPED = 4_110_00;
const lines = expect.stringContaining(oud.productId);
/** One bottle of oud, with its tax. */
const PART = 4_071_00;

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
  [orderStream(nthOrder(4)), created(), placed('COD', late), confirmed(), shipped(), delivered()],
  [orderStream(nthOrder(4)), returnRequested({ lines: [{ productId: oud.productId, quantity: 1 }], value: paise(PART) })],
  [orderStream(nthOrder(4)), returnDecided(), returnReceived()],
];

const kept = { returned: 0, lines, asked: null };

describeProjector(stats, happenings, {
  stats_orders: [
    { order_id: nthOrder(1), total: WHOLE, placed_at: midnight, sold: false, ...kept, returned: WHOLE },
    { order_id: nthOrder(2), total: WHOLE, placed_at: midnight, sold: false, ...kept },
    { order_id: nthOrder(3), total: WHOLE, placed_at: null, sold: false, ...kept },
    { order_id: nthOrder(4), total: WHOLE, placed_at: late, sold: true, ...kept, returned: PART },
    { order_id: anOrder, total: WHOLE, placed_at: late, sold: true, ...kept },
    { order_id: anotherOrder, total: WRAPPED, placed_at: midnight, sold: true, ...kept },
  ],
  stats_hours: [{ hour: '2026-11-14T18', orders: 5, sales: 2 * WHOLE + WRAPPED }],
  stats_days: [
    { day: '2026-11-14', orders: 2, sold: 2, sales: 2 * WHOLE, came_back: 0 },
    { day: '2026-11-15', orders: 3, sold: 1, sales: WRAPPED, came_back: 0 },
    // The whole order of an earlier release, and the bottle.
    { day: dateInIndia(deliveryDay), orders: 0, sold: 0, sales: 0, came_back: WHOLE + PART },
  ],
  stats_products: [
    ...soldLines.map(({ productId, quantity, unitPrice }) => ({
      day_product: `2026-11-14 ${productId}`,
      day: '2026-11-14',
      product_id: productId,
      bottles: 2 * quantity - (productId === oud.productId ? 1 : 0),
      sales: 2 * quantity * unitPrice - (productId === oud.productId ? unitPrice : 0),
    })),
    { day_product: `2026-11-15 ${oud.productId}`, day: '2026-11-15', product_id: oud.productId, bottles: 1, sales: oud.unitPrice },
    // All bottles of the cancelled and the returned order.
    { day_product: `2026-11-15 ${gulab.productId}`, day: '2026-11-15', product_id: gulab.productId, bottles: 0, sales: 0 },
  ],
  stats_ever: [{ which: 'ever', orders: 5, sales: 2 * WHOLE + WRAPPED }],
});
