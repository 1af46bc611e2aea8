import type { OrderStatus } from '#domain/order/rules.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import type { ReadDatabase } from '../database.ts';
import { joinedView } from './order-rows.ts';
import { searchText } from './orders-desk.ts';

/** Where a page of the desk ends: what the list is ordered by, so pages neither repeat nor lose an order when others come. */
export type DeskPlace = { readonly placedAt: Instant; readonly id: OrderId };

const cursorAt = ({ placedAt, id }: DeskPlace): string => Buffer.from(`${Date.parse(placedAt)} ${id}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (\S+)$/;

/** `undefined` for what is no cursor of this list. */
export const placeFrom = (cursor: string): DeskPlace | undefined => {
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
  readonly after?: DeskPlace | undefined;
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

export const ordersDeskIn = ({ pool }: Pick<ReadDatabase, 'pool'>): OrdersDesk => ({
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
