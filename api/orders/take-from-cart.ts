import { cart, type TakeOrderedItems } from '#domain/cart/cart.ts';
import type { CommandMetadata, LogPosition } from '#domain/event-store.ts';
import type { ExistingOrder } from '#domain/order/state.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';

import { cartOf } from '../cart/stream.ts';
import { Rejected } from '../execute.ts';
import type { Shop } from '../open-shop.ts';

/** An order as its stream tells it, and its id, which it does not. */
export type KnownOrder = { readonly id: OrderId; readonly order: ExistingOrder };

const takingOut = ({ id, order }: KnownOrder, now: TakeOrderedItems['now']): TakeOrderedItems | undefined =>
  order.placement === null
    ? undefined
    : { type: 'TakeOrderedItems', order: id, lines: order.lines, placedAt: order.placement.placedAt, now };

/**
 * Takes what was ordered out of the cart that it came from, or out of the one that this cart went over into at sign-in. However often
 * it is called, it happens once: the cart knows the order. Answers with where that stands in the log; nothing when it had happened, or
 * when the order was not placed. Throws what `execute` throws.
 */
export const takeFromCart = async (
  { execute, now }: Pick<Shop, 'execute' | 'now'>,
  known: KnownOrder,
  metadata: CommandMetadata,
): Promise<LogPosition | undefined> => {
  const command = takingOut(known, now());
  if (command === undefined) return undefined;
  const takeFrom = async (shopper: ShopperId) => (await execute(cart, cartOf(shopper), command, metadata)).position;
  try {
    return await takeFrom(known.order.cart);
  } catch (error) {
    if (!(error instanceof Rejected) || error.rejection.code !== 'cart_closed') throw error;
    return takeFrom(error.rejection.into);
  }
};
