import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent, PaymentMethod } from '#domain/order/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { payment } from '#domain/payment/payment.ts';
import { isRefunding, statusBeforePayment, statusOfMoney, type Payment, type PaymentStatus } from '#domain/payment/rules.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import { NO_TEXT } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import { defineProjector, rowsTable, streamId, type Handles } from '../engine/define-projector.ts';
import { isOfPayment, onEveryPaymentEvent, orderOfPayment } from './order-rows.ts';

/**
 * The payment status of a placed order is decided by order and payment together, so that one index finds the payments with a status. The
 * row has no personal data, because a row of two streams cannot be reprojected for one of them.
 */
export type PaymentStatusRow = {
  order_id: OrderId;
  /** The value is null if the payment is known and the order is not. */
  placed_at: Instant | null;
  method: PaymentMethod | null;
  is_cancelled: boolean;
  status: PaymentStatus;
  is_mismatched: boolean;
  /** The value is true if a refund is under way, even one of an excess, which the status does not show. */
  is_refunding: boolean;
  /** The time when money last came in, through the gateway or as cash. */
  paid_at: Instant | null;
  /** The text is `Payment` as JSON, without the reasons of refunds; it is null before its first event. */
  state: string | null;
};

const placed = 'where placed_at is not null';

const statusesTable = rowsTable<PaymentStatusRow>({
  key: 'order_id',
  columns: {
    order_id: 'uuid',
    placed_at: 'instant',
    method: 'text',
    is_cancelled: 'boolean',
    status: 'text',
    is_mismatched: 'boolean',
    is_refunding: 'boolean',
    paid_at: 'instant',
    state: 'json',
  },
  indexes: [
    `(placed_at desc, order_id desc) ${placed}`,
    `(status, placed_at desc, order_id desc) ${placed}`,
    `(placed_at desc, order_id desc) ${placed} and is_mismatched`,
    `(placed_at desc, order_id desc) ${placed} and is_refunding`,
    '(paid_at) where paid_at is not null',
  ],
  category: 'order',
});

const tables = { payment_statuses: statusesTable };
type Tables = Handles<typeof tables>;

type Known = Pick<PaymentStatusRow, 'placed_at' | 'method' | 'is_cancelled'> & { readonly money: Payment | undefined };

const NOTHING: Known = { placed_at: null, method: null, is_cancelled: false, money: undefined };

const readKnown = (row: PaymentStatusRow | undefined): Known =>
  // The cast is safe: `createRow` writes the state.
  row ? { ...row, money: row.state === null ? undefined : (JSON.parse(row.state) as Payment) } : NOTHING;

/** Returns every amount that came in, and when. */
export const listIncomes = ({ captures, cash }: Payment): readonly { readonly amount: Paise; readonly at: Instant }[] =>
  cash ? [...captures, cash] : captures;

const lastPaidAt = (money: Payment): Instant | null =>
  listIncomes(money).reduce<Instant | null>((last, { at }) => (last !== null && last > at ? last : at), null);

const createRow = (order_id: OrderId, { placed_at, method, is_cancelled, money }: Known): PaymentStatusRow => ({
  order_id,
  placed_at,
  method,
  is_cancelled,
  status: (money && statusOfMoney(money)) ?? statusBeforePayment({ method, isCancelled: is_cancelled }),
  is_mismatched: money !== undefined && money.mismatches.length > 0,
  is_refunding: money !== undefined && isRefunding(money),
  paid_at: money ? lastPaidAt(money) : null,
  state: money === undefined ? null : JSON.stringify(money),
});

const impersonal = (event: Recorded<PaymentEvent>): PaymentEvent =>
  event.type === 'RefundRequested' ? { type: event.type, data: { ...event.data, reason: NO_TEXT } } : event;

const onPayment = ({ payment_statuses }: Tables, event: Recorded<PaymentEvent>): void => {
  const id = orderOfPayment(event.stream);
  if (!id) return;
  const known = readKnown(payment_statuses.get(id));
  payment_statuses.set(createRow(id, { ...known, money: payment.evolve(known.money ?? payment.initial, impersonal(event)) }));
};

const stays = (): void => {};

export const payments = defineProjector<OrderEvent | PaymentEvent>()({
  name: 'payments',
  version: 7,
  categories: ['order', 'payment'],
  tables,
  keys: (event) => {
    if (isOfPayment(event)) return { payment_statuses: [orderOfPayment(event.stream) ?? []].flat() };
    const isRelevant = event.type === 'OrderPlaced' || event.type === 'OrderCancelled';
    return isRelevant ? { payment_statuses: [streamId(event.stream)] } : {};
  },
  on: {
    ...onEveryPaymentEvent(onPayment),
    OrderPlaced: ({ payment_statuses }, { stream, data }) => {
      const id = orderId(streamId(stream));
      const known = readKnown(payment_statuses.get(id));
      payment_statuses.set(createRow(id, { ...known, placed_at: data.placedAt, method: data.method }));
    },
    // A cancelled draft has no payment.
    OrderCancelled: ({ payment_statuses }, { stream }) => {
      const row = payment_statuses.get(streamId(stream));
      if (row) payment_statuses.set(createRow(row.order_id, { ...readKnown(row), is_cancelled: true }));
    },
    OrderCreated: stays,
    OrderRevised: stays,
    OrderConfirmed: stays,
    OrderShipped: stays,
    OrderDelivered: stays,
    OrderReturned: stays,
    ReturnRequested: stays,
    ReturnDecided: stays,
    ReturnReceived: stays,
    OrderEmailCorrected: stays,
    OrderPacked: stays,
    OrderUnpacked: stays,
    ShipmentCorrected: stays,
    OrderClaimed: stays,
    PlacingAbandoned: stays,
    MoveAbandoned: stays,
  },
});
