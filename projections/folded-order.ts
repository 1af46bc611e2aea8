import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { NOWHERE } from '#domain/order/shipping.ts';
import { evolve, type ExistingOrder, type Order } from '#domain/order/state.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';

import { rowsTable, streamId, type Rows } from './projector.ts';

/**
 * An order's answer stands in two rows: what was checked out, which is most of it and stays once it is placed, and how the order
 * stands, which each event changes. So an event writes no more than it changes.
 */
export type OrderContents = {
  order_id: OrderId;
  /** Of the `OrderView`, as JSON text: what is sold, for how much and where it goes. */
  contents: string;
};

export type OrderStanding = {
  order_id: OrderId;
  /** What the domain knows of the order, but for what was checked out, as JSON text: the next event is applied to it. */
  state: string;
  /** Of the `OrderView`, as JSON text: all that is not in its contents. */
  standing: string;
};

export const contentsTable = rowsTable<OrderContents>({ key: 'order_id', columns: { order_id: 'text', contents: 'json' } });

/** The two halves of an answer as one, without reading them. */
export const joinedView = ({ standing, contents }: Pick<OrderStanding, 'standing'> & Pick<OrderContents, 'contents'>): string =>
  `${standing.slice(0, -1)},${contents.slice(1)}`;

const divided = (view: OrderView) => {
  const { items, shippingAddress, subtotal, tax, shipping, discount, total, giftWrap, giftMessage, ...standing } = view;
  return { standing, contents: { items, shippingAddress, subtotal, tax, shipping, discount, total, giftWrap, giftMessage } };
};

const withoutContents = (order: ExistingOrder): ExistingOrder => ({
  ...order,
  lines: [],
  shippingAddress: NOWHERE,
  giftWrap: false,
  giftMessage: '',
});

/**
 * How an order stands, in memory. Its texts are made when they are asked for, which is when it is written: in a rebuild most events
 * are followed by the next one of their order before that.
 */
export class StandingOrder implements OrderStanding {
  constructor(
    readonly order_id: OrderId,
    /** Without what was checked out. */
    readonly order: ExistingOrder,
    /** What the answer has beyond the `OrderView`. */
    readonly beside: object = {},
  ) {}

  get state(): string {
    return JSON.stringify(this.order);
  }

  get standing(): string {
    return JSON.stringify({ ...divided(viewOrder(this.order_id, this.order)).standing, ...this.beside });
  }
}

const orderIn = (row: OrderStanding | undefined): Order => {
  if (!row) return { status: 'none' };
  return row instanceof StandingOrder ? row.order : JSON.parse(row.state); // written by `StandingOrder`
};

/** An order after an event: as the event left it, and without what was checked out, as it is kept. `before` is its row until then. */
export type Folded<Row> = {
  readonly id: OrderId;
  readonly after: ExistingOrder;
  readonly kept: ExistingOrder;
  readonly before: Readonly<Row> | undefined;
};

type Tables<Row extends object> = { readonly standings: Rows<Row>; readonly contents: Rows<OrderContents> };

/** Whether the event tells what was checked out, all of it. */
export const isCheckout = ({ type }: OrderEvent): boolean => type === 'OrderCreated' || type === 'OrderRevised';

/**
 * Applies an event to the rows of its order, as the domain has the order evolve; `toRow` makes the row of how it stands. An order that
 * was cancelled before it was placed may begin afresh, in the same rows. Throws when it was never created.
 */
export const foldOrder = <Row extends OrderStanding>(
  { standings, contents }: Tables<Row>,
  event: Recorded<OrderEvent>,
  toRow: (folded: Folded<Row>) => Row,
): void => {
  const id = orderId(streamId(event.stream));
  const before = standings.get(id);
  const after = evolve(orderIn(before), event);
  if (after.status === 'none') throw new Error(`${event.stream} was never created`);
  if (isCheckout(event)) contents.set({ order_id: id, contents: JSON.stringify(divided(viewOrder(id, after)).contents) });
  standings.set(toRow({ id, after, kept: isCheckout(event) ? withoutContents(after) : after, before }));
};

/** For a read model that does the same with every event of an order. A new event does not compile until it is named here. */
export const onEveryOrderEvent = <Given>(apply: (tables: Given, event: Recorded<OrderEvent>) => void) =>
  ({
    OrderCreated: apply,
    OrderRevised: apply,
    OrderPlaced: apply,
    OrderConfirmed: apply,
    OrderShipped: apply,
    OrderDelivered: apply,
    OrderCancelled: apply,
    OrderReturned: apply,
    OrderClaimed: apply,
  }) satisfies Record<OrderEvent['type'], unknown>;
