import type { Actor, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderProgress } from '#domain/order/state.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderContentsView, OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import { folded } from '../catalogue/indexed-product.ts';
import { contentsTable, foldOrder, onEveryOrderEvent, type OrderStanding, StandingOrder } from './order-rows.ts';
import { type Handles, projectorOf, rowsTable, streamId } from '../engine/define-projector.ts';

/** A text as the desk compares it: in lower case, without accents, and without the character that Postgres has no text for. */
export const searchText = (text: string): string => folded(text.replaceAll('\0', ''));

/** Texts that an order is found by, as one. What is searched for lies within one of them, since it is in one line itself. */
export const inLines = (...texts: readonly string[]): string => texts.join('\n');

/** One order: what the staff find it by and how it stands. The rest of its answer is in `orders_desk_contents`. */
export type DeskRow = OrderStanding & {
  status: OrderStatus;
  /** Null for a checkout under way, which is no business of the staff. */
  placed_at: Instant | null;
  /** Name and e-mail address of who gets it, as searches compare them. */
  buyer: string;
  /** Order number and buyer; null until it is placed. */
  search: string | null;
};

const placed = 'where placed_at is not null';

export const ordersDeskTable = rowsTable<DeskRow>({
  key: 'order_id',
  columns: {
    order_id: 'uuid',
    status: 'text',
    placed_at: 'instant',
    buyer: 'text',
    search: 'text',
    standing: 'json',
  },
  indexes: [
    // With what a search of one or two letters compares, which no trigram leads to.
    `(placed_at desc, order_id desc) include (search) ${placed}`,
    `(status, placed_at desc, order_id desc) ${placed}`,
    `using gin (search gin_trgm_ops) ${placed}`,
  ],
});

/** An order as the staff see it: as its shopper does, with who changed it last. */
export type DeskView = OrderView & { readonly changedBy: Actor };

const tables = { orders_desk: ordersDeskTable, orders_desk_contents: contentsTable };

class DeskOrder extends StandingOrder implements DeskRow {
  constructor(
    id: OrderId,
    stands: OrderProgress,
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
  protected override get view(): Omit<DeskView, keyof OrderContentsView> {
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
