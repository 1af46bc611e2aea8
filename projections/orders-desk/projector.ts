import type { Actor, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { Standing } from '#domain/order/standing.ts';
import type { OrderStatus } from '#domain/order/status.ts';
import type { ContentsView, OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';

import { contentsTable, foldOrder, onEveryOrderEvent, StandingOrder } from '../folded-order.ts';
import { projectorOf, streamId, type Handles } from '../projector.ts';
import { inLines, searchText } from './search-text.ts';
import { ordersDeskTable, type DeskRow } from './table.ts';

/** An order as the staff see it: as its shopper does, with who changed it last. */
export type DeskView = OrderView & { readonly changedBy: Actor };

const tables = { orders_desk: ordersDeskTable, orders_desk_contents: contentsTable };

class DeskOrder extends StandingOrder implements DeskRow {
  constructor(
    id: OrderId,
    stands: Standing,
    readonly buyer: string,
    readonly changedBy: Actor,
  ) {
    super(id, stands);
  }
  get status(): OrderStatus {
    return this.stands.status;
  }
  get placed_at(): Instant | null {
    return this.stands.placement?.placedAt ?? null;
  }
  get search(): string | null {
    const { placement } = this.stands;
    return placement === null ? null : inLines(searchText(placement.number), this.buyer);
  }
  protected override get view(): Omit<DeskView, keyof ContentsView> {
    return { ...super.view, changedBy: this.changedBy };
  }
}

/** Name and address of who gets it, told by what is checked out: of what comes later, `before` has them. */
const buyerAfter = ({ type, data }: OrderEvent, before: DeskRow | undefined): string => {
  if (type === 'OrderCreated' || type === 'OrderRevised') {
    const { name, email } = data.shippingAddress;
    return inLines(searchText(name), searchText(email));
  }
  return before?.buyer ?? '';
};

const apply = ({ orders_desk, orders_desk_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  foldOrder({ standings: orders_desk, contents: orders_desk_contents }, event, (id, stands, before) => {
    return new DeskOrder(id, stands, buyerAfter(event, before), event.metadata.actor);
  });

/** Every order for the staff's desk, to be listed and searched once it is placed. */
export const ordersDesk = projectorOf<OrderEvent>()({
  name: 'orders-desk',
  version: 3,
  categories: ['order'],
  tables,
  keys: ({ stream }) => ({ orders_desk: [streamId(stream)] }),
  on: onEveryOrderEvent(apply),
});
