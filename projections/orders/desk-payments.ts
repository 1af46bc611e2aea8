import type { Recorded } from '#domain/event-store.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { received, statusOfMoney, type Payment, type PaymentStatus } from '#domain/payment/rules.ts';
import { mismatchText } from '#domain/payment/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import { rowsTable, streamId, type Rows } from '../engine/define-projector.ts';
import { moneyAfter, orderOfPayment, paymentColumns, PaymentRow, type PaymentColumns } from './order-rows.ts';

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
};

/** Money that names no order of this shop. */
export type UnknownPayment = { payment_id: string; amount: Paise; method: string; at: Instant; mismatch: string };

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
  },
  indexes: ['(status)', '(order_id) where mismatch is not null', '(order_id) where is_refunding'],
  category: 'payment',
});

export const unknownPaymentsTable = rowsTable<UnknownPayment>({
  key: 'payment_id',
  columns: { payment_id: 'text', amount: 'paise', method: 'text', at: 'instant', mismatch: 'text' },
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
    return this.money.cash?.amount ?? received(this.money);
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
    return this.money.refunds.some(({ status }) => status === 'requested');
  }
}

type Tables = { readonly orders_desk_payments: Rows<DeskPayment>; readonly unknown_payments: Rows<UnknownPayment> };

export const applyToDesk = ({ orders_desk_payments, unknown_payments }: Tables, event: Recorded<PaymentEvent>): void => {
  const id = orderOfPayment(event.stream);
  const at = event.metadata.recordedAt;
  if (id) return orders_desk_payments.set(new DeskPaymentRow(id, moneyAfter(event, orders_desk_payments.get(id)), at));
  if (event.type !== 'MismatchFound' || event.data.mismatch.kind !== 'unknown_order') return;
  const { mismatch } = event.data;
  const { amount, method } = mismatch;
  unknown_payments.set({ payment_id: streamId(event.stream), amount, method, at, mismatch: mismatchText(mismatch) });
};
