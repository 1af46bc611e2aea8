import type pg from 'pg';

import type { Payment, PaymentStatus } from '#domain/payment/rules.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import type { OrderProgressView } from '#domain/order/view.ts';
import { isOrderId, type OrderId, type OrderNumber } from '#domain/shared/ids.ts';
import { paise, rupees, type Paise } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import { nameTable } from '../engine/table-set.ts';
import { payments } from './payment-statuses.ts';
import type { UnknownPayment } from './desk-payments.ts';
import { paymentSql } from './order-rows.ts';
import { orderNumberIn, ordersDesk } from './orders-desk.ts';

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
};

/** Rows are sorted by the time of placing, or of a payment without an order, which follows the orders of the same time. */
export type DeskPaymentCursor = { readonly at: Instant; readonly order: OrderId | null; readonly unknown: string | null };

export type DeskPaymentQuery = {
  readonly limit: number;
  readonly status?: Exclude<PaymentStatus, 'none'> | 'mismatch' | undefined;
  readonly after?: DeskPaymentCursor | undefined;
};

export type DeskPaymentPage = { readonly payments: readonly DeskPaymentView[]; readonly nextCursor: string | null };

const cursorAt = ({ at, order, unknown }: DeskPaymentCursor): string =>
  Buffer.from(`${Date.parse(at)} ${order === null ? '?' : ''}${order ?? unknown}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (?:\?([\w-]{1,100})|([0-9a-f-]{36}))$/;

/** Returns `undefined` if the cursor is invalid. */
export const deskPaymentCursor = (text: string): DeskPaymentCursor | undefined => {
  const [, milliseconds, unknown = null, order = null] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const at = new Date(Number(milliseconds));
  if (Number.isNaN(at.getTime()) || at.getTime() > LAST || (order !== null && !isOrderId(order))) return undefined;
  return { at: instant(at.toISOString()), order, unknown };
};

/** The number is the time in ms at the end of the year 9999. */
const LAST = 253_402_300_799_999;

type OrderRow = {
  order_id: OrderId;
  placed_at: Instant;
  progress: string;
  status: PaymentStatus;
  payment: string;
  received: Paise | null;
  method: string | null;
  at: Instant | null;
  mismatch: string | null;
};
type Placed = { readonly cursor: DeskPaymentCursor; readonly view: DeskPaymentView };

const ofOrder = (row: OrderRow): Placed => {
  // The casts are safe: `OrderProgressRow` and `PaymentRow` write these columns.
  const { orderNumber } = JSON.parse(row.progress) as OrderProgressView;
  // The payment method of a paid order is in its view; that of an unpaid order is the method of the last payment.
  const { amount, refunded, method = row.method } = JSON.parse(row.payment) as PaymentView;
  const { order_id: orderId, status, mismatch } = row;
  const received = row.received === null ? 0 : rupees(row.received);
  const view = { orderId, orderNumber, status, amount, received, refunded, method, at: row.at ?? row.placed_at };
  return { cursor: { at: row.placed_at, order: orderId, unknown: null }, view: mismatch === null ? view : { ...view, mismatch } };
};

const ofNoOrder = ({ payment_id, amount: paid, method, news, at, mismatch }: UnknownPayment): Placed => {
  const amount = rupees(paid);
  const money = { amount, received: news === 'came' ? amount : 0, refunded: news === 'refunded' ? amount : 0, method, at, mismatch };
  return { cursor: { at, order: null, unknown: payment_id }, view: { orderId: null, orderNumber: null, status: 'mismatch', ...money } };
};

/** The query is not prepared, because some statuses are rare and others are those of most orders, so that each needs its own plan. */
const listOrders = async (pool: pg.Pool, { limit, status, after }: DeskPaymentQuery): Promise<readonly Placed[]> => {
  const values: unknown[] = [limit];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['s.placed_at is not null'];
  if (status === 'mismatch') conditions.push('s.is_mismatched');
  else if (status === 'refunding') conditions.push('s.is_refunding');
  else if (status !== undefined) conditions.push(`s.status = ${given(status)}`);
  if (after?.order) conditions.push(`(s.placed_at, s.order_id) < (${given(after.at)}, ${given(after.order)})`);
  else if (after) conditions.push(`s.placed_at < ${given(after.at)}`);
  const text = `select order_id, s.placed_at, o.progress, s.status,
      ${paymentSql} as payment, p.received, p.method, p.at, p.mismatch
    from ${nameTable(payments, 'payment_statuses')} s join ${nameTable(ordersDesk, 'orders_desk')} o using (order_id) left join ${nameTable(ordersDesk, 'orders_desk_payments')} p using (order_id)
    where ${conditions.join(' and ')} order by s.placed_at desc, s.order_id desc limit $1`;
  const { rows } = await pool.query<OrderRow>({ text, values });
  return rows.map(ofOrder);
};

const listUnknown = async (pool: pg.Pool, { limit, status, after }: DeskPaymentQuery): Promise<readonly Placed[]> => {
  if (status !== undefined && status !== 'mismatch') return [];
  const values: unknown[] = [limit];
  if (after) values.push(after.at, ...(after.unknown === null ? [] : [after.unknown]));
  const older = ['', '', 'where at <= $2', 'where (at, payment_id) < ($2, $3)'][values.length];
  const text = `select * from ${nameTable(ordersDesk, 'unknown_payments')} ${older} order by at desc, payment_id desc limit $1`;
  const { rows } = await pool.query<UnknownPayment>({ text, values });
  return rows.map(ofNoOrder);
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
  readonly total: Paise;
  readonly cash: Payment['cash'];
  readonly hasPayment: boolean;
};

type NumberedRow = { order_id: OrderId; number: string; status: string; progress: string; payment: string; state: string | null };

const BY_NUMBER = `select o.order_id, ${orderNumberIn} as number, o.status, o.progress, o.payment, p.state
  from ${nameTable(ordersDesk, 'orders_desk')} o left join ${nameTable(ordersDesk, 'orders_desk_payments')} p using (order_id)
  where o.placed_at is not null and ${orderNumberIn} = any($1)`;
const NUMBERS_AT_ONCE = 1_000;

const withCash = ({ order_id: id, status, progress, payment, state }: NumberedRow): OrderWithCash => ({
  id,
  method: (JSON.parse(progress) as OrderProgressView).paymentMethod ?? 'Prepaid',
  isDelivered: status === 'delivered' || status === 'returned',
  total: paise(Math.round((JSON.parse(payment) as PaymentView).amount * 100)),
  cash: state === null ? null : (JSON.parse(state) as Payment).cash,
  hasPayment: state !== null,
});

export type DeskPayments = {
  page(question: DeskPaymentQuery): Promise<DeskPaymentPage>;
  /** Returns the placed orders with these numbers, by number in lower case. */
  byNumber(numbers: readonly string[]): Promise<ReadonlyMap<string, OrderWithCash>>;
};

export const deskPaymentQueries = ({ pool }: { readonly pool: pg.Pool }): DeskPayments => ({
  page: async (question) => {
    // The query asks for one row more than the limit, to find out whether there is a next page.
    const more = { ...question, limit: question.limit + 1 };
    const found = merged(await listOrders(pool, more), await listUnknown(pool, more));
    const shown = found.slice(0, question.limit);
    const last = found.length > question.limit ? shown.at(-1) : undefined;
    return { payments: shown.map(({ view }) => view), nextCursor: last ? cursorAt(last.cursor) : null };
  },
  byNumber: async (numbers) => {
    const wanted = [...new Set(numbers.map((number) => number.toLowerCase()))];
    const found = new Map<string, OrderWithCash>();
    for (let from = 0; from < wanted.length; from += NUMBERS_AT_ONCE) {
      const values = [wanted.slice(from, from + NUMBERS_AT_ONCE)];
      const { rows } = await pool.query<NumberedRow>({ name: 'orders-by-number', text: BY_NUMBER, values });
      for (const row of rows) found.set(row.number, withCash(row));
    }
    return found;
  },
});
