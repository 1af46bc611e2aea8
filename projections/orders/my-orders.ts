import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderProgress } from '#domain/order/state.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import { contentsTable, foldOrder, onEveryOrderEvent, type OrderStanding, StandingOrder } from './order-rows.ts';
import { type Handles, projectorOf, rowsTable, streamId } from '../engine/define-projector.ts';

/** One order: whose it is and how it stands. The rest of its answer is in `my_order_contents`. */
export type MyOrderRow = OrderStanding & {
  /** The visitor or user who has it now. */
  shopper_id: ShopperId;
  /** Null for a checkout under way, which is no order that the shopper has. */
  placed_at: Instant | null;
};

export const myOrdersTable = rowsTable<MyOrderRow>({
  key: 'order_id',
  columns: { order_id: 'uuid', shopper_id: 'text', placed_at: 'instant', standing: 'json' },
  indexes: ['(shopper_id, placed_at desc, order_id desc)'],
});

const tables = { my_orders: myOrdersTable, my_order_contents: contentsTable };

class MyOrder extends StandingOrder implements MyOrderRow {
  constructor(
    id: OrderId,
    stands: OrderProgress,
    readonly shopper_id: ShopperId,
  ) {
    super(id, stands);
  }
  get placed_at(): Instant | null {
    return this.stands.placement?.placedAt ?? null;
  }
}

/** Whose the order is after an event: most leave it whose it was, and name nobody else. */
const ownerAfter = ({ type, data }: OrderEvent, before: MyOrderRow | undefined): ShopperId => {
  if (type === 'OrderCreated' || type === 'OrderRevised') return data.shopper;
  if (type === 'OrderClaimed') return data.by;
  if (!before) throw new Error(`Nobody has the order of this ${type}`);
  return before.shopper_id;
};

const apply = ({ my_orders, my_order_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  foldOrder(
    { standings: my_orders, contents: my_order_contents },
    event,
    (id, stands, before) => new MyOrder(id, stands, ownerAfter(event, before)),
  );

/** Every order by its shopper. Checkouts under way are there too, since they go over to the user when a visitor signs in. */
export const myOrders = projectorOf<OrderEvent>()({
  name: 'my-orders',
  version: 3,
  categories: ['order'],
  tables,
  keys: ({ stream }) => ({ my_orders: [streamId(stream)] }),
  on: onEveryOrderEvent(apply),
});
