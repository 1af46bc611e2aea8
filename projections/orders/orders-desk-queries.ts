import type { Kysely } from 'kysely';

import type { Actor } from '#domain/event-store.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { containing, queryUnnamed } from '../storage/prepare.ts';
import { readPage, viewFound, type FoundOrder, type OrderCursor, type OrderPage } from './order-rows.ts';
import { searchText, type DeskRow } from './orders-desk.ts';

/** Staff get the view of shoppers, with the actor of the last change and whether the order is a guest's. */
export type DeskView = OrderView & { readonly changedBy: Actor; readonly guest: boolean };

/** The filters apply to placed orders. `text` is searched in order number, name and e-mail address. */
export type DeskQuery = {
  readonly limit: number;
  readonly status?: OrderStatus | undefined;
  readonly text?: string | undefined;
  readonly after?: OrderCursor | undefined;
};

export type OrdersDesk = { page(question: DeskQuery): Promise<OrderPage<DeskView>> };

const viewDesk = (row: FoundOrder & Pick<DeskRow, 'changed_by' | 'guest'>): DeskView => ({
  ...viewFound(row),
  changedBy: JSON.parse(row.changed_by) as Actor, // written by `DeskOrder`
  guest: row.guest,
});

/** Selects one row more than the limit, to find out whether there is a next page. */
const selectPage = (db: Kysely<ReadModels>, { limit, status, text, after }: DeskQuery) => {
  let query = db
    .selectFrom('orders_desk as o')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
    .select(['o.order_id', 'o.placed_at', 'o.state', 'o.changed_by', 'o.guest', 'p.state as money'])
    .where('o.placed_at', 'is not', null)
    .orderBy('o.placed_at', 'desc')
    .orderBy('o.order_id', 'desc')
    .limit(limit + 1);
  if (status !== undefined) query = query.where('o.status', '=', status);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('o.placed_at', 'o.order_id'), '<', tuple(after.placedAt, after.id)));
  return text ? query.where('o.search', 'like', containing(text)) : query;
};

export const ordersDeskQueries = ({ db, pool }: Pick<ReadDatabase, 'db' | 'pool'>): OrdersDesk => ({
  page: async (question) => {
    const text = searchText(question.text ?? '');
    const query = selectPage(db, { ...question, text });
    // Either the trigram index or the order by time is faster for a search.
    const rows = text === '' ? await query.execute() : await queryUnnamed(pool, query);
    return readPage(rows, question.limit, viewDesk);
  },
});
