import type { CartEvent } from '#domain/cart/events.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';
import { myOrders as model, type MyOrders } from '#projections/orders/my-orders.ts';
import { isBuilt } from '#projections/storage/status.ts';

import { cartStream } from '../cart/cart-stream.ts';
import type { Shop } from '../composition/types/shop.ts';
import type { OrderIds } from '../orders/order-ids.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

export type TraceParts = Pick<Shop, 'store' | 'read'> & { readonly idOf: OrderIds; readonly myOrders: Pick<MyOrders, 'idsOf'> };

/**
 * The user's former visitor ids: those recorded at sign-in, and those whose carts were merged, in case a sign-in was interrupted in
 * between.
 */
export const visitorsOf = async (tx: ShopDatabase, { store }: Pick<Shop, 'store'>, user: string): Promise<readonly string[]> => {
  const noted = await tx.selectFrom('visitors').select('visitor_id').where('user_id', '=', user).execute();
  const { events } = await store.read<CartEvent>(cartStream(user));
  const merged = events.flatMap(({ type, data }) => (type === 'CartsMerged' ? [data.from] : []));
  return [...new Set([...noted.map(({ visitor_id }) => visitor_id), ...merged])];
};

const PAGE = 500;

/**
 * All orders that these shoppers may have created. Order ids derive from the cart and its revision, so the log alone gives them, even if
 * read models are behind; ids that only the read model knows are added.
 */
export const ordersOf = async ({ store, read, idOf, myOrders }: TraceParts, subjects: readonly string[]): Promise<readonly OrderId[]> => {
  const orders = new Set<OrderId>();
  // There is nothing to query before it is built.
  const canAsk = await isBuilt(model, read);
  for (const subject of subjects) {
    const shopper = shopperId(subject);
    const { head } = await store.read(cartStream(subject));
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
