import { sql, type Kysely } from 'kysely';

import type { Placement } from '#domain/order/events.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeTotals } from '#domain/order/totals.ts';
import type { Payment, PaymentStatus } from '#domain/payment/rules.ts';
import { isOrderId, isOrderNumber, type OrderId, type OrderNumber } from '#domain/shared/ids.ts';
import { rupees, type Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { formatTimeCursor, parseTimeCursor } from '../reading/time-cursor.ts';
import { anyOf, prepare, unnamed, type Given } from '../storage/prepare.ts';
import type { DeskPayment, UnknownPayment } from './desk-payments.ts';
import { parseOrder, parsePayment, viewFound, type FoundOrder } from './order-rows.ts';
import type { PaymentStatusRow } from './payment-statuses.ts';

/**
 * The view shows the payment of a placed order, or a payment without an order. Amounts are in rupees. `at` is the time of the last change,
 * or of placing if nothing was paid.
 */
export type DeskPaymentView = {
  readonly orderId: OrderId | null;
  readonly orderNumber: OrderNumber | null;
  readonly status: PaymentStatus | 'mismatch';
  readonly amount: number;
  readonly received: number;
  readonly refunded: number;
  readonly method: string | null;
  readonly at: Instant;
  readonly mismatch?: string;
  /** The parcel whose cash the courier has, in the list of those. */
  readonly parcel?: { readonly courier: string; readonly to: string; readonly deliveredAt: Instant | null };
};

/** Rows are sorted by the time of placing, or of a payment without an order, which follows the orders of the same time. */
export type DeskPaymentCursor = { readonly at: Instant; readonly order: OrderId | null; readonly unknown: string | null };

export type DeskPaymentQuery = {
  readonly limit: number;
  readonly status?: Exclude<PaymentStatus, 'none'> | 'mismatch' | 'with_couriers' | undefined;
  /** Only orders for which money came in since this time. */
  readonly paidSince?: Instant | undefined;
  readonly after?: DeskPaymentCursor | undefined;
};

export type DeskPaymentPage = { readonly payments: readonly DeskPaymentView[]; readonly nextCursor: string | null };

const cursorAt = ({ at, order, unknown }: DeskPaymentCursor): string => formatTimeCursor({ at, id: order ?? `?${unknown}` });

/** Returns `undefined` if the cursor is invalid. */
export const deskPaymentCursor = (text: string): DeskPaymentCursor | undefined => {
  const { at, id } = parseTimeCursor(text) ?? {};
  if (at === undefined || id === undefined) return undefined;
  if (isOrderId(id)) return { at, order: id, unknown: null };
  const [, unknown] = /^\?([\w-]{1,100})$/.exec(id) ?? [];
  return unknown === undefined ? undefined : { at, order: null, unknown };
};

type OrderPaymentRow = FoundOrder &
  Pick<PaymentStatusRow, 'status'> &
  Nullable<Pick<DeskPayment, 'received' | 'method' | 'at' | 'mismatch'>> & { readonly placed_at: Instant | null };
type Nullable<Of> = { readonly [Name in keyof Of]: Of[Name] | null };
type Placed = { readonly cursor: DeskPaymentCursor; readonly view: DeskPaymentView };

const viewParcel = (row: Pick<OrderPaymentRow, 'state'>): NonNullable<DeskPaymentView['parcel']> => {
  const { shipment, shippingAddress, deliveredAt } = parseOrder(row);
  const { name, city } = shippingAddress;
  return { courier: shipment?.courier ?? '', to: [...new Set([name, city])].join(', '), deliveredAt };
};

const ofOrder = (row: OrderPaymentRow): Placed => {
  const order = viewFound(row);

  const { order_id: orderId, status, mismatch } = row;
  const { orderNumber } = order;
  // The payment method of a paid order is in its view; that of an unpaid order is the method of the last payment.
  const { amount, refunded, method = row.method } = order.payment;
  const received = row.received === null ? 0 : rupees(row.received);
  const placedAt = row.placed_at ?? order.createdAt;
  const view = { orderId, orderNumber, status, amount, received, refunded, method, at: row.at ?? placedAt };
  return { cursor: { at: placedAt, order: orderId, unknown: null }, view: mismatch === null ? view : { ...view, mismatch } };
};

const ofNoOrder = ({ payment_id, amount: paid, method, news, at, mismatch }: UnknownPayment): Placed => {
  const amount = rupees(paid);
  const money = { amount, received: news === 'came' ? amount : 0, refunded: news === 'refunded' ? amount : 0, method, at, mismatch };
  return { cursor: { at, order: null, unknown: payment_id }, view: { orderId: null, orderNumber: null, status: 'mismatch', ...money } };
};

/** The parcel has left. What came back later was paid for at the door, so its courier owes it too. */
export const AWAY = ['shipped', 'delivered', 'returned'] as const;

const listOrders = async ({ db }: Databases, { limit, status, paidSince, after }: DeskPaymentQuery): Promise<readonly Placed[]> => {
  let query = db
    .selectFrom('payment_statuses as s')
    .innerJoin('orders_desk as o', 'o.order_id', 's.order_id')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 's.order_id')
    .select(['o.order_id', 's.placed_at', 'o.state', 's.status', 'p.state as money', 'p.received', 'p.method', 'p.at', 'p.mismatch'])
    .where('s.placed_at', 'is not', null)
    .orderBy('s.placed_at', 'desc')
    .orderBy('s.order_id', 'desc')
    .limit(limit);
  if (paidSince !== undefined) query = query.where('s.paid_at', '>=', paidSince);
  if (status === 'mismatch') query = query.where('s.is_mismatched', '=', sql.lit(true));
  else if (status === 'refunding') query = query.where('s.is_refunding', '=', sql.lit(true));
  else if (status === 'with_couriers') query = query.where('s.status', '=', 'on_delivery').where('o.status', 'in', AWAY);
  else if (status !== undefined) query = query.where('s.status', '=', status);
  if (after?.order) {
    const { at, order } = after;
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('s.placed_at', 's.order_id'), '<', tuple(at, order)));
  } else if (after) query = query.where('s.placed_at', '<', after.at);
  // Some statuses are rare and others are those of most orders, so that each needs its own plan.
  const rows = await query.modifyFront(unnamed).execute();
  return rows.map((row) => {
    const { cursor, view } = ofOrder(row);
    return { cursor, view: status === 'with_couriers' ? { ...view, parcel: viewParcel(row) } : view };
  });
};

const listUnknown = async ({ db }: Databases, { limit, status, paidSince, after }: DeskPaymentQuery): Promise<readonly Placed[]> => {
  if (paidSince !== undefined || (status !== undefined && status !== 'mismatch')) return [];
  let query = db.selectFrom('unknown_payments').selectAll().orderBy('at', 'desc').orderBy('payment_id', 'desc').limit(limit);
  if (after && after.unknown !== null) {
    const { at, unknown } = after;
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'payment_id'), '<', tuple(at, unknown)));
  } else if (after) query = query.where('at', '<=', after.at);
  return (await query.execute()).map(ofNoOrder);
};

/** Merges two lists that are sorted newest first. */
const merged = (orders: readonly Placed[], unknown: readonly Placed[]): readonly Placed[] =>
  // The sort is stable, so the order within each list stays.
  [...orders, ...unknown].sort(({ cursor: one }, { cursor: other }) => (one.at === other.at ? 0 : one.at < other.at ? 1 : -1));

/** The placed order has the data that booking its cash needs. */
export type OrderWithCash = {
  readonly id: OrderId;
  readonly method: 'COD' | 'Prepaid';
  readonly isDelivered: boolean;
  readonly customer: string;
  readonly total: Paise;
  readonly cash: Payment['cash'];
  readonly hasPayment: boolean;
};

const NUMBERS_AT_ONCE = 1_000;

const findByNumber = prepare((db: Kysely<ReadModels>, given: Given<{ readonly numbers: readonly OrderNumber[] }>) =>
  db
    .selectFrom('orders_desk as o')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
    .select(['o.order_id', 'o.state', 'p.state as money'])
    .where('o.number', '=', anyOf(given('numbers'))),
);

const withCash = (id: OrderId, order: ExistingOrder, { method }: Placement, money: string | null): OrderWithCash => ({
  id,
  method,
  isDelivered: order.status === 'delivered' || order.status === 'returned',
  customer: order.shippingAddress.name,
  total: computeTotals(order).total,
  cash: money === null ? null : parsePayment({ state: money }).cash,
  hasPayment: money !== null,
});

export type DeskPayments = {
  page(question: DeskPaymentQuery): Promise<DeskPaymentPage>;
  /** Returns the placed orders with these numbers, by number in lower case. */
  byNumber(numbers: readonly string[]): Promise<ReadonlyMap<string, OrderWithCash>>;
};

type Databases = Pick<ReadDatabase, 'db'>;

export const deskPaymentQueries = (databases: Databases): DeskPayments => ({
  page: async (question) => {
    // The query asks for one row more than the limit, to find out whether there is a next page.
    const more = { ...question, limit: question.limit + 1 };
    const found = merged(await listOrders(databases, more), await listUnknown(databases, more));
    const shown = found.slice(0, question.limit);
    const last = found.length > question.limit ? shown.at(-1) : undefined;
    return { payments: shown.map(({ view }) => view), nextCursor: last ? cursorAt(last.cursor) : null };
  },
  byNumber: async (numbers) => {
    const wanted = [...new Set(numbers.map((number) => number.toUpperCase()))].filter(isOrderNumber);
    const found = new Map<string, OrderWithCash>();
    for (let from = 0; from < wanted.length; from += NUMBERS_AT_ONCE)
      for (const { order_id, money, ...row } of await findByNumber(databases.db, { numbers: wanted.slice(from, from + NUMBERS_AT_ONCE) })) {
        const order = parseOrder(row);
        if (order.placement) found.set(order.placement.number.toLowerCase(), withCash(order_id, order, order.placement, money));
      }
    return found;
  },
});
