import type { Recorded } from '#domain/event-store.ts';
import type { PaymentEvent, UnknownNews } from '#domain/payment/events.ts';
import { isAtGateway, nextLook, receivedAmount, statusOfMoney, type Payment, type PaymentStatus } from '#domain/payment/rules.ts';
import { mismatchesText, mismatchText } from '#domain/payment/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { ZERO, type Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import { rowsTable, streamId, type Rows } from '../engine/define-projector.ts';
import { moneyAfter, orderOfPayment, paymentColumns, PaymentRow, type PaymentColumns } from './order-rows.ts';

/** The row has the payment of an order, for the staff's search and for the payment worker. */
export type DeskPayment = PaymentColumns & {
  /** The value is null as long as nothing was paid: then `orders_desk.payment_status` is the status of the payment. */
  status: PaymentStatus | null;
  received: Paise;
  method: string | null;
  at: Instant;
  /** The text has a sentence for each mismatch that is not resolved. */
  mismatch: string | null;
  is_reminded: boolean;
  has_link: boolean;
  /** The value is true if a refund at the gateway is not settled yet. */
  is_refunding: boolean;
  /** The time comes from `nextLook`. */
  look_from: Instant | null;
};

export type UnknownPayment = {
  payment_id: string;
  amount: Paise;
  method: string;
  news: UnknownNews | 'unreadable';
  at: Instant;
  mismatch: string;
};

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
  indexes: [
    "(order_id) where status = 'refunding'",
    '(order_id) where is_refunding',
    '(order_id) where has_link',
    '(look_from) where look_from is not null',
  ],
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
    return mismatchesText(this.money.mismatches);
  }
  get is_reminded(): boolean {
    return this.money.isReminded;
  }
  get has_link(): boolean {
    return this.money.link !== null;
  }
  get is_refunding(): boolean {
    return this.money.refunds.some((refund) => refund.status === 'requested' && isAtGateway(refund));
  }
  get look_from(): Instant | null {
    return nextLook(this.money);
  }
}

type Tables = { readonly orders_desk_payments: Rows<DeskPayment>; readonly unknown_payments: Rows<UnknownPayment> };

/** These events change nothing of the payment itself. */
const MOVES: ReadonlySet<PaymentEvent['type']> = new Set(['MoveBegun', 'MoveEnded']);

export const applyToDesk = ({ orders_desk_payments, unknown_payments }: Tables, event: Recorded<PaymentEvent>): void => {
  const id = orderOfPayment(event.stream);
  const at = event.metadata.recordedAt;
  if (id) {
    const before = orders_desk_payments.get(id);
    const changedAt = MOVES.has(event.type) ? (before?.at ?? at) : at;
    return orders_desk_payments.set(new DeskPaymentRow(id, moneyAfter(event, before), changedAt));
  }
  if (event.type !== 'MismatchFound') return;
  const { mismatch } = event.data;
  const payment_id = streamId(event.stream);
  if (mismatch.kind === 'news_unreadable')
    unknown_payments.set({ payment_id, amount: ZERO, method: '', news: 'unreadable', at, mismatch: mismatchText(mismatch) });
  if (mismatch.kind !== 'unknown_order') return;
  const { amount, method, news = 'came' } = mismatch;
  // A failed payment may be reported after its money was captured.
  if (unknown_payments.get(payment_id)?.news === 'came') return;
  unknown_payments.set({ payment_id, amount, method, news, at, mismatch: mismatchText(mismatch) });
};
