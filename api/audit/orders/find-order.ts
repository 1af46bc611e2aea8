import type { OrderView } from '#domain/order/view.ts';
import { isOrderId, isOrderNumber, type OrderId } from '#domain/shared/ids.ts';
import { orderStream } from '#domain/order/order.ts';
import type { OrdersDesk } from '#projections/orders/orders-desk-queries.ts';

import type { Shop } from '../../shop.ts';
import { replayOrder } from './order-history.ts';

export type FindOrderDeps = Pick<Shop, 'store'> & { readonly desk: OrdersDesk };

/** The amounts are in rupees. */
export type FoundOrder = Pick<OrderView, '_id' | 'orderNumber' | 'status' | 'placedAt' | 'total'> & { readonly email: string };

const MOST = 20;

const found = ({ _id, orderNumber, status, placedAt, total, shippingAddress: { email } }: OrderView): FoundOrder => ({
  _id,
  orderNumber,
  status,
  placedAt,
  total,
  email,
});

const onDesk = async (desk: OrdersDesk, text: string, limit: number) => {
  const { orders, nextCursor } = await desk.page({ limit, text });
  return { orders, hasMore: nextCursor !== null };
};

/** Returns the order with this id or number. Does not check that the order exists. */
export const orderIdFrom = async (desk: OrdersDesk, name: string): Promise<OrderId | undefined> => {
  const [lower, upper] = [name.toLowerCase(), name.toUpperCase()];
  if (isOrderId(lower)) return lower;
  return isOrderNumber(upper) ? desk.findId(upper) : undefined;
};

/** Finds orders by id, or by part of number, name or e-mail address, newest first, at most 20. By id it finds drafts too. */
export const findOrders = async ({ desk, store }: FindOrderDeps, text: string) => {
  const id = text.trim().toLowerCase();
  if (!isOrderId(id)) {
    const { orders, hasMore } = await onDesk(desk, text, MOST);
    return { orders: orders.map(found), hasMore };
  }
  const { events } = await store.read(orderStream(id));
  const last = replayOrder(id, events).states.at(-1);
  return { orders: last ? [found(last)] : [], hasMore: false };
};
