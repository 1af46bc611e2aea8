import type pg from 'pg';

import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import type { OrderProgress } from '#domain/order/rules.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import { nameTable } from '../engine/table-set.ts';
import {
  contentsTable,
  applyOrderEvent,
  joinedView,
  onEveryOrderEvent,
  type OrderCursor,
  type OrderPage,
  OrderProgressRow,
  readPage,
  paymentSql,
  PaymentRow,
  isOfPayment,
  moneyAfter,
  onEveryPaymentEvent,
  orderOfPayment,
  paymentColumns,
  LOWEST_ID,
  type OrderParts,
  type PaymentColumns,
  type PlacedRow,
  type OrderProgressColumns,
} from './order-rows.ts';
import { type Handles, defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';

/** The row has an order's owner and progress. The rest of its JSON is in `my_order_contents`. */
export type MyOrderRow = OrderProgressColumns & {
  /** The current owner is a visitor or user. */
  shopper_id: ShopperId;
  /** The value is null for a draft, which is not listed. */
  placed_at: Instant | null;
};

const myOrdersTable = rowsTable<MyOrderRow>({
  key: 'order_id',
  columns: { order_id: 'uuid', shopper_id: 'text', placed_at: 'instant', progress: 'json', payment: 'json' },
  indexes: ['(shopper_id, placed_at desc, order_id desc)'],
  category: 'order',
});

const paymentsTable = rowsTable<PaymentColumns>({ key: 'order_id', columns: paymentColumns, category: 'payment' });

const tables = { my_orders: myOrdersTable, my_order_contents: contentsTable, my_order_payments: paymentsTable };

class MyOrder extends OrderProgressRow implements MyOrderRow {
  constructor(
    id: OrderId,
    state: OrderProgress,
    total: Paise,
    readonly shopper_id: ShopperId,
  ) {
    super(id, state, total);
  }
  get placed_at(): Instant | null {
    return this.state.placement?.placedAt ?? null;
  }
}

/** Returns the owner after an event. Most events do not name the owner, who then stays the same. */
const ownerAfter = ({ type, data }: OrderEvent, before: MyOrderRow | undefined): ShopperId => {
  if (type === 'OrderCreated' || type === 'OrderRevised') return data.shopper;
  if (type === 'OrderClaimed') return data.by;
  if (!before) throw new Error(`${type} of an order without an owner`);
  return before.shopper_id;
};

const apply = ({ my_orders, my_order_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  applyOrderEvent(
    { rows: my_orders, contents: my_order_contents },
    event,
    (id, state, total, before) => new MyOrder(id, state, total, ownerAfter(event, before)),
  );

const applyPayment = ({ my_order_payments }: Handles<typeof tables>, event: Recorded<PaymentEvent>): void => {
  const id = orderOfPayment(event.stream);
  if (id) my_order_payments.set(new PaymentRow(id, moneyAfter(event, my_order_payments.get(id))));
};

/** Projects all orders by owner, including drafts, because they become the user's when a visitor signs in. */
export const myOrders = defineProjector<OrderEvent | PaymentEvent>()({
  name: 'my-orders',
  version: 10,
  categories: ['order', 'payment'],
  tables,
  keys: (event) => {
    if (isOfPayment(event)) return { my_order_payments: [orderOfPayment(event.stream) ?? []].flat() };
    return { my_orders: [streamId(event.stream)] };
  },
  on: { ...onEveryOrderEvent(apply), ...onEveryPaymentEvent(applyPayment) },
});

export type MyOrdersQuery = { readonly shopper: ShopperId; readonly limit: number; readonly after?: OrderCursor | undefined };

export type MyOrders = {
  /** Returns the shopper's placed orders as `OrderView`s. */
  page(question: MyOrdersQuery): Promise<OrderPage>;
  /** Returns all orders of the shopper, placed or not, as JSON of `OrderView`s, by id, after this one. */
  allOf(shopper: ShopperId, limit: number, after?: OrderId): Promise<readonly { readonly id: OrderId; readonly text: string }[]>;
  /** Returns the ids of all orders of the shopper, placed or not, at most `limit` after this one. */
  idsOf(shopper: ShopperId, limit: number, after?: OrderId): Promise<readonly OrderId[]>;
};

/** An order with a payment through the gateway takes its payment status from there. */
const PARTS = `o.progress, c.contents, ${paymentSql} as payment from ${nameTable(myOrders, 'my_orders')} o
  join ${nameTable(myOrders, 'my_order_contents')} c using (order_id) left join ${nameTable(myOrders, 'my_order_payments')} p using (order_id)`;

const PLACED = `select order_id, o.placed_at, ${PARTS} where o.shopper_id = $1 and o.placed_at is not null`;
const NEWEST = `${PLACED} order by o.placed_at desc, o.order_id desc limit $2`;
const OLDER = `${PLACED} and (o.placed_at, o.order_id) < ($3, $4) order by o.placed_at desc, o.order_id desc limit $2`;

const ALL_OF = `select order_id, ${PARTS} where o.shopper_id = $1 and o.order_id > $2 order by o.order_id limit $3`;

const IDS_OF = `select order_id from ${nameTable(myOrders, 'my_orders')} where shopper_id = $1 and order_id > $2 order by order_id limit $3`;

export const myOrdersQueries = ({ pool }: { readonly pool: pg.Pool }): MyOrders => ({
  page: async ({ shopper, limit, after }) => {
    const values = [shopper, limit + 1];
    const { rows } = await pool.query<PlacedRow>(
      after === undefined
        ? { name: 'my-orders-newest', text: NEWEST, values }
        : { name: 'my-orders-older', text: OLDER, values: [...values, after.placedAt, after.id] },
    );
    return readPage(rows, limit);
  },
  allOf: async (shopper, limit, after) => {
    const values = [shopper, after ?? LOWEST_ID, limit];
    const { rows } = await pool.query<OrderParts & { order_id: OrderId }>({ name: 'my-orders-all-of', text: ALL_OF, values });
    return rows.map((row) => ({ id: row.order_id, text: joinedView(row) }));
  },
  idsOf: async (shopper, limit, after) => {
    const values = [shopper, after ?? LOWEST_ID, limit];
    const { rows } = await pool.query<{ order_id: OrderId }>({ name: 'my-orders-ids-of', text: IDS_OF, values });
    return rows.map(({ order_id }) => order_id);
  },
});
