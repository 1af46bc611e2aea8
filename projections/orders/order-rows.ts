import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { initialProgress, progressAfter, type OrderProgress } from '#domain/order/state.ts';
import { progressFromView, viewContents, viewProgress, type OrderProgressView } from '#domain/order/view.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';

import { rowsTable, streamId, type Rows } from '../engine/define-projector.ts';

/**
 * An order's answer stands in two rows: what was checked out, which is most of it and stays once it is placed, and how the order
 * stands, which each event changes. So an event writes no more than it changes.
 */
export type OrderContents = {
  order_id: OrderId;
  /** `ContentsView` as JSON text: what is sold, for how much and where it goes. */
  contents: string;
};

export type OrderProgressColumns = {
  order_id: OrderId;
  /** `OrderProgressView` as JSON text, and what the answer has beyond an `OrderView`. The next event is applied to what it tells. */
  standing: string;
};

export const contentsTable = rowsTable<OrderContents>({
  key: 'order_id',
  columns: { order_id: 'uuid', contents: 'json' },
});

/** The two halves of an answer as one, without reading them. */
export const joinedView = ({ standing, contents }: Pick<OrderProgressColumns, 'standing'> & Pick<OrderContents, 'contents'>): string =>
  `${standing.slice(0, -1)},${contents.slice(1)}`;

/**
 * How an order stands, in memory. Its text is made when it is asked for, which is when it is written: in a rebuild most events are
 * followed by the next one of their order before that.
 */
export class OrderProgressRow implements OrderProgressColumns {
  constructor(
    readonly order_id: OrderId,
    readonly progress: OrderProgress,
  ) {}

  get standing(): string {
    return JSON.stringify(this.view);
  }

  protected get view(): OrderProgressView {
    return viewProgress(this.order_id, this.progress);
  }
}

const standingOf = (row: OrderProgressColumns): OrderProgress =>
  row instanceof OrderProgressRow ? row.progress : progressFromView(JSON.parse(row.standing)); // written by `StandingOrder`

type Tables<Row extends object> = { readonly standings: Rows<Row>; readonly contents: Rows<OrderContents> };

/**
 * Applies an event to the rows of its order, as the domain has the order stand; `toRow` makes the row of how it stands, from the row
 * until then where there was one. An order that was cancelled before it was placed may begin afresh, in the same rows. Throws when it
 * was never created.
 */
export const applyOrderEvent = <Row extends OrderProgressColumns>(
  { standings, contents }: Tables<Row>,
  event: Recorded<OrderEvent>,
  toRow: (id: OrderId, stands: OrderProgress, before: Readonly<Row> | undefined) => Row,
): void => {
  const key = streamId(event.stream);
  const before = standings.get(key);
  const id = before ? before.order_id : orderId(key);
  const stood = before && standingOf(before);
  const stands = event.type === 'OrderCreated' ? initialProgress(event.data.createdAt) : stood && progressAfter(stood, event);
  if (!stands) throw new Error(`${event.stream} was never created`);
  if (event.type === 'OrderCreated' || event.type === 'OrderRevised')
    contents.set({ order_id: id, contents: JSON.stringify(viewContents(event.data)) });
  standings.set(toRow(id, stands, before));
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
