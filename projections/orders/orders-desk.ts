import type pg from 'pg';

import type { Actor, Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderProgress } from '#domain/order/state.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderContentsView, OrderView } from '#domain/order/view.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { normalizeText } from '#domain/shared/text.ts';

import {
  contentsTable,
  applyOrderEvent,
  joinedView,
  onEveryOrderEvent,
  OrderProgressRow,
  type OrderProgressColumns,
} from './order-rows.ts';
import { type Handles, defineProjector, rowsTable, streamId } from '../engine/define-projector.ts';

/** A text as the desk compares it: in lower case, without accents, and without the character that Postgres has no text for. */
export const searchText = (text: string): string => normalizeText(text.replaceAll('\0', ''));

/** Texts that an order is found by, as one. What is searched for lies within one of them, since it is in one line itself. */
export const inLines = (...texts: readonly string[]): string => texts.join('\n');

/** One order: what the staff find it by and how it stands. The rest of its answer is in `orders_desk_contents`. */
export type DeskRow = OrderProgressColumns & {
  status: OrderStatus;
  /** Null for a checkout under way, which is no business of the staff. */
  placed_at: Instant | null;
  /** Name and e-mail address of who gets it, as searches compare them. */
  buyer: string;
  /** Order number and buyer; null until it is placed. */
  search: string | null;
};

const placed = 'where placed_at is not null';

export const ordersDeskTable = rowsTable<DeskRow>({
  key: 'order_id',
  columns: {
    order_id: 'uuid',
    status: 'text',
    placed_at: 'instant',
    buyer: 'text',
    search: 'text',
    standing: 'json',
  },
  indexes: [
    // With what a search of one or two letters compares, which no trigram leads to.
    `(placed_at desc, order_id desc) include (search) ${placed}`,
    `(status, placed_at desc, order_id desc) ${placed}`,
    `using gin (search gin_trgm_ops) ${placed}`,
  ],
});

/** An order as the staff see it: as its shopper does, with who changed it last. */
export type DeskView = OrderView & { readonly changedBy: Actor };

const tables = { orders_desk: ordersDeskTable, orders_desk_contents: contentsTable };

class DeskOrder extends OrderProgressRow implements DeskRow {
  constructor(
    id: OrderId,
    stands: OrderProgress,
    readonly buyer: string,
    readonly changedBy: Actor,
  ) {
    super(id, stands);
  }
  get status(): OrderStatus {
    return this.progress.status;
  }
  get placed_at(): Instant | null {
    return this.progress.placement?.placedAt ?? null;
  }
  get search(): string | null {
    const { placement } = this.progress;
    return placement === null ? null : inLines(searchText(placement.number), this.buyer);
  }
  protected override get view(): Omit<DeskView, keyof OrderContentsView> {
    return { ...super.view, changedBy: this.changedBy };
  }
}

/** Name and address of who gets it, told by what is checked out: of what comes later, `before` has them. */
const buyerAfter = ({ type, data }: OrderEvent, before: DeskRow | undefined): string => {
  if (type === 'OrderCreated' || type === 'OrderRevised') {
    const { name, email } = data.shippingAddress;
    return inLines(searchText(name), searchText(email));
  }
  return before?.buyer ?? '';
};

const apply = ({ orders_desk, orders_desk_contents }: Handles<typeof tables>, event: Recorded<OrderEvent>): void =>
  applyOrderEvent({ standings: orders_desk, contents: orders_desk_contents }, event, (id, stands, before) => {
    return new DeskOrder(id, stands, buyerAfter(event, before), event.metadata.actor);
  });

/** Every order for the staff's desk, to be listed and searched once it is placed. */
export const ordersDesk = defineProjector<OrderEvent>()({
  name: 'orders-desk',
  version: 3,
  categories: ['order'],
  tables,
  keys: ({ stream }) => ({ orders_desk: [streamId(stream)] }),
  on: onEveryOrderEvent(apply),
});

/** Where a page of the desk ends: what the list is ordered by, so pages neither repeat nor lose an order when others come. */
export type DeskCursor = { readonly placedAt: Instant; readonly id: OrderId };

const cursorAt = ({ placedAt, id }: DeskCursor): string => Buffer.from(`${Date.parse(placedAt)} ${id}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (\S+)$/;

/** `undefined` for what is no cursor of this list. */
export const cursorFromText = (cursor: string): DeskCursor | undefined => {
  const [, milliseconds, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (milliseconds === undefined || id === undefined) return undefined;
  try {
    return { placedAt: instant(new Date(Number(milliseconds)).toISOString()), id: orderId(id) };
  } catch {
    return undefined;
  }
};

/** Which of the placed orders, and from where on. `text` is looked for in order number, name and e-mail address. */
export type DeskQuestion = {
  readonly limit: number;
  readonly status?: OrderStatus | undefined;
  readonly text?: string | undefined;
  readonly after?: DeskCursor | undefined;
};

export type DeskPage = {
  /** JSON text of `DeskView`s, the newest first. */
  readonly orders: readonly string[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
};

export type OrdersDesk = { page(question: DeskQuestion): Promise<DeskPage> };

type Found = { order_id: OrderId; placed_at: Instant; standing: string; contents: string };
type Statement = { readonly name?: string; readonly text: string; readonly values: unknown[] };

/** A text as a pattern that it is a part of. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** One more than asked for, which tells whether there is another page. */
const statementFor = ({ limit, status, text, after }: DeskQuestion): Statement => {
  const values: unknown[] = [limit + 1];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['placed_at is not null'];
  if (status !== undefined) conditions.push(`status = ${given(status)}`);
  if (after !== undefined) conditions.push(`(placed_at, order_id) < (${given(after.placedAt)}, ${given(after.id)})`);
  const sought = searchText(text ?? '');
  if (sought !== '') conditions.push(`search like ${given(containing(sought))}`);
  const found = `select order_id, placed_at, standing, contents from read.orders_desk_v3 join read.orders_desk_contents_v3 using (order_id)
    where ${conditions.join(' and ')}`;
  const statement = { text: `${found} order by placed_at desc, order_id desc limit $1`, values };
  // A search is planned anew each time: whether its trigrams or the order of time lead there sooner depends on what is sought.
  return sought === '' ? { name: `orders-desk ${conditions.length} ${status !== undefined}`, ...statement } : statement;
};

export const ordersDeskIn = ({ pool }: { readonly pool: pg.Pool }): OrdersDesk => ({
  page: async (question) => {
    const { rows } = await pool.query<Found>(statementFor(question));
    const shown = rows.slice(0, question.limit);
    const last = rows.length > question.limit ? shown.at(-1) : undefined;
    return {
      orders: shown.map(joinedView),
      nextCursor: last === undefined ? null : cursorAt({ placedAt: last.placed_at, id: last.order_id }),
    };
  },
});
