import type { Kysely } from 'kysely';

import type { Actor } from '#domain/event-store.ts';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { containing, prepare, unnamed, type Given } from '../storage/prepare.ts';
import { isOlder, readPage, viewFound, type FoundOrder, type OrderCursor, type OrderPage } from './order-rows.ts';
import { searchText, type DeskRow } from './orders-desk.ts';

/**
 * Staff get the view of shoppers, with the actor of the last change, whether the order is a guest's, and a sentence for each mismatch of its
 * payment. `mailProblem` is not in the log, so the caller fills it in.
 */
export type DeskView = OrderView & {
  readonly changedBy: Actor;
  readonly guest: boolean;
  readonly mismatch?: string;
  readonly mailProblem: null;
};

/** The filters apply to placed orders. `text` is searched in order number, name and e-mail address. */
export type DeskQuery = {
  readonly limit: number;
  readonly status?: OrderStatus | undefined;
  readonly text?: string | undefined;
  readonly after?: OrderCursor | undefined;
};

export type OrdersDesk = { page(question: DeskQuery): Promise<OrderPage<DeskView>> };

type FoundRow = FoundOrder & Pick<DeskRow, 'changed_by' | 'guest'> & { readonly mismatch: string | null };

const viewDesk = ({ mismatch, ...row }: FoundRow): DeskView => ({
  ...viewFound(row),
  changedBy: JSON.parse(row.changed_by) as Actor, // written by `DeskOrder`
  guest: row.guest,
  mailProblem: null,
  ...(mismatch !== null && { mismatch }),
});

/** Selects one row more than the limit, to find out whether there is a next page. */
const findPage = prepare((db: Kysely<ReadModels>, given: Given<DeskQuery>, has) => {
  let query = db
    .selectFrom('orders_desk as o')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
    .select(['o.order_id', 'o.placed_at', 'o.state', 'o.changed_by', 'o.guest', 'p.state as money', 'p.mismatch'])
    .where('o.placed_at', 'is not', null)
    .orderBy('o.placed_at', 'desc')
    .orderBy('o.order_id', 'desc')
    .limit(given(({ limit }) => limit + 1));
  if (has.status) query = query.where('o.status', '=', given('status'));
  if (has.after) query = query.where(isOlder(given));
  if (!has.text) return query;
  const pattern = given(({ text = '' }) => containing(text));
  // Either the trigram index or the order by time is faster for a search.
  return query.where('o.search', 'like', pattern).modifyFront(unnamed);
});

export const ordersDeskQueries = ({ db }: Pick<ReadDatabase, 'db'>): OrdersDesk => ({
  page: async (question) => {
    const text = searchText(question.text ?? '') || undefined;
    return readPage(await findPage(db, { ...question, text }), question.limit, viewDesk);
  },
});
