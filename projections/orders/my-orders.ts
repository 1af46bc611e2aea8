import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { orderId, type ShopperId } from '#domain/shared/ids.ts';

import { type Handles, defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';
import {
  isOfPayment,
  moneyAfter,
  onEveryOrderEvent,
  onEveryPaymentEvent,
  orderAfter,
  orderOfPayment,
  OrderRow,
  paymentColumns,
  PaymentRow,
  type OrderColumns,
  type PaymentColumns,
} from './order-rows.ts';

/** The owner of an order is a visitor or user. */
export type MyOrderRow = OrderColumns & { shopper_id: ShopperId };

const myOrdersTable = rowsTable<MyOrderRow>({
  key: 'order_id',
  columns: { order_id: 'uuid', shopper_id: 'text', placed_at: 'instant', state: 'json' },
  indexes: ['(shopper_id, placed_at desc, order_id desc)'],
  category: 'order',
});

const paymentsTable = rowsTable<PaymentColumns>({ key: 'order_id', columns: paymentColumns, category: 'payment' });

const tables = { my_orders: myOrdersTable, my_order_payments: paymentsTable };

class MyOrder extends OrderRow implements MyOrderRow {
  get shopper_id(): ShopperId {
    return this.order.shopper;
  }
}

const apply = ({ my_orders }: Handles<typeof tables>, event: Recorded<OrderEvent>): void => {
  const id = orderId(streamId(event.stream));
  my_orders.set(new MyOrder(id, orderAfter(event, my_orders.get(id))));
};

const applyPayment = ({ my_order_payments }: Handles<typeof tables>, event: Recorded<PaymentEvent>): void => {
  const id = orderOfPayment(event.stream);
  if (id) my_order_payments.set(new PaymentRow(id, moneyAfter(event, my_order_payments.get(id))));
};

/** Projects all orders by owner, including drafts, because they become the user's when a visitor signs in. */
export const myOrders = defineProjector<OrderEvent | PaymentEvent>()({
  name: 'my-orders',
  version: 13,
  categories: ['order', 'payment'],
  tables,
  keys: (event) => {
    if (isOfPayment(event)) return { my_order_payments: [orderOfPayment(event.stream) ?? []].flat() };
    return { my_orders: [streamId(event.stream)] };
  },
  on: { ...onEveryOrderEvent(apply), ...onEveryPaymentEvent(applyPayment) },
});
