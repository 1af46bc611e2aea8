import type { CartEvent } from '#domain/cart/events.ts';
import { readUnlessCut } from '#domain/event-store.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';
import { cartStream } from '#domain/cart/cart.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { isOnItsWay, isPlaced, type Order } from '#domain/order/rules.ts';
import { myOrders as model } from '#projections/orders/my-orders.ts';
import type { MyOrders } from '#projections/orders/my-orders-queries.ts';
import { anyOf } from '#projections/storage/prepare.ts';
import { isBuilt } from '#projections/storage/status.ts';

import { isUnreadable } from '../event-store/codec/codec.ts';
import type { Shop } from '../shop.ts';
import { HttpError } from '../http/http-error.ts';
import { lockShoppers } from '../orders/before-erasure.ts';
import type { OrderIds } from '../orders/order-ids.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

export type TraceParts = Pick<Shop, 'store' | 'read'> & { readonly idOf: OrderIds; readonly myOrders: Pick<MyOrders, 'idsOf'> };

/**
 * Returns the user's former visitor ids: those recorded at sign-in, and those whose carts were merged, in case a sign-in was interrupted in
 * between. A visitor who then signed in as another user is that user's.
 */
export const findVisitors = async (tx: ShopDatabase, { store }: Pick<Shop, 'store'>, user: string): Promise<readonly string[]> => {
  const noted = await tx.selectFrom('visitors').select('visitor_id').where('user_id', '=', user).execute();
  const { events } = await readUnlessCut<CartEvent>(store, cartStream(user));
  const merged = events.flatMap((event) => {
    try {
      return event.type === 'CartsMerged' ? [event.data.from] : [];
    } catch (error) {
      // A damaged event must not keep the user's data readable.
      if (!isUnreadable(error)) throw error;
      return [];
    }
  });
  const became = await tx
    .selectFrom('visitors')
    .select('visitor_id')
    .where('visitor_id', '=', anyOf(merged))
    .where('user_id', '!=', user)
    .execute();
  const ofOthers = new Set(became.map(({ visitor_id }) => visitor_id));
  return [...new Set([...noted.map(({ visitor_id }) => visitor_id), ...merged.filter((each) => !ofOthers.has(each))])];
};

/** A damaged event must not keep a shopper's data readable. */
const ignoreUnreadable = (error: unknown): undefined => {
  if (!isUnreadable(error)) throw error;
  return undefined;
};

const readOrder = async ({ store }: TraceParts, id: OrderId): Promise<Order> =>
  (await readUnlessCut<OrderEvent>(store, orderStream(id))).events.reduce(order.evolve, order.initial);

const PAGE = 500;
const READ_AT_ONCE = 128;

/** Order ids derive from the cart and its revision, so each revision gives an id; most of these ids have no order. */
const possibleOrders = async ({ store, idOf }: TraceParts, subjects: readonly string[]): Promise<readonly OrderId[]> => {
  const orders: OrderId[] = [];
  for (const subject of subjects) {
    const { head } = await readUnlessCut(store, cartStream(subject));
    for (let revision = 0; revision <= head.revision; revision++) orders.push(idOf(shopperId(subject), revision));
  }
  return orders;
};

const listOrdersInReadModel = async ({ read, myOrders }: TraceParts, subjects: readonly string[]): Promise<readonly OrderId[]> => {
  const orders: OrderId[] = [];
  // There is nothing to query before the read model is built.
  if (!(await isBuilt(model, read))) return orders;
  for (const subject of subjects)
    for (let after: OrderId | undefined; ;) {
      const ids = await myOrders.idsOf(shopperId(subject), PAGE, after);
      orders.push(...ids);
      if (ids.length < PAGE) break;
      after = ids.at(-1);
    }
  return orders;
};

/**
 * Returns all orders that these shoppers may have created. The log alone gives them, even if read models are behind; ids that only the read
 * model knows are added.
 */
export const findOrders = async (parts: TraceParts, subjects: readonly string[]): Promise<readonly OrderId[]> => [
  ...new Set([...(await possibleOrders(parts, subjects)), ...(await listOrdersInReadModel(parts, subjects))]),
];

/** A stream that was cut had events. */
const hasEvents = async ({ store }: TraceParts, id: OrderId): Promise<boolean> => {
  let wasCut = false;
  const { events } = await readUnlessCut(store, orderStream(id), () => (wasCut = true));
  return wasCut || events.length > 0;
};

/** Returns those orders that have events in the log or rows in the read model. It reads many streams at once, which share queries. */
export const findExistingOrders = async (parts: TraceParts, subjects: readonly string[]): Promise<readonly OrderId[]> => {
  const existing = new Set(await listOrdersInReadModel(parts, subjects));
  const possible = await possibleOrders(parts, subjects);
  for (let from = 0; from < possible.length; from += READ_AT_ONCE) {
    const some = possible.slice(from, from + READ_AT_ONCE);
    const found = await Promise.all(some.map((id) => hasEvents(parts, id)));
    for (const [index, id] of some.entries()) if (found[index]) existing.add(id);
  }
  return [...existing];
};

/**
 * Locks these shoppers until the transaction ends, so that nothing of theirs is shipped meanwhile. Throws the 409 `order_is_open` while a
 * parcel is on its way to them.
 */
export const expectNothingOnItsWay = async (tx: ShopDatabase, parts: TraceParts, subjects: readonly string[]): Promise<void> => {
  await lockShoppers(tx, subjects);
  for (const id of await findExistingOrders(parts, subjects)) {
    const state = await readOrder(parts, id).catch(ignoreUnreadable);
    if (!state || !isPlaced(state) || !isOnItsWay(state.status)) continue;
    const message = `Order ${state.placement.number} is on its way and needs its address. Nothing was erased or cancelled: please ask again once it is delivered.`;
    throw new HttpError({ status: 409, code: 'order_is_open', message });
  }
};
