import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';

import type { OrderView, ReturnView } from '#domain/order/view.ts';
import { CASH } from '#domain/payment/events.ts';
import { isOrderId, type OrderId, type OrderNumber } from '#domain/shared/ids.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { formatTimeCursor, parseTimeCursor, type TimeCursor } from '../reading/time-cursor.ts';
import { unnamed } from '../storage/prepare.ts';
import type { DeskReturn } from './desk-returns.ts';
import { viewFound, type FoundOrder } from './order-rows.ts';

/** `to_refund` has those whose cash staff have to send back; `waiting` has all that staff have to do something about. */
export const returnLists = ['requested', 'accepted', 'refused', 'received', 'to_refund', 'waiting'] as const;
export type ReturnList = (typeof returnLists)[number];

export type ReturnQuery = { readonly limit: number; readonly status?: ReturnList | undefined; readonly after?: TimeCursor | undefined };

/** A return with its order. */
export type DeskReturnView = ReturnView & {
  readonly orderId: OrderId;
  readonly orderNumber: OrderNumber | null;
  readonly order: OrderView;
};
export type DeskReturnPage = { readonly returns: readonly DeskReturnView[]; readonly nextCursor: string | null };
/** How many returns staff have to do something about. */
export type ReturnCounts = Readonly<Record<'requested' | 'accepted' | 'to_refund', number>>;

/** Returns `undefined` if the cursor is invalid. */
export const returnCursor = (text: string): TimeCursor | undefined => {
  const cursor = parseTimeCursor(text);
  const [, order = ''] = /^([0-9a-f-]{36})-[1-9]\d{0,5}$/.exec(cursor?.id ?? '') ?? [];
  return isOrderId(order) ? cursor : undefined;
};

const cursorAt = ({ requested_at, return_id }: Pick<DeskReturn, 'requested_at' | 'return_id'>): string =>
  formatTimeCursor({ at: requested_at, id: return_id });

const joined = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('orders_desk_returns as r')
    .innerJoin('orders_desk as o', 'o.order_id', 'r.order_id')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 'r.order_id');

/**
 * Selects the order of each refund that staff have to send in cash, and the number of its return, if it is for one. Few payments are being
 * refunded, and an index has them.
 */
export const cashRefundsToSend = (db: Kysely<ReadModels>) =>
  db
    .selectFrom(['orders_desk_payments as money', sql`json_array_elements(money.state::json -> 'refunds')`.as('refund')])
    .where('money.status', '=', sql.lit('refunding'))
    .where(sql<SqlBool>`refund ->> 'payment' = ${sql.lit(CASH)} and refund ->> 'status' = 'requested'`)
    .select('money.order_id');

/** The condition that staff have to send the cash of a return `r` back. */
const isToRefund = (db: Kysely<ReadModels>) => {
  const ofReturns = cashRefundsToSend(db).select(sql<number>`(refund ->> 'return')::int`.as('number'));
  return sql<SqlBool>`(r.status = 'received' and (r.order_id, r.number) in ${ofReturns})`;
};
const isWaiting = (db: Kysely<ReadModels>) => sql<SqlBool>`(r.status in ('requested', 'accepted') or ${isToRefund(db)})`;

type FoundReturn = FoundOrder & Pick<DeskReturn, 'return_id' | 'requested_at' | 'number'>;

const viewRow = ({ number, ...row }: FoundReturn): readonly DeskReturnView[] => {
  const order = viewFound(row);
  const found = order.returns[number - 1];
  return found ? [{ orderId: order._id, orderNumber: order.orderNumber, ...found, order }] : [];
};

export const deskReturnQueries = ({ db }: Pick<ReadDatabase, 'db'>) => ({
  /** Newest first. The query selects one row more than the limit, to find out whether there is a next page. */
  page: async ({ limit, status, after }: ReturnQuery): Promise<DeskReturnPage> => {
    let query = joined(db)
      .select(['r.return_id', 'r.requested_at', 'r.number', 'o.order_id', 'o.state', 'p.state as money'])
      .orderBy('r.requested_at', 'desc')
      .orderBy('r.return_id', 'desc')
      .limit(limit + 1);
    if (status === 'to_refund') query = query.where(isToRefund(db));
    else if (status === 'waiting') query = query.where(isWaiting(db));
    else if (status !== undefined) query = query.where('r.status', '=', status);
    if (after)
      query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('r.requested_at', 'r.return_id'), '<', tuple(after.at, after.id)));
    const rows = await query.modifyFront(unnamed).execute();
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return { returns: rows.slice(0, limit).flatMap(viewRow), nextCursor: last ? cursorAt(last) : null };
  },
  counts: async (): Promise<ReturnCounts> => {
    const count = (condition: RawBuilder<SqlBool>) => sql<number>`count(*) filter (where ${condition})::int`;
    return db
      .selectFrom('orders_desk_returns as r')
      .select([
        count(sql`r.status = 'requested'`).as('requested'),
        count(sql`r.status = 'accepted'`).as('accepted'),
        count(sql`r.status = 'received'`).as('to_refund'),
      ])
      .where(isWaiting(db))
      .executeTakeFirstOrThrow();
  },
});
