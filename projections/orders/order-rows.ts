import type { Recorded, StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { initialProgress, progressAfter } from '#domain/order/order.ts';
import type { OrderProgress } from '#domain/order/rules.ts';
import { completeCheckout } from '#domain/order/texts.ts';
import { paymentTerms, totalsOf } from '#domain/order/totals.ts';
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
 * changes. So an event writes only the smaller one.
 */
export type OrderContents = {
  order_id: OrderId;
  /** `OrderContentsView` as JSON. */
  contents: string;
};

export type OrderProgressColumns = {
  order_id: OrderId;
  /** `OrderProgressView` as JSON, with the fields that a read model adds. The next event is applied to the state in it. */
  progress: string;
  /** `PaymentView` as JSON, as long as no money came: afterwards it is in the row of the payment's stream. */
  payment: string;
};

export const contentsTable = rowsTable<OrderContents>({
  key: 'order_id',
  columns: { order_id: 'uuid', contents: 'json' },
  category: 'order',
});

/** The three parts of an order's JSON. */
export type OrderParts = Pick<OrderProgressColumns, 'progress' | 'payment'> & Pick<OrderContents, 'contents'>;

/** The order's JSON, concatenated without parsing. */
export const joinedView = ({ progress, contents, payment: paid }: OrderParts): string =>
  `${progress.slice(0, -1)},"payment":${paid},${contents.slice(1)}`;

/** The JSON is computed when the row is written: in a rebuild most rows change several times before. */
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

const stateOf = (row: OrderProgressColumns): OrderProgress =>
  row instanceof OrderProgressRow ? row.state : progressFromView(JSON.parse(row.progress)); // written by `OrderProgressRow`

const totalIn = (row: OrderProgressColumns): Paise =>
  row instanceof OrderProgressRow ? row.total : paise(Math.round(JSON.parse(row.payment).amount * 100));

type Tables<Row extends object> = { readonly rows: Rows<Row>; readonly contents: Rows<OrderContents> };

/**
 * Applies an event to the rows of its order, with the state from the domain; `toRow` makes the row of its progress, from the previous row
 * if there is one. An order that was cancelled before it was placed may be created again, in the same rows. Throws when it was never
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
  const stateBefore = before && stateOf(before);
  const state = event.type === 'OrderCreated' ? initialProgress(event.data.createdAt) : stateBefore && progressAfter(stateBefore, event);
  if (!state) throw new Error(`${event.stream} was never created`);
  const checkout = event.type === 'OrderCreated' || event.type === 'OrderRevised' ? event.data : undefined;
  if (checkout) contents.set({ order_id: id, contents: JSON.stringify(viewContents(completeCheckout(checkout))) });
  const total = checkout ? totalsOf(checkout).total : before && totalIn(before);
  if (total === undefined) throw new Error(`${event.stream} was never created`);
  rows.set(toRow(id, state, total, before));
};

export type PaymentColumns = {
  order_id: OrderId;
  /** `Payment` as JSON: the next event is applied to it. */
  state: string;
  /** `PaymentView` as JSON; without a status if the order keeps nothing of what came; null as long as no money came. See `paymentSql`. */
  payment: string | null;
};

export const paymentColumns = { order_id: 'uuid', state: 'json', payment: 'json' } as const;

/** In SQL, of the rows `o` of an order and `p` of its payment: that of the order, as long as it keeps no money, with what goes back. */
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

/** The order that a payment's stream is about; undefined for money that names none. */
export const orderOfPayment = (stream: StreamName): OrderId | undefined => {
  const id = streamId(stream);
  return isOrderId(id) ? id : undefined;
};

export const isOfPayment = ({ stream }: Pick<Recorded, 'stream'>): boolean => stream.startsWith('payment-');

/** The payment after an event, with the row before it if there is one. */
export const moneyAfter = (event: Recorded<PaymentEvent>, before: PaymentColumns | undefined): Payment => {
  const known = before && (before instanceof PaymentRow ? before.money : (JSON.parse(before.state) as Payment)); // written by `PaymentRow`
  return payment.evolve(known ?? payment.initial, event);
};

/** As `onEveryOrderEvent`, for payments. */
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

/** For a read model with one handler for all events of orders. A new event does not compile until it is listed here. */
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

/** Sorts before every id. */
export const LOWEST_ID = orderId('00000000-0000-0000-0000-000000000000');

/** A cursor contains the values that the list is sorted by: pages neither repeat nor skip an order. */
export type OrderCursor = { readonly placedAt: Instant; readonly id: OrderId };

const cursorAt = ({ placedAt, id }: OrderCursor): string => Buffer.from(`${Date.parse(placedAt)} ${id}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (\S+)$/;

/** `undefined` if the cursor is invalid. */
export const cursorFromText = (cursor: string): OrderCursor | undefined => {
  const [, milliseconds, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || id === undefined) return undefined;
  try {
    return { placedAt: instant(new Date(Number(milliseconds)).toISOString()), id: orderId(id) };
  } catch {
    return undefined;
  }
};

export type OrderPage = {
  /** JSON of orders, newest first. */
  readonly orders: readonly string[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
};

export type PlacedRow = OrderParts & { order_id: OrderId; placed_at: Instant };

/** A page of so many rows. The query selects one row more, to know whether there is a next page. */
export const pageFrom = (rows: readonly PlacedRow[], limit: number): OrderPage => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    orders: shown.map(joinedView),
    nextCursor: last === undefined ? null : cursorAt({ placedAt: last.placed_at, id: last.order_id }),
  };
};
