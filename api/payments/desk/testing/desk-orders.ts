import { randomInt, randomUUID } from 'node:crypto';

import { NO_STREAM, type CommandMetadata } from '#domain/event-store.ts';
import type { OrderEvent, PaymentMethod } from '#domain/order/events.ts';
import { computeBill } from '#domain/order/totals.ts';
import { payment, type PaymentCommand, paymentStream } from '#domain/payment/payment.ts';
import type { Bill } from '#domain/payment/rules.ts';
import { drawOrderNumber, orderId, type OrderId, type OrderNumber } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { noon } from '#domain/testing/carts.ts';
import { confirmed, created, delivered, orderAfter, shipped } from '#domain/testing/orders.ts';
import { capture } from '#domain/testing/payments.ts';
import { orderStream } from '#domain/order/order.ts';

import type { TestShop } from '../../../testing/test-shop.ts';

export const metadata = (): CommandMetadata => ({
  commandId: randomUUID(),
  correlationId: 'r',
  causationId: 'r',
  actor: { kind: 'system', id: 'test' },
});

export type DeskOrder = { readonly id: OrderId; readonly number: OrderNumber; readonly bill: Bill };

/** Appends an order of ₹11,033.00 and these later events. */
export const orderWith = async (
  { store }: Pick<TestShop, 'store'>,
  method: PaymentMethod,
  since: readonly OrderEvent[] = [],
  placedAt: Instant = noon,
): Promise<DeskOrder> => {
  const [id, number] = [orderId(randomUUID()), drawOrderNumber(randomInt)];
  const events: readonly OrderEvent[] = [created(), { type: 'OrderPlaced', data: { number, method, placedAt } }, ...since];
  await store.append(orderStream(id), NO_STREAM, events, metadata());
  return { id, number, bill: computeBill(orderAfter(...events)) };
};

export const deliveredOrder = (shop: Pick<TestShop, 'store'>): Promise<DeskOrder> =>
  orderWith(shop, 'COD', [confirmed(), shipped(), delivered()]);

export const pay = (shop: Pick<TestShop, 'execute'>, id: string, command: PaymentCommand) =>
  shop.execute(payment, `payment-${id}`, command, metadata());

/** Appends a prepaid order and captures these payments at the gateway. */
export const paidOrder = async (
  shop: Pick<TestShop, 'store' | 'execute'>,
  changes: Parameters<typeof capture>[0] = {},
): Promise<DeskOrder> => {
  const placed = await orderWith(shop, 'Prepaid');
  await pay(shop, placed.id, capture({ bill: placed.bill, payment: `pay_${placed.number.slice(3)}`, ...changes }));
  return placed;
};

export const paymentEvents = async ({ store }: Pick<TestShop, 'store'>, id: OrderId) => (await store.read(paymentStream(id))).events;
