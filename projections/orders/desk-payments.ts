import type pg from 'pg';

import type { Recorded } from '#domain/event-store.ts';
import type { PaymentEvent, UnknownNews } from '#domain/payment/events.ts';
import { isRefunding, nextLook, receivedAmount, statusOfMoney, type Payment, type PaymentStatus } from '#domain/payment/rules.ts';
import { mismatchText } from '#domain/payment/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import { rowsTable, streamId, type Rows } from '../engine/define-projector.ts';
import { LOWEST_ID, moneyAfter, orderOfPayment, paymentColumns, PaymentRow, type PaymentColumns } from './order-rows.ts';

/** The money of an order, as staff search it and as the shop looks for what is to be done. */
export type DeskPayment = PaymentColumns & {
  /** Null as long as no money came: then `orders_desk.payment_status` is that of the payment. */
  status: PaymentStatus | null;
  received: Paise;
  method: string | null;
  /** Of the last event. */
  at: Instant;
  /** The first that is not settled, as a sentence. */
  mismatch: string | null;
  is_reminded: boolean;
  /** Whether the gateway's page is open. */
  has_link: boolean;
  /** Whether a refund is not settled yet. */
  is_refunding: boolean;
  /** See `nextLook`. */
  look_from: Instant | null;
};

/** Money that names no order of this shop. */
export type UnknownPayment = { payment_id: string; amount: Paise; method: string; news: UnknownNews; at: Instant; mismatch: string };

export const deskPaymentsTable = rowsTable<DeskPayment>({
  key: 'order_id',
  columns: {
    ...paymentColumns,
    status: 'text',
    received: 'paise',
    method: 'text',
    at: 'instant',
    mismatch: 'text',
    is_reminded: 'boolean',
    has_link: 'boolean',
    is_refunding: 'boolean',
    look_from: 'instant',
  },
  indexes: ['(order_id) where is_refunding', '(order_id) where has_link', '(look_from) where look_from is not null'],
  category: 'payment',
});

export const unknownPaymentsTable = rowsTable<UnknownPayment>({
  key: 'payment_id',
  columns: { payment_id: 'text', amount: 'paise', method: 'text', news: 'text', at: 'instant', mismatch: 'text' },
  category: 'payment',
});

class DeskPaymentRow extends PaymentRow implements DeskPayment {
  constructor(
    id: OrderId,
    money: Payment,
    readonly at: Instant,
  ) {
    super(id, money);
  }
  get status(): PaymentStatus | null {
    return statusOfMoney(this.money) ?? null;
  }
  get received(): Paise {
    return this.money.cash?.amount ?? receivedAmount(this.money);
  }
  get method(): string | null {
    return this.money.cash ? 'cash' : (this.money.captures.at(-1)?.method ?? null);
  }
  get mismatch(): string | null {
    const [first] = this.money.mismatches;
    return first ? mismatchText(first) : null;
  }
  get is_reminded(): boolean {
    return this.money.isReminded;
  }
  get has_link(): boolean {
    return this.money.link !== null;
  }
  get is_refunding(): boolean {
    return isRefunding(this.money);
  }
  get look_from(): Instant | null {
    return nextLook(this.money);
  }
}

type Tables = { readonly orders_desk_payments: Rows<DeskPayment>; readonly unknown_payments: Rows<UnknownPayment> };

export const applyToDesk = ({ orders_desk_payments, unknown_payments }: Tables, event: Recorded<PaymentEvent>): void => {
  const id = orderOfPayment(event.stream);
  const at = event.metadata.recordedAt;
  if (id) return orders_desk_payments.set(new DeskPaymentRow(id, moneyAfter(event, orders_desk_payments.get(id)), at));
  if (event.type !== 'MismatchFound' || event.data.mismatch.kind !== 'unknown_order') return;
  const { mismatch } = event.data;
  const { amount, method, news = 'came' } = mismatch;
  const payment_id = streamId(event.stream);
  // A try that failed may be told after the money came.
  if (unknown_payments.get(payment_id)?.news === 'came') return;
  unknown_payments.set({ payment_id, amount, method, news, at, mismatch: mismatchText(mismatch) });
};

type Id = { order_id: OrderId };

/** Orders in one answer. */
export const MOST_ORDERS = 500;

const WITH_WORK = `select order_id from read.orders_desk_payments_v12 where is_refunding and order_id > $1
  union select p.order_id from read.orders_desk_payments_v12 p join read.orders_desk_v12 o using (order_id)
  where p.has_link and o.status = 'cancelled' and p.order_id > $1 order by order_id limit ${MOST_ORDERS}`;

/** Orders with a refund that is not settled, or cancelled ones whose page at the gateway is open, by id, after this one. */
export const ordersWithWork = async (pool: pg.Pool, after?: OrderId): Promise<readonly OrderId[]> => {
  const { rows } = await pool.query<Id>({ name: 'payments-with-work', text: WITH_WORK, values: [after ?? LOWEST_ID] });
  return rows.map(({ order_id }) => order_id);
};

const DUE = `select o.order_id from read.orders_desk_v12 o left join read.orders_desk_payments_v12 p using (order_id)
  where o.payment_status = 'due' and o.status = 'pending' and coalesce(p.status, 'due') = 'due' and o.placed_at <= $1 and o.placed_at > $2
    and not ($3 and coalesce(p.is_reminded, false)) order by o.placed_at limit ${MOST_ORDERS}`;

/** Orders due to be paid, which nobody has begun to work on, that were placed until then, and after; with `isReminder` without those whose shopper was reminded. */
export const dueOrders = async (
  pool: pg.Pool,
  { until, after, isReminder }: { readonly until: Instant; readonly after: Instant | undefined; readonly isReminder: boolean },
): Promise<readonly OrderId[]> => {
  const values = [until, after ?? '-infinity', isReminder];
  const { rows } = await pool.query<Id>({ name: 'payments-due', text: DUE, values });
  return rows.map(({ order_id }) => order_id);
};

const LATE = `select order_id from read.orders_desk_payments_v12 where look_from <= $1 order by look_from limit ${MOST_ORDERS}`;

/** Orders whose late payments are to be sought, if that time less the one for paying (`nextLook`) is until then. */
export const ordersToLookAt = async (pool: pg.Pool, until: Instant): Promise<readonly OrderId[]> => {
  const { rows } = await pool.query<Id>({ name: 'payments-late', text: LATE, values: [until] });
  return rows.map(({ order_id }) => order_id);
};
