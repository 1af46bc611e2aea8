import type { Actor, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { ExistingOrder } from '#domain/order/state.ts';
import type { OrderStatus } from '#domain/order/status.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';

import { contentsTable, foldOrder, isCheckout, onEveryOrderEvent, StandingOrder } from '../folded-order.ts';
import { projectorOf, streamId, type Handles } from '../projector.ts';
import { inLines, searchText } from './search-text.ts';
import { ordersDeskTable, type DeskRow } from './table.ts';

/** An order as the staff see it: as its shopper does, with who changed it last. */
export type DeskView = OrderView & { readonly changedBy: Actor };

const tables = { orders_desk: ordersDeskTable, orders_desk_contents: contentsTable };

class DeskOrder extends StandingOrder implements DeskRow {
  constructor(
    id: OrderId,
    order: ExistingOrder,
    readonly buyer: string,
    beside: Omit<DeskView, keyof OrderView>,
  ) {
    super(id, order, beside);
  }
  get status(): OrderStatus {
    return this.order.status;
  }
  get placed_at(): Instant | null {
    return this.order.placement?.placedAt ?? null;
  }
  get search(): string | null {
    const { placement } = this.order;
    return placement === null ? null : inLines(searchText(placement.number), this.buyer);
  }
}

const buyerOf = ({ shippingAddress: { name, email } }: ExistingOrder): string => inLines(searchText(name), searchText(email));

const apply = ({ orders_desk, orders_desk_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  foldOrder({ standings: orders_desk, contents: orders_desk_contents }, event, ({ id, after, kept, before }) => {
    const buyer = before && !isCheckout(event) ? before.buyer : buyerOf(after);
    return new DeskOrder(id, kept, buyer, { changedBy: event.metadata.actor });
  });

/** Every order for the staff's desk, to be listed and searched once it is placed. */
export const ordersDesk = projectorOf<OrderEvent>()({
  name: 'orders-desk',
  version: 1,
  categories: ['order'],
  tables,
  keys: ({ stream }) => ({ orders_desk: [streamId(stream)] }),
  on: onEveryOrderEvent(apply),
});
