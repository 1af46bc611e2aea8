import { order, orderStream } from '#domain/order/order.ts';
import { isPlaced } from '#domain/order/rules.ts';
import type { OrderId, ProductId, ShopperId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { MyOrders } from '#projections/orders/my-orders-queries.ts';

import type { Shop } from '../shop.ts';

export type BuyerParts = Pick<Shop, 'load'> & { readonly myOrders: Pick<MyOrders, 'allOf'> };

const AT_ONCE = 200;

/**
 * Returns when the shopper bought the perfume in an order that is delivered; undefined if there is none. What came back in part stays
 * delivered. The read model names the orders, and the log says whether one that was on its way has arrived meanwhile.
 */
export const findPurchase = async (
  { load, myOrders }: BuyerParts,
  shopper: ShopperId,
  product: ProductId,
): Promise<Instant | undefined> => {
  for (let after: OrderId | undefined; ;) {
    const page = await myOrders.allOf(shopper, AT_ONCE, after);
    for (const { _id, items } of page) {
      if (!items.some((item) => item.product._id === product)) continue;
      const { state } = await load(order, orderStream(_id));
      if (state.status === 'delivered' && isPlaced(state)) return state.placement.placedAt;
    }
    if (page.length < AT_ONCE) return undefined;
    after = page.at(-1)?._id;
  }
};
