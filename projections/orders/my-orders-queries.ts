import { sql, type Kysely } from 'kysely';

import type { OrderView } from '#domain/order/view.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { anyOf, prepare, type Given } from '../storage/prepare.ts';
import { isBeyond, LOWEST_ID, readPage, viewFound, type OrderCursor, type OrderPage } from './order-rows.ts';

export type MyOrdersQuery = { readonly shopper: ShopperId; readonly limit: number; readonly after?: OrderCursor | undefined };

export type MyOrders = {
  /** Returns the shopper's placed orders. */
  page(question: MyOrdersQuery): Promise<OrderPage>;
  /** Returns all orders of the shopper, placed or not, by id, after this one. */
  allOf(shopper: ShopperId, limit: number, after?: OrderId): Promise<readonly OrderView[]>;
  /** Returns the ids of all orders of the shopper, placed or not, at most `limit` after this one. */
  idsOf(shopper: ShopperId, limit: number, after?: OrderId): Promise<readonly OrderId[]>;
  /** Returns for each of these orders a text that changes whenever the order or its payment does. */
  marksOf(ids: readonly OrderId[]): Promise<ReadonlyMap<OrderId, string>>;
};

type Any = { readonly shopper: ShopperId; readonly limit: number; readonly after: OrderId };

const selectOrders = (db: Kysely<ReadModels>) =>
  db
    .selectFrom('my_orders as o')
    .leftJoin('my_order_payments as p', 'p.order_id', 'o.order_id')
    .select(['o.order_id', 'o.placed_at', 'o.state', 'p.state as money']);

const findPlaced = prepare((db: Kysely<ReadModels>, given: Given<MyOrdersQuery>, has) => {
  const query = selectOrders(db)
    .where('o.shopper_id', '=', given('shopper'))
    .where('o.placed_at', 'is not', null)
    .orderBy('o.placed_at', 'desc')
    .orderBy('o.order_id', 'desc')
    // The query asks for one row more than a page, to find out whether there is a next one.
    .limit(given(({ limit }) => limit + 1));
  return has.after ? query.where(isBeyond(given)) : query;
});

const findAll = prepare((db: Kysely<ReadModels>, given: Given<Any>) =>
  selectOrders(db)
    .where('o.shopper_id', '=', given('shopper'))
    .where('o.order_id', '>', given('after'))
    .orderBy('o.order_id')
    .limit(given('limit')),
);

const findIds = prepare((db: Kysely<ReadModels>, given: Given<Any>) =>
  db
    .selectFrom('my_orders')
    .select('order_id')
    .where('shopper_id', '=', given('shopper'))
    .where('order_id', '>', given('after'))
    .orderBy('order_id')
    .limit(given('limit')),
);

const findMarks = prepare((db: Kysely<ReadModels>, given: Given<readonly OrderId[]>) =>
  db
    .selectFrom('my_orders as o')
    .leftJoin('my_order_payments as p', 'p.order_id', 'o.order_id')
    .select(['o.order_id', sql<string>`md5(concat(o.state, p.state))`.as('mark')])
    .where('o.order_id', '=', anyOf(given((ids) => ids))),
);

export const myOrdersQueries = ({ db }: Pick<ReadDatabase, 'db'>): MyOrders => ({
  page: async (question) => readPage(await findPlaced(db, question), question.limit, viewFound),
  allOf: async (shopper, limit, after = LOWEST_ID) => (await findAll(db, { shopper, limit, after })).map(viewFound),
  idsOf: async (shopper, limit, after = LOWEST_ID) => (await findIds(db, { shopper, limit, after })).map(({ order_id }) => order_id),
  marksOf: async (ids) => new Map((await findMarks(db, ids)).map(({ order_id, mark }) => [order_id, mark])),
});
