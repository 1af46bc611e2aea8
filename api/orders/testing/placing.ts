import { randomInt, randomUUID } from 'node:crypto';

import type { LogPosition } from '#domain/event-store.ts';
import type { CreateOrder } from '#domain/order/checkout.ts';
import { drawOrderNumber } from '#domain/order/order-number.ts';
import { order, type OrderCommand } from '#domain/order/order.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { orderId, shopperId, type OrderId } from '#domain/shared/ids.ts';
import { create, place } from '#domain/testing/orders.ts';

import type { Browser } from '../../accounts/testing/browser.ts';
import type { TestShop } from '../../testing/shop.ts';

const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'test' } }) as const;

export type Ordered = { readonly id: OrderId; readonly view: OrderView; readonly position: LogPosition };

/** Has these happen to an order, the first of which may create it. */
export const toOrder = async (
  { execute }: Pick<TestShop, 'execute'>,
  id: OrderId,
  ...commands: readonly OrderCommand[]
): Promise<Ordered> => {
  let ordered: Ordered | undefined;
  for (const command of commands) {
    const { state, position } = await execute(order, `order-${id}`, command, metadata());
    if (state.status === 'none' || position === undefined) throw new Error(`${command.type} changed nothing`);
    ordered = { id, view: viewOrder(id, state), position };
  }
  if (!ordered) throw new Error('Nothing was to happen');
  return ordered;
};

type Changes = Partial<Omit<CreateOrder, 'type' | 'by'>>;
const newOrder = (): OrderId => orderId(randomUUID());

/** A checkout of this shopper's that is not placed. */
export const checkOut = (shop: TestShop, shopper: string, changes: Changes = {}): Promise<Ordered> =>
  toOrder(shop, newOrder(), create({ by: shopperId(shopper), now: shop.now(), ...changes }));

/** An order of this shopper's, placed now (or when `now` says). */
export const placedBy = (shop: TestShop, shopper: string, changes: Changes = {}): Promise<Ordered> => {
  const [by, number, now] = [shopperId(shopper), drawOrderNumber(randomInt), shop.now()];
  return toOrder(shop, newOrder(), create({ by, now, ...changes }), place({ by, number, now, ...(changes.now && { now: changes.now }) }));
};

/** The browser knows of what was appended, as if it had sent the command itself. */
export const remember = (at: Pick<Browser, 'cookies'>, ...ordered: readonly Ordered[]): void => {
  const last = ordered.map(({ position }) => position).reduce((one, other) => (one > other ? one : other));
  at.cookies.set('pos', `order.${last}`);
};
