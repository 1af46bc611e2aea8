import type { OrderEvent } from '#domain/order/events.ts';

import { takeFromCart } from '../orders/take-from-cart.ts';
import type { Shop } from '../open-shop.ts';
import { causedBy, orderAt, orderIdOf } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

const NAME = 'empty-cart';

/** What was ordered leaves the cart. Where the process that placed the order has seen to it already, nothing happens. */
export const whenOrderPlacedEmptyCart = (shop: Pick<Shop, 'store' | 'execute' | 'load' | 'now'>): Reaction =>
  reactionTo<OrderEvent>({
    name: NAME,
    categories: ['order'],
    on: {
      OrderPlaced: async (event) => {
        const placed = { id: orderIdOf(event), order: await orderAt(shop.store, event) };
        await takeFromCart(shop, placed, causedBy(event, NAME));
        return [];
      },
    },
  });
