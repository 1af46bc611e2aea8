import { expect, test } from 'vitest';

import { order, orderStream } from '#domain/order/order.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { moveTo } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../../cart/testing/shopping.ts';
import { bySystem } from '../../orders/order-payment.ts';
import { admin, ordering, sameBrowser, signedInAs } from '../../orders/testing/ordering.ts';
import { isLongRun } from '../../testing/long-run.ts';
import { openShopForFile } from '../../testing/test-shop.ts';
import { newTestId } from '../gateway/test-gateway-rows.ts';

const ROUNDS = isLongRun ? 200 : 20;

const shop = await openShopForFile({ people: { admin }, projecting: true });
const other = await openShopForFile({ people: { admin }, databaseUrl: shop.databaseUrl });
await change([shop, other], oudSaffronMajlis, add());
const desk = await signedInAs(shop, admin);
const desks = [desk, sameBrowser(desk, other)] as const;
const { payments = expect.fail() } = shop.payments;

const paidOrder = async (to: 'confirmed' | 'shipped') => {
  const { _id: id, total } = await ordering(shop).buy({}, 'Prepaid');
  const paid = { id: newTestId('pay'), amount: paise(total * 100), method: 'upi', at: shop.now(), status: 'captured' } as const;
  await payments.take({ kind: 'captured', eventId: newTestId('event'), link: undefined, reference: id, payment: paid });
  if (to === 'shipped') expect((await desk.move(id, 'confirmed')).status).toBe(200);
  return { id, total };
};
const refund = (at: typeof desk, id: OrderId, amount: number) =>
  at.send('PUT', `/api/admin/order/${id}/refund`, { body: { amount, reason: 'Broken' } });

test(`of a full refund and a move at once, in two processes, one is refused: ${ROUNDS} rounds`, { timeout: 600_000 }, async () => {
  const won = { move: 0, refund: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const to = round % 2 === 0 ? 'shipped' : 'confirmed';
    const { id, total } = await paidOrder(to);
    const [mover, refunder] = round % 4 < 2 ? desks : desks.toReversed();
    const both = [() => mover?.move(id, to), () => refunder && refund(refunder, id, total)];
    const answers = await Promise.all((round % 3 === 0 ? both.toReversed() : both).map((send) => send()));
    const [moved, refunded] = round % 3 === 0 ? answers.toReversed() : answers;
    const { status, payment: money } = (await desk.order(id)).order;
    if (refunded?.status === 200) {
      won.refund++;
      expect(moved).toMatchObject({ status: 409, body: { message: 'Order is refunded' } });
      expect([status, money.status]).toEqual([to === 'shipped' ? 'confirmed' : 'pending', 'refunding']);
    } else {
      won.move++;
      expect(refunded).toMatchObject({ status: 409, body: { code: 'order_moving' } });
      expect([moved?.status, status, money.status]).toEqual([200, to, 'paid']);
    }
  }
  expect(won.move + won.refund).toBe(ROUNDS);
});

test('what was refunded in full is neither confirmed nor shipped, and a part does not hold it', async () => {
  for (const to of ['confirmed', 'shipped'] as const) {
    const { id, total } = await paidOrder(to);
    expect((await refund(desk, id, total)).status).toBe(200);
    expect(await desk.move(id, to)).toMatchObject({ status: 409, body: { message: 'Order is refunded', code: 'order_refunded' } });
    const part = await paidOrder(to);
    expect((await refund(desk, part.id, total - 1)).status).toBe(200);
    expect((await desk.move(part.id, to)).status).toBe(200);
    expect((await refund(desk, part.id, 1)).status).toBe(200);
  }
});

test('a move whose process was killed holds a full refund for a minute, and cannot come afterwards', async () => {
  const { id, total } = await paidOrder('shipped');
  const seen = await shop.load(order, orderStream(id));
  const begin = (move: string, secondsAgo: number) => {
    const now = instant(new Date(Date.now() - secondsAgo * 1_000).toISOString());
    return shop.execute(payment, paymentStream(id), { type: 'BeginMove', move, now }, bySystem(move));
  };
  await begin(`lost-${id}`, 60);
  await begin(`slow-${id}`, 30);
  expect(await refund(desk, id, total)).toMatchObject({ status: 409, body: { code: 'order_moving' } });
  expect((await refund(desk, id, 1)).status).toBe(200);
  await expect(shop.execute(order, orderStream(id), moveTo('shipped'), bySystem(`late-${id}`), { at: seen })).rejects.toThrow('revision');
  await shop.execute(payment, paymentStream(id), { type: 'EndMove', move: `slow-${id}`, now: shop.now() }, bySystem(`end-${id}`));
  expect((await refund(desk, id, total - 1)).status).toBe(200);
  expect(await desk.move(id, 'shipped')).toMatchObject({ status: 409, body: { message: 'Order is refunded' } });
});
