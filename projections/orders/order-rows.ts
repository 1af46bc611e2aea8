import type { Recorded, StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { initialProgress, progressAfter } from '#domain/order/order.ts';
import type { OrderProgress } from '#domain/order/rules.ts';
import { completeCheckout } from '#domain/order/texts.ts';
import { paymentTerms, computeTotals } from '#domain/order/totals.ts';
import { progressFromView, viewContents, viewProgress, type OrderProgressView } from '#domain/order/view.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { payment } from '#domain/payment/payment.ts';
import type { Payment } from '#domain/payment/rules.ts';
import { viewBeforePayment, viewMoney, viewReturned } from '#domain/payment/view.ts';
import { isOrderId, orderId, type OrderId } from '#domain/shared/ids.ts';
import { paise, type Paise } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import { rowsTable, streamId, type Rows } from '../engine/define-projector.ts';

/**
 * An order's JSON is stored in two rows: its contents (most of it), which never change after placing, and its progress, which each event
 * changes. So an event writes only the smaller row.
 */
export type OrderContents = {
  order_id: OrderId;
  contents: string;
};

export type OrderProgressColumns = {
  order_id: OrderId;
  /** The text is `OrderProgressView` as JSON, with the fields that a read model adds. The next event is applied to its state. */
  progress: string;
  /** The text is `PaymentView` as JSON until something is paid: afterwards it is in the row of the payment's stream. */
  payment: string;
};

export const contentsTable = rowsTable<OrderContents>({
  key: 'order_id',
  columns: { order_id: 'uuid', contents: 'json' },
  category: 'order',
});

export type OrderParts = Pick<OrderProgressColumns, 'progress' | 'payment'> & Pick<OrderContents, 'contents'>;

/** Concatenates the order's JSON without parsing it. */
export const joinedView = ({ progress, contents, payment: paid }: OrderParts): string =>
  `${progress.slice(0, -1)},"payment":${paid},${contents.slice(1)}`;

/** The JSON is computed when the row is written, because in a rebuild most rows change several times before. */
export class OrderProgressRow implements OrderProgressColumns {
  constructor(
    readonly order_id: OrderId,
    readonly state: OrderProgress,
    readonly total: Paise,
  ) {}

  get progress(): string {
    return JSON.stringify(this.view);
  }

  get payment(): string {
    return JSON.stringify(viewBeforePayment({ ...paymentTerms(this.state), total: this.total }));
  }

  protected get view(): OrderProgressView {
    return viewProgress(this.order_id, this.state);
  }
}

const readState = (row: OrderProgressColumns): OrderProgress =>
  row instanceof OrderProgressRow ? row.state : progressFromView(JSON.parse(row.progress)); // written by `OrderProgressRow`

const readTotal = (row: OrderProgressColumns): Paise =>
  row instanceof OrderProgressRow ? row.total : paise(Math.round(JSON.parse(row.payment).amount * 100));

type Tables<Row extends object> = { readonly rows: Rows<Row>; readonly contents: Rows<OrderContents> };

/**
 * Applies an event to the rows of its order, with the state from the domain. `toRow` makes the row of its progress from the previous row,
 * if there is one. An order that was cancelled before it was placed may be created again in the same rows. Throws when it was never
 * created.
 */
export const applyOrderEvent = <Row extends OrderProgressColumns>(
  { rows, contents }: Tables<Row>,
  event: Recorded<OrderEvent>,
  toRow: (id: OrderId, state: OrderProgress, total: Paise, before: Readonly<Row> | undefined) => Row,
): void => {
  const key = streamId(event.stream);
  const before = rows.get(key);
  const id = before ? before.order_id : orderId(key);
  const stateBefore = before && readState(before);
  const state = event.type === 'OrderCreated' ? initialProgress(event.data.createdAt) : stateBefore && progressAfter(stateBefore, event);
  if (!state) throw new Error(`${event.stream} was never created`);
  const checkout = event.type === 'OrderCreated' || event.type === 'OrderRevised' ? event.data : undefined;
  if (checkout) contents.set({ order_id: id, contents: JSON.stringify(viewContents(completeCheckout(checkout))) });
  const total = checkout ? computeTotals(checkout).total : before && readTotal(before);
  if (total === undefined) throw new Error(`${event.stream} was never created`);
  rows.set(toRow(id, state, total, before));
};

export type PaymentColumns = {
  order_id: OrderId;
  /** The text is `Payment` as JSON, to which the next event is applied. */
  state: string;
  /**
   * The text is `PaymentView` as JSON. It has no status if the order keeps nothing of what was paid, and is null until something is paid
   * (`paymentSql`).
   */
  payment: string | null;
};

export const paymentColumns = { order_id: 'uuid', state: 'json', payment: 'json' } as const;

/**
 * The SQL selects an order's payment from its rows `o` and `p`: that of `o` if the order keeps no money, with its refunds, or else that of
 * `p`.
 */
export const paymentSql = `case when p.payment is null then o.payment when p.payment like '{"status"%' then p.payment
  else (o.payment::jsonb || p.payment::jsonb)::text end`;

export class PaymentRow implements PaymentColumns {
  constructor(
    readonly order_id: OrderId,
    readonly money: Payment,
  ) {}
  get state(): string {
    return JSON.stringify(this.money);
  }
  get payment(): string | null {
    const view = viewMoney(this.money) ?? viewReturned(this.money);
    return view ? JSON.stringify(view) : null;
  }
}

/** Returns the order of a payment's stream; undefined for a payment that names no order. */
export const orderOfPayment = (stream: StreamName): OrderId | undefined => {
  const id = streamId(stream);
  return isOrderId(id) ? id : undefined;
};

export const isOfPayment = ({ stream }: Pick<Recorded, 'stream'>): boolean => stream.startsWith('payment-');

/** Returns the payment after an event, from the previous row if there is one. */
export const moneyAfter = (event: Recorded<PaymentEvent>, before: PaymentColumns | undefined): Payment => {
  const known = before && (before instanceof PaymentRow ? before.money : (JSON.parse(before.state) as Payment)); // written by `PaymentRow`
  return payment.evolve(known ?? payment.initial, event);
};

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
    OrderClaimed: apply,
    PlacingAbandoned: apply,
  }) satisfies Record<OrderEvent['type'], unknown>;

/** This id sorts before every other id. */
export const LOWEST_ID = orderId('00000000-0000-0000-0000-000000000000');

/** A cursor contains the values by which the list is sorted: pages neither repeat nor skip an order. */
export type OrderCursor = { readonly placedAt: Instant; readonly id: OrderId };

const cursorAt = ({ placedAt, id }: OrderCursor): string => Buffer.from(`${Date.parse(placedAt)} ${id}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (\S+)$/;

/** Returns `undefined` if the cursor is invalid. */
export const parseCursor = (cursor: string): OrderCursor | undefined => {
  const [, milliseconds, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || id === undefined) return undefined;
  try {
    return { placedAt: instant(new Date(Number(milliseconds)).toISOString()), id: orderId(id) };
  } catch {
    return undefined;
  }
};

export type OrderPage = {
  /** The orders are JSON and sorted newest first. */
  readonly orders: readonly string[];
  /** The cursor is null on the last page. */
  readonly nextCursor: string | null;
};

export type PlacedRow = OrderParts & { order_id: OrderId; placed_at: Instant };

/** Makes a page of at most `limit` rows. The query selects one row more, to find out whether there is a next page. */
export const readPage = (rows: readonly PlacedRow[], limit: number): OrderPage => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    orders: shown.map(joinedView),
    nextCursor: last === undefined ? null : cursorAt({ placedAt: last.placed_at, id: last.order_id }),
  };
};
