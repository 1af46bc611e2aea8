import type pg from 'pg';

import type { Actor, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { statusBeforePayment, type PaymentStatus } from '#domain/payment/rules.ts';
import { paymentTerms } from '#domain/order/totals.ts';
import type { OrderProgress, OrderStatus } from '#domain/order/rules.ts';
import type { OrderContentsView, OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';
import { normalizeText } from '#domain/shared/text.ts';

import { nameTable } from '../engine/table-set.ts';
import {
  contentsTable,
  applyOrderEvent,
  onEveryOrderEvent,
  type OrderCursor,
  type OrderPage,
  OrderProgressRow,
  readPage,
  isOfPayment,
  onEveryPaymentEvent,
  orderOfPayment,
  paymentSql,
  type PlacedRow,
  type OrderProgressColumns,
} from './order-rows.ts';
import { applyToDesk, deskPaymentsTable, unknownPaymentsTable } from './desk-payments.ts';
import { type Handles, defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';

/** Normalises a text for the desk's search, without NUL, which Postgres refuses. */
const searchText = (text: string): string => normalizeText(text.replaceAll('\0', ''));

/** Joins the texts by which an order is found, one a line. A search text has no line break, so it cannot match across two of them. */
const joinLines = (...texts: readonly string[]): string => texts.join('\n');

/** The row has an order's progress and the columns by which staff search. The rest of its JSON is in `orders_desk_contents`. */
export type DeskRow = OrderProgressColumns & {
  status: OrderStatus;
  /** The value is null for a draft, which staff do not see. */
  placed_at: Instant | null;
  /** The text has name and e-mail address of the recipient, as searches compare them. */
  buyer: string;
  /** The text has order number and buyer; it is null until the order is placed. */
  search: string | null;
  /** The status is that of the payment until something is paid. */
  payment_status: PaymentStatus;
  /** The value is true if a visitor made the order and no user has claimed it: then staff may erase its personal data. */
  guest: boolean;
};

const placed = 'where placed_at is not null';
/** These rows are few: only paid orders proceed, and all unpaid ones are included as long as payments are known. */
const underWayAndDue = `where payment_status = 'due' and status in ('pending', 'confirmed', 'shipped')`;
/** The first line of `search` is the order number. */
export const orderNumberIn = 'split_part(search, chr(10), 1)';

const ordersDeskTable = rowsTable<DeskRow>({
  key: 'order_id',
  columns: {
    order_id: 'uuid',
    status: 'text',
    placed_at: 'instant',
    buyer: 'text',
    search: 'text',
    guest: 'boolean',
    progress: 'json',
    payment: 'json',
    payment_status: 'text',
  },
  category: 'order',
  indexes: [
    // `search` is included for searches of one or two letters, which have no trigram.
    `(placed_at desc, order_id desc) include (search) ${placed}`,
    `(status, placed_at desc, order_id desc) ${placed}`,
    `using gin (search gin_trgm_ops) ${placed}`,
    `(placed_at desc, order_id desc) ${underWayAndDue}`,
    // This index covers all rows, because Postgres plans without the statistics of a partial index.
    `(${orderNumberIn})`,
  ],
});

/** Staff get the JSON of shoppers, with the actor of the last change and whether the order is a guest's. */
export type DeskView = OrderView & { readonly changedBy: Actor; readonly guest: boolean };

const tables = {
  orders_desk: ordersDeskTable,
  orders_desk_contents: contentsTable,
  orders_desk_payments: deskPaymentsTable,
  unknown_payments: unknownPaymentsTable,
};

class DeskOrder extends OrderProgressRow implements DeskRow {
  constructor(
    id: OrderId,
    state: OrderProgress,
    total: Paise,
    readonly buyer: string,
    readonly changedBy: Actor,
    readonly guest: boolean,
  ) {
    super(id, state, total);
  }
  get status(): OrderStatus {
    return this.state.status;
  }
  get payment_status(): PaymentStatus {
    return statusBeforePayment(paymentTerms(this.state));
  }
  get placed_at(): Instant | null {
    return this.state.placement?.placedAt ?? null;
  }
  get search(): string | null {
    const { placement } = this.state;
    return placement === null ? null : joinLines(searchText(placement.number), this.buyer);
  }
  protected override get view(): Omit<DeskView, keyof OrderContentsView | 'payment'> {
    return { ...super.view, changedBy: this.changedBy, guest: this.guest };
  }
}

/** Returns name and address of the recipient from the checkout; later events keep those of the previous row. */
const buyerAfter = ({ type, data }: OrderEvent, before: DeskRow | undefined): string => {
  if (type === 'OrderCreated' || type === 'OrderRevised') {
    const { name, email } = data.shippingAddress;
    return joinLines(searchText(name), searchText(email));
  }
  return before?.buyer ?? '';
};

const isGuestsAfter = ({ type, metadata }: Recorded<OrderEvent>, before: DeskRow | undefined): boolean => {
  if (type === 'OrderCreated') return metadata.actor.kind === 'visitor';
  return type !== 'OrderClaimed' && before?.guest === true;
};

const apply = ({ orders_desk, orders_desk_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  applyOrderEvent({ rows: orders_desk, contents: orders_desk_contents }, event, (id, state, total, before) => {
    return new DeskOrder(id, state, total, buyerAfter(event, before), event.metadata.actor, isGuestsAfter(event, before));
  });

/** Projects all orders, for listing and searching placed ones. */
export const ordersDesk = defineProjector<OrderEvent | PaymentEvent>()({
  name: 'orders-desk',
  version: 12,
  categories: ['order', 'payment'],
  tables,
  keys: (event) => {
    const ofOrder = orderOfPayment(event.stream);
    if (isOfPayment(event)) return ofOrder ? { orders_desk_payments: [ofOrder] } : { unknown_payments: [streamId(event.stream)] };
    return { orders_desk: [streamId(event.stream)] };
  },
  on: { ...onEveryOrderEvent(apply), ...onEveryPaymentEvent(applyToDesk) },
});

/** The filters apply to placed orders. `text` is searched in order number, name and e-mail address. */
export type DeskQuery = {
  readonly limit: number;
  readonly status?: OrderStatus | undefined;
  readonly text?: string | undefined;
  readonly after?: OrderCursor | undefined;
};

export type OrdersDesk = { page(question: DeskQuery): Promise<OrderPage> };

type Statement = { readonly name?: string; readonly text: string; readonly values: unknown[] };

/** Returns a `like` pattern for texts that contain this one. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Selects one row more than the limit, to find out whether there is a next page. */
const statementFor = ({ limit, status, text, after }: DeskQuery): Statement => {
  const values: unknown[] = [limit + 1];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['o.placed_at is not null'];
  if (status !== undefined) conditions.push(`o.status = ${given(status)}`);
  if (after !== undefined) conditions.push(`(o.placed_at, o.order_id) < (${given(after.placedAt)}, ${given(after.id)})`);
  const sought = searchText(text ?? '');
  if (sought !== '') conditions.push(`search like ${given(containing(sought))}`);
  const found = `select order_id, o.placed_at, o.progress, c.contents, ${paymentSql} as payment
    from ${nameTable(ordersDesk, 'orders_desk')} o join ${nameTable(ordersDesk, 'orders_desk_contents')} c using (order_id) left join ${nameTable(ordersDesk, 'orders_desk_payments')} p using (order_id)
    where ${conditions.join(' and ')}`;
  const statement = { text: `${found} order by o.placed_at desc, o.order_id desc limit $1`, values };
  // Searches are not prepared, so that each is planned for its text: either the trigram index or the order by time is faster.
  return sought === '' ? { name: `orders-desk ${conditions.length} ${status !== undefined}`, ...statement } : statement;
};

export const ordersDeskQueries = ({ pool }: { readonly pool: pg.Pool }): OrdersDesk => ({
  page: async (question) => {
    const { rows } = await pool.query<PlacedRow>(statementFor(question));
    return readPage(rows, question.limit);
  },
});
