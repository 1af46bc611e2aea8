import { ERASED, isLost, type Actor, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { statusBeforePayment, type PaymentStatus } from '#domain/payment/rules.ts';
import { handlingStep, overdueFrom } from '#domain/order/next-steps.ts';
import { computeTotals, paymentTerms } from '#domain/order/totals.ts';
import type { ExistingOrder, OrderStatus } from '#domain/order/rules.ts';
import { orderId, type OrderId, type OrderNumber } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import { normalizeText } from '#domain/shared/text.ts';
import type { CalendarDate } from '#domain/shared/time.ts';

import { type Handles, defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';
import { applyToDesk, deskPaymentsTable, unknownPaymentsTable } from './desk-payments.ts';
import { createDeskReturn, deskReturnsTable } from './desk-returns.ts';
import {
  isOfPayment,
  onEveryOrderEvent,
  onEveryPaymentEvent,
  orderAfter,
  orderOfPayment,
  OrderRow,
  type OrderColumns,
} from './order-rows.ts';

/** Normalises a text for the desk's search, without NUL, which Postgres refuses. */
export const searchText = (text: string): string => normalizeText(text.replaceAll('\0', ''));

/** Joins the texts by which an order is found, one a line. A search text has no line break, so it cannot match across two of them. */
const joinLines = (...texts: readonly string[]): string => texts.join('\n');

/** Returns the name of the guest with this e-mail address; null if the address cannot be read, or is missing. */
const nameGuest = (email: string): string | null =>
  isLost(email) ? null : email.replaceAll('\0', '').trim().toLowerCase().normalize('NFC') || null;

/** The row has the columns by which staff search. */
export type DeskRow = OrderColumns & {
  status: OrderStatus;
  /** The number is null until the order is placed. */
  number: OrderNumber | null;
  /** The text has number, name and e-mail address of the recipient, as searches compare them; it is null until the order is placed. */
  search: string | null;
  /** The status is that of the payment until something is paid. */
  payment_status: PaymentStatus;
  /** The total is in paise. */
  total: Paise;
  /** The value is true if a visitor made the order and no user has claimed it: then staff may erase its personal data. */
  guest: boolean;
  /**
   * Names whose order it is: the id of the user, or of a guest the e-mail address in lower case. It is null until the order is placed, and once
   * its shopper is erased.
   */
  customer: string | null;
  /** The text is the `Actor` of the last change as JSON. */
  changed_by: string;
  /** What staff do next, unless its payment forbids it. */
  step: ReturnType<typeof handlingStep>;
  /** The first day on which the order is overdue; null unless it is under way. */
  overdue_from: CalendarDate | null;
};

const placed = 'where placed_at is not null';
/** These rows are few: only paid orders proceed, and all unpaid ones are included as long as payments are known. */
const underWayAndDue = `where payment_status = 'due' and status in ('pending', 'confirmed', 'shipped')`;

const ordersDeskTable = rowsTable<DeskRow>({
  key: 'order_id',
  columns: {
    order_id: 'uuid',
    status: 'text',
    placed_at: 'instant',
    number: 'text',
    search: 'text',
    total: 'paise',
    guest: 'boolean',
    customer: 'text',
    changed_by: 'json',
    state: 'json',
    payment_status: 'text',
    step: 'text',
    overdue_from: 'text',
  },
  category: 'order',
  indexes: [
    // `search` is included for searches of one or two letters, which have no trigram; the others for the list of customers, which has a row for
    // each one's newest order.
    `(placed_at desc, order_id desc) include (search, customer, guest) ${placed}`,
    `(status, placed_at desc, order_id desc) ${placed}`,
    `using gin (search gin_trgm_ops) ${placed}`,
    `(placed_at desc, order_id desc) ${underWayAndDue}`,
    `(step, placed_at desc, order_id desc) where overdue_from is not null`,
    // The lists of what is next are counted from this index and the payments of its orders.
    `(placed_at desc, order_id desc) include (step, overdue_from, payment_status) where overdue_from is not null`,
    '(number)',
    // A customer's orders, and what they come to.
    '(customer, placed_at desc, order_id desc) include (total, status) where customer is not null',
  ],
});

const tables = {
  orders_desk: ordersDeskTable,
  orders_desk_payments: deskPaymentsTable,
  orders_desk_returns: deskReturnsTable,
  unknown_payments: unknownPaymentsTable,
};

class DeskOrder extends OrderRow implements DeskRow {
  constructor(
    id: OrderId,
    order: ExistingOrder,
    readonly actor: Actor,
    readonly guest: boolean,
  ) {
    super(id, order);
  }
  get status(): OrderStatus {
    return this.order.status;
  }
  get payment_status(): PaymentStatus {
    return statusBeforePayment(paymentTerms(this.order));
  }
  get number(): OrderNumber | null {
    return this.order.placement?.number ?? null;
  }
  get search(): string | null {
    const { name, email } = this.order.shippingAddress;
    return this.number === null ? null : joinLines(...[this.number, name, email].map(searchText));
  }
  get total(): Paise {
    return computeTotals(this.order).total;
  }
  get customer(): string | null {
    const { email } = this.order.shippingAddress;
    if (this.number === null || email === ERASED) return null;
    return this.guest ? nameGuest(email) : this.order.shopper;
  }
  get changed_by(): string {
    return JSON.stringify(this.actor);
  }
  get step(): DeskRow['step'] {
    return this.placed_at === null ? null : handlingStep(this.order);
  }
  get overdue_from(): CalendarDate | null {
    return overdueFrom(this.order.status, this.placed_at);
  }
}

const isGuestsAfter = ({ type, metadata }: Recorded<OrderEvent>, before: DeskRow | undefined): boolean => {
  if (type === 'OrderCreated') return metadata.actor.kind === 'visitor';
  return type !== 'OrderClaimed' && before?.guest === true;
};

const apply = ({ orders_desk }: Handles<typeof tables>, event: Recorded<OrderEvent>): DeskOrder => {
  const id = orderId(streamId(event.stream));
  const before = orders_desk.get(id);
  const row = new DeskOrder(id, orderAfter(event, before), event.metadata.actor, isGuestsAfter(event, before));
  orders_desk.set(row);
  return row;
};

const applyReturn = (handles: Handles<typeof tables>, event: Recorded<OrderEvent>): void => {
  const row = createDeskReturn(apply(handles, event));
  if (row) handles.orders_desk_returns.set(row);
};

/** Projects all orders, for listing and searching placed ones. */
export const ordersDesk = defineProjector<OrderEvent | PaymentEvent>()({
  name: 'orders-desk',
  version: 18,
  categories: ['order', 'payment'],
  tables,
  keys: (event) => {
    const ofOrder = orderOfPayment(event.stream);
    if (isOfPayment(event)) return ofOrder ? { orders_desk_payments: [ofOrder] } : { unknown_payments: [streamId(event.stream)] };
    return { orders_desk: [streamId(event.stream)] };
  },
  on: {
    ...onEveryOrderEvent(apply),
    ReturnRequested: applyReturn,
    ReturnDecided: applyReturn,
    ReturnReceived: applyReturn,
    ...onEveryPaymentEvent(applyToDesk),
  },
});
