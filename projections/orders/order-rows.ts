import { sql, type Expression, type SqlBool } from 'kysely';

import type { Recorded, StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { viewOrder, type OrderView } from '#domain/order/view.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { payment } from '#domain/payment/payment.ts';
import type { Payment } from '#domain/payment/rules.ts';
import { isOrderId, orderId, type OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import { streamId } from '../engine/define-projector.ts';
import { formatTimeCursor, parseTimeCursor } from '../reading/time-cursor.ts';
import type { Given } from '../storage/prepare.ts';

/** The row has the domain's state of an order: the next event is applied to it, and queries make the view from it. */
export type OrderColumns = {
  order_id: OrderId;
  /** The value is null for a draft, which is not listed. */
  placed_at: Instant | null;
  /** The text is `ExistingOrder` as JSON. */
  state: string;
};

/** The JSON is computed when the row is written, because in a rebuild most rows change several times before. */
export class OrderRow implements OrderColumns {
  constructor(
    readonly order_id: OrderId,
    readonly order: ExistingOrder,
  ) {}
  get placed_at(): Instant | null {
    return this.order.placement?.placedAt ?? null;
  }
  get state(): string {
    return JSON.stringify(this.order);
  }
}

export const parseOrder = (row: Pick<OrderColumns, 'state'>): ExistingOrder =>
  row instanceof OrderRow ? row.order : (JSON.parse(row.state) as ExistingOrder); // written by `OrderRow`

/**
 * Returns the order after an event, from the previous row if there is one. An order that was cancelled before it was placed may be created
 * again in the same row. Throws when it was never created.
 */
export const orderAfter = (event: Recorded<OrderEvent>, before: OrderColumns | undefined): ExistingOrder => {
  const after = order.evolve(before ? parseOrder(before) : order.initial, event);
  if (after.status === 'none') throw new Error(`${event.stream} was never created`);
  return after;
};

export type PaymentColumns = {
  order_id: OrderId;
  /** The text is `Payment` as JSON, to which the next event is applied. */
  state: string;
};

export const paymentColumns = { order_id: 'uuid', state: 'json' } as const;

export class PaymentRow implements PaymentColumns {
  constructor(
    readonly order_id: OrderId,
    readonly money: Payment,
  ) {}
  get state(): string {
    return JSON.stringify(this.money);
  }
}

export const parsePayment = (row: Pick<PaymentColumns, 'state'>): Payment =>
  row instanceof PaymentRow ? row.money : (JSON.parse(row.state) as Payment); // written by `PaymentRow`

/** Returns the order of a payment's stream; undefined for a payment that names no order. */
export const orderOfPayment = (stream: StreamName): OrderId | undefined => {
  const id = streamId(stream);
  return isOrderId(id) ? id : undefined;
};

export const isOfPayment = ({ stream }: Pick<Recorded, 'stream'>): boolean => stream.startsWith('payment-');

/** Returns the payment after an event, from the previous row if there is one. */
export const moneyAfter = (event: Recorded<PaymentEvent>, before: PaymentColumns | undefined): Payment =>
  payment.evolve(before ? parsePayment(before) : payment.initial, event);

/** Works like `onEveryOrderEvent`, for payments. */
export const onEveryPaymentEvent = <Given>(apply: (tables: Given, event: Recorded<PaymentEvent>) => void) =>
  ({
    PaymentRequested: apply,
    PaymentLinkClosed: apply,
    PaymentCaptured: apply,
    PaymentFailed: apply,
    PaymentReminded: apply,
    LatePaymentsSought: apply,
    RefundRequested: apply,
    RefundSettled: apply,
    RefundRefused: apply,
    CashCollected: apply,
    MismatchFound: apply,
    MoveBegun: apply,
    MoveEnded: apply,
  }) satisfies Record<PaymentEvent['type'], unknown>;

/** Makes the handlers of a read model with one handler for all events of orders. A new event compiles only once it is listed here. */
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
    ReturnRequested: apply,
    ReturnDecided: apply,
    ReturnReceived: apply,
    OrderEmailCorrected: apply,
    OrderPacked: apply,
    OrderUnpacked: apply,
    ShipmentCorrected: apply,
    OrderClaimed: apply,
    PlacingAbandoned: apply,
    MoveAbandoned: apply,
  }) satisfies Record<OrderEvent['type'], unknown>;

/** This id sorts before every other id. */
export const LOWEST_ID = orderId('00000000-0000-0000-0000-000000000000');

/** A cursor contains the values by which the list is sorted: pages neither repeat nor skip an order. */
export type OrderCursor = { readonly placedAt: Instant; readonly id: OrderId };

const cursorAt = ({ placedAt: at, id }: OrderCursor): string => formatTimeCursor({ at, id });

/** Returns `undefined` if the cursor is invalid. */
export const parseCursor = (text: string): OrderCursor | undefined => {
  const cursor = parseTimeCursor(text);
  return cursor && isOrderId(cursor.id) ? { placedAt: cursor.at, id: cursor.id } : undefined;
};

export type OrderPage<View = OrderView> = {
  /** The orders are sorted newest first. */
  readonly orders: readonly View[];
  /** The cursor is null on the last page. */
  readonly nextCursor: string | null;
};

/** Returns the condition that an order `o` comes after the cursor in a list that is sorted newest or oldest first. */
export const isBeyond = (
  given: Given<{ readonly after?: OrderCursor | undefined }>,
  first: 'newest' | 'oldest' = 'newest',
): Expression<SqlBool> =>
  sql<SqlBool>`(o.placed_at, o.order_id) ${sql.raw(first === 'newest' ? '<' : '>')} (${given(({ after }) => after?.placedAt)}, ${given(({ after }) => after?.id)})`;

/** `money` is the state of the payment; it is null before the first event. */
export type FoundOrder = Pick<OrderColumns, 'order_id' | 'state'> & { readonly money: string | null };

export const viewFound = ({ order_id, state, money }: FoundOrder): OrderView =>
  viewOrder(order_id, parseOrder({ state }), money === null ? undefined : parsePayment({ state: money }));

/** Makes a page of at most `limit` rows. The query selects one row more, to find out whether there is a next page. */
export const readPage = <Row extends FoundOrder & { readonly placed_at: Instant | null }, View>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => View,
): OrderPage<View> => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    orders: shown.map(view),
    nextCursor: last?.placed_at ? cursorAt({ placedAt: last.placed_at, id: last.order_id }) : null,
  };
};
