import type { CartEvent } from '#domain/cart/events.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';
import { myOrders as model } from '#projections/my-orders/projector.ts';
import type { MyOrders } from '#projections/my-orders/queries.ts';
import { isBuilt } from '#projections/status.ts';

import { cartOf } from '../cart/stream.ts';
import type { Shop } from '../open-shop.ts';
import type { OrderIds } from '../orders/order-ids.ts';
import type { ShopDatabase } from '../shop-tables.ts';

export type TraceParts = Pick<Shop, 'store' | 'read'> & { readonly idOf: OrderIds; readonly myOrders: Pick<MyOrders, 'idsOf'> };

/** The visitors that the user had been: those noted at sign-in, and those whose carts came over, should a sign-in have broken off between. */
export const visitorsOf = async (tx: ShopDatabase, { store }: Pick<Shop, 'store'>, user: string): Promise<readonly string[]> => {
  const noted = await tx.selectFrom('visitors').select('visitor_id').where('user_id', '=', user).execute();
  const { events } = await store.read<CartEvent>(cartOf(user));
  const merged = events.flatMap(({ type, data }) => (type === 'CartsMerged' ? [data.from] : []));
  return [...new Set([...noted.map(({ visitor_id }) => visitor_id), ...merged])];
};

const PAGE = 500;

/**
 * Every order that these shoppers may have made. An order's id follows from the cart and its revision, so the log alone tells them,
 * however far read models are; what those know of beside is there too.
 */
export const ordersOf = async ({ store, read, idOf, myOrders }: TraceParts, subjects: readonly string[]): Promise<readonly OrderId[]> => {
  const orders = new Set<OrderId>();
  // Of a database that is new, or whose read models are still to be built, there is nothing to ask.
  const canAsk = await isBuilt(model, read);
  for (const subject of subjects) {
    const shopper = shopperId(subject);
    const { head } = await store.read(cartOf(subject));
    for (let revision = 0; revision <= head.revision; revision++) orders.add(idOf(shopper, revision));
    for (let after: OrderId | undefined; canAsk;) {
      const ids = await myOrders.idsOf(shopper, PAGE, after);
      for (const id of ids) orders.add(id);
      if (ids.length < PAGE) break;
      after = ids.at(-1);
    }
  }
  return [...orders];
};
