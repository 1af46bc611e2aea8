import { randomInt, randomUUID } from 'node:crypto';

import { cart, cartStream } from '#domain/cart/cart.ts';
import type { LogPosition } from '#domain/event-store.ts';
import type { CreateOrder, PlaceOrder } from '#domain/order/checkout.ts';
import { drawOrderNumber, orderId, shopperId, type OrderId } from '#domain/shared/ids.ts';
import { order, type OrderCommand } from '#domain/order/order.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { addItem } from '#domain/testing/carts.ts';
import { create, place } from '#domain/testing/orders.ts';

import type { Browser } from '../../accounts/testing/browser.ts';
import type { TestShop } from '../../testing/test-shop.ts';
import { createOrderIds } from '../order-ids.ts';

const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'test' } }) as const;

export type Ordered = { readonly id: OrderId; readonly view: OrderView; readonly position: LogPosition };

/** Executes these commands on an order; the first one may create it. */
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
  if (!ordered) throw new Error('No commands given');
  return ordered;
};

type Changes = Partial<Omit<CreateOrder, 'type' | 'by'>>;
type Placing = Changes & Partial<Pick<PlaceOrder, 'method'>>;
const newOrder = (): OrderId => orderId(randomUUID());

/** Returns the id of the shopper's next order, after adding a product to make a new version of the cart. */
export const createNextOrder = async (shop: TestShop, shopper: string): Promise<OrderId> => {
  const stream = cartStream(shopper);
  await shop.execute(cart, stream, addItem(), metadata());
  return (await createOrderIds(shop.db))(shopperId(shopper), (await shop.load(cart, stream)).head.revision);
};

/** Checks out for this shopper without placing the order. */
export const checkOutCart = (shop: TestShop, shopper: string, changes: Changes = {}, id = newOrder()): Promise<Ordered> =>
  toOrder(shop, id, create({ by: shopperId(shopper), now: shop.now(), ...changes }));

/** Places an order of this shopper, now or at `now`. */
export const placedBy = (
  shop: TestShop,
  shopper: string,
  { method = 'COD', ...changes }: Placing = {},
  id = newOrder(),
): Promise<Ordered> => {
  const { by, number, now } = { by: shopperId(shopper), number: drawOrderNumber(randomInt), now: changes.now ?? shop.now() };
  return toOrder(shop, id, create({ ...changes, by, now }), place({ by, number, now, method }));
};

/** Sets the position cookie as if this browser had sent the commands. */
export const remember = (at: Pick<Browser, 'cookies'>, ...ordered: readonly Ordered[]): void => {
  const last = ordered.map(({ position }) => position).reduce((one, other) => (one > other ? one : other));
  at.cookies.set('pos', `order.${last}`);
};
