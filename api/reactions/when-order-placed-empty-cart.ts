import { cart, hasTaken, cartStream } from '#domain/cart/cart.ts';
import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderIdFromStream } from '#domain/order/order.ts';

import { takeFromCart } from '../orders/take-from-cart.ts';
import type { Shop } from '../shop.ts';
import { causedBy, orderAt } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

const NAME = 'empty-cart';

type Deps = Pick<Shop, 'store' | 'execute' | 'load' | 'cached' | 'keys' | 'now'>;

/**
 * Returns whether the shopper's cached cart shows that the order's lines were removed. A stale cache does no harm: lines that were removed
 * stay removed, and the log need not be read.
 */
const isAlreadyTaken = ({ cached }: Deps, { metadata }: Recorded, id: OrderId): boolean => {
  const known = cached(cart, cartStream(metadata.actor.id));
  return known !== undefined && hasTaken(known.state, id);
};

/** Removes the ordered lines from the cart, unless the process that placed the order has done so. */
export const whenOrderPlacedEmptyCart = (shop: Deps): Reaction =>
  reactionTo<OrderEvent>({
    name: NAME,
    categories: ['order'],
    from: 'beginning',
    on: {
      OrderPlaced: async (event) => {
        const id = orderIdFromStream(event.stream);
        if (!isAlreadyTaken(shop, event, id)) await takeFromCart(shop, { id, order: await orderAt(shop, event) }, causedBy(event, NAME));
        return [];
      },
    },
  });
