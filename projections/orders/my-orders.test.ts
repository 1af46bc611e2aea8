import { expect, test } from 'vitest';

import * as the from '#domain/testing/orders.ts';
import { anOrder, anotherOrder, evening, meera, visitor } from '#domain/testing/carts.ts';
import { orderStream } from '#domain/order/order.ts';
import { collected, paidAt, paymentAfter, price } from '#domain/testing/payments.ts';
import { orderId } from '#domain/shared/ids.ts';

import { rebuild } from '../engine/rebuild.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { myOrders } from './my-orders.ts';
import { myOrdersQueries } from './my-orders-queries.ts';

const { orderAfter, cancelled, claimed, confirmed, created, delivered, home, placed, returned, revised, shipped } = the;

const begun = [created({ shopper: visitor }), placed()] as const;
const goneOn = [claimed(), confirmed('Packed\twith \\ care'), shipped(), delivered(), returned()] as const;
/** This order was cancelled before it was placed, and created again. */
const anew = [
  created({ giftWrap: true, giftMessage: 'For “you”\n— M.', note: 'Ring “twice”' }),
  cancelled(),
  created({ createdAt: evening }),
  revised({ giftWrap: true }),
] as const;
const erased = { ...home, name: 'erased', address1: 'erased', phone: 'erased', email: 'erased' };
const forgotten = [created({ shippingAddress: erased, giftMessage: 'erased' }), placed(), cancelled('erased')] as const;
const third = 'order-7b0e92f4-1c55-8d1a-8e77-2f9a5b3c6d10';

const unknown = { kind: 'unknown_order', amount: price, method: 'card' } as const;
const money = paymentAfter(collected());

const happenings: Happenings = [
  [orderStream(anOrder), ...begun],
  [orderStream(anotherOrder), ...anew],
  [third, ...forgotten],
  [orderStream(anOrder), ...goneOn],
  [`payment-${anOrder}`, collected()],
  ['payment-pay_9', { type: 'MismatchFound', data: { mismatch: unknown, foundAt: paidAt } }],
];

const first = orderAfter(...begun, ...goneOn);
const second = orderAfter(...anew);
const last = orderAfter(...forgotten);
const lastId = orderId(third.slice('order-'.length));

const rows = [
  { id: anOrder, order: first },
  { id: anotherOrder, order: second },
  { id: lastId, order: last },
];

describeProjector(myOrders, happenings, {
  my_orders: rows.map(({ id, order }) => ({
    order_id: id,
    shopper_id: meera,
    placed_at: order.placement?.placedAt ?? null,
    state: JSON.stringify(order),
  })),
  my_order_payments: [{ order_id: anOrder, state: JSON.stringify(money) }],
});

test('events of a stream without an order id are parked, and other orders continue', async () => {
  const log = new MemoryLog();
  log.append('order-oud', created());
  log.append(orderStream(anOrder), created(), placed());
  const database = await openTestDatabase();
  try {
    await rebuild(myOrders, log, database, { signal: new AbortController().signal });
    const { rows: parked } = await database.pool.query('select stream from read.parked');
    expect(parked).toEqual([{ stream: 'order-oud' }]);
    expect(await myOrdersQueries(database).idsOf(meera, 10)).toEqual([anOrder]);
  } finally {
    await database.close();
  }
});
