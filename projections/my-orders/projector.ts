import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { ShopperId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';

import { contentsTable, foldOrder, onEveryOrderEvent, StandingOrder } from '../folded-order.ts';
import { projectorOf, streamId, type Handles } from '../projector.ts';
import { myOrdersTable, type MyOrderRow } from './table.ts';

const tables = { my_orders: myOrdersTable, my_order_contents: contentsTable };

class MyOrder extends StandingOrder implements MyOrderRow {
  get shopper_id(): ShopperId {
    return this.order.shopper;
  }
  get placed_at(): Instant | null {
    return this.order.placement?.placedAt ?? null;
  }
}

const apply = ({ my_orders, my_order_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  foldOrder({ standings: my_orders, contents: my_order_contents }, event, ({ id, kept }) => new MyOrder(id, kept));

/** Every order by its shopper. Checkouts under way are there too, since they go over to the user when a visitor signs in. */
export const myOrders = projectorOf<OrderEvent>()({
  name: 'my-orders',
  version: 1,
  categories: ['order'],
  tables,
  keys: ({ stream }) => ({ my_orders: [streamId(stream)] }),
  on: onEveryOrderEvent(apply),
});
