import { sql, type Kysely } from 'kysely';

import type { OrderView } from '#domain/order/view.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import { anyOf, containing, prepare, unnamed, type Given } from '../storage/prepare.ts';
import { isBeyond, parseOrder, viewFound, type OrderCursor } from './order-rows.ts';
import { searchText } from './orders-desk.ts';

/** `customer` is the id of a user, or a guest's e-mail address in lower case. Only who placed an order and is not erased is a customer here. */
export type Customer = { readonly customer: string; readonly guest: boolean };

/** What a customer's placed orders come to. */
export type CustomerSums = {
  readonly orders: number;
  /** How many were neither cancelled nor wholly returned, and the sum of their totals. */
  readonly counted: number;
  readonly spent: Paise;
  /** How many were wholly returned. */
  readonly returned: number;
};

export type CustomerRow = Customer &
  CustomerSums & {
    /** Name and e-mail address are those of the newest order. */
    readonly name: string;
    readonly email: string;
    readonly newest: OrderCursor;
    readonly first: OrderId;
  };

/** `text` is a part of number, name or e-mail address of any of their orders. The user `account` is found whatever the text. */
export type CustomersQuery = {
  readonly limit: number;
  readonly text?: string | undefined;
  readonly account?: string | undefined;
  readonly guest?: boolean | undefined;
  readonly after?: OrderCursor | undefined;
};

type PageQuery = Omit<CustomersQuery, 'text' | 'account'> & {
  /** Only these customers are looked up. */
  readonly among?: readonly string[] | undefined;
  /** Each customer is tested for an order with this pattern, or for being `account`. */
  readonly pattern?: string | undefined;
  readonly account?: string | null | undefined;
};

const summed = (db: Kysely<ReadModels>) => {
  const counts = sql<boolean>`status not in ('cancelled', 'returned')`;
  return db
    .selectFrom('orders_desk')
    .select([
      sql<number>`count(*)::int`.as('orders'),
      sql<number>`(count(*) filter (where ${counts}))::int`.as('counted'),
      sql<Paise>`coalesce(sum(total) filter (where ${counts}), 0)::bigint`.as('spent'),
      sql<number>`(count(*) filter (where status = 'returned'))::int`.as('returned'),
    ]);
};

/** Selects one row more than the limit, to find out whether there is a next page. */
const findPage = prepare((db: Kysely<ReadModels>, given: Given<PageQuery>, has) => {
  let page = db
    .selectFrom('orders_desk as o')
    .select(['o.order_id', 'o.placed_at', 'o.customer'])
    .where('o.placed_at', 'is not', null)
    .where('o.customer', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('orders_desk as later')
            .whereRef('later.customer', '=', 'o.customer')
            .where(sql<boolean>`(later.placed_at, later.order_id) > (o.placed_at, o.order_id)`)
            .select('later.order_id'),
        ),
      ),
    )
    .orderBy('o.placed_at', 'desc')
    .orderBy('o.order_id', 'desc')
    .limit(given(({ limit }) => limit + 1));
  if (has.guest) page = page.where('o.guest', '=', given('guest'));
  if (has.after) page = page.where(isBeyond(given));
  if (has.among) page = page.where('o.customer', '=', anyOf(given('among')));
  if (has.pattern)
    page = page.where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('o.customer', '=', given('account')),
        exists(
          selectFrom('orders_desk as any')
            .whereRef('any.customer', '=', 'o.customer')
            .where('any.search', 'like', given('pattern'))
            .select('any.order_id')
            // Postgres would otherwise find all orders with the pattern first, which are many here.
            .offset(sql.lit(0)),
        ),
      ]),
    );
  return (
    db
      .selectFrom(page.as('p'))
      .innerJoin('orders_desk as d', 'd.order_id', 'p.order_id')
      .innerJoinLateral(
        summed(db)
          .where(sql<boolean>`customer = p.customer`)
          .as('s'),
        (join) => join.onTrue(),
      )
      .select(['d.order_id', 'd.placed_at', 'd.customer', 'd.guest', 'd.state', 's.orders', 's.counted', 's.spent', 's.returned'])
      .select(({ selectFrom }) =>
        selectFrom('orders_desk as f')
          .whereRef('f.customer', '=', 'p.customer')
          .select('f.order_id')
          .orderBy('f.placed_at')
          .orderBy('f.order_id')
          .limit(sql.lit(1))
          .as('first'),
      )
      .orderBy('p.placed_at', 'desc')
      .orderBy('p.order_id', 'desc')
      // Each set of conditions is fast by another index.
      .modifyFront(unnamed)
  );
});

/**
 * The customers of fewer matching orders are looked up one by one. Otherwise at least so many of the orders match that the list is searched
 * from its beginning. Either way takes seconds for a text of the other kind.
 */
const FEW = 2_000;

const findMatching = prepare((db: Kysely<ReadModels>, given: Given<{ readonly pattern: string; readonly few: number }>) =>
  db
    .selectFrom('orders_desk')
    .select('customer')
    .where('placed_at', 'is not', null)
    .where('customer', 'is not', null)
    .where('search', 'like', given('pattern'))
    .limit(given('few'))
    .modifyFront(unnamed),
);

const matching = async (db: Kysely<ReadModels>, text: string, account: string | undefined, few: number) => {
  const pattern = containing(text);
  const found = await findMatching(db, { pattern, few });
  if (found.length >= few) return { pattern, account: account ?? null };
  return { among: [...new Set([...found.flatMap(({ customer }) => customer ?? []), ...(account === undefined ? [] : [account])])] };
};

const sumOf = prepare((db: Kysely<ReadModels>, given: Given<Pick<Customer, 'customer'>>) =>
  summed(db)
    .select(({ fn }) => [
      sql<OrderId | null>`(array_agg(order_id order by placed_at, order_id))[1]`.as('first'),
      fn.min('placed_at').as('since'),
    ])
    .where('customer', '=', given('customer')),
);

const findOrders = prepare(
  (
    db: Kysely<ReadModels>,
    given: Given<{ readonly customer: string; readonly limit: number; readonly after?: OrderCursor | undefined }>,
    has,
  ) => {
    const orders = db
      .selectFrom('orders_desk as o')
      .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
      .select(['o.order_id', 'o.placed_at', 'o.state', 'p.state as money'])
      .where('o.customer', '=', given('customer'))
      .orderBy('o.placed_at', 'desc')
      .orderBy('o.order_id', 'desc')
      .limit(given('limit'));
    return has.after ? orders.where(isBeyond(given)) : orders;
  },
);

/** Queries customers by their placed orders. With another number than `FEW` a search gives the same, but takes longer. */
export const customerQueries = ({ db }: Pick<ReadDatabase, 'db'>, few = FEW) => ({
  /** Returns customers by their newest order, the newest first, and whether more follow. */
  page: async ({
    text = '',
    account,
    ...question
  }: CustomersQuery): Promise<{ readonly rows: readonly CustomerRow[]; readonly isLast: boolean }> => {
    const sought = searchText(text);
    const rows = await findPage(db, { ...question, ...(sought !== '' && (await matching(db, sought, account, few))) });
    return {
      rows: rows.slice(0, question.limit).map(({ order_id, placed_at, customer, state, first, ...row }) => {
        const { name, email } = parseOrder({ state }).shippingAddress;
        // Only placed orders have a customer.
        const newest = { placedAt: placed_at as Instant, id: order_id };
        return { ...row, customer: customer as string, name, email, newest, first: first as OrderId };
      }),
      isLast: rows.length <= question.limit,
    };
  },

  countGuests: async (): Promise<number> => {
    const { count } = await db
      .selectFrom(
        db
          .selectFrom('orders_desk')
          .select('customer')
          .distinct()
          .where('placed_at', 'is not', null)
          .where('customer', 'is not', null)
          .where('guest', '=', true)
          .as('g'),
      )
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow();
    return count;
  },

  /** Returns whose placed order it is; undefined if it is not placed, or its shopper is erased. */
  findOwner: async (order: OrderId): Promise<Customer | undefined> => {
    const row = await db.selectFrom('orders_desk').select(['customer', 'guest']).where('order_id', '=', order).executeTakeFirst();
    return row?.customer ? { customer: row.customer, guest: row.guest } : undefined;
  },

  /** Returns the sums, and the first order: null if there is none. */
  sum: async (customer: string): Promise<CustomerSums & { readonly first: OrderId | null; readonly since: Instant | null }> => {
    const [row] = await sumOf(db, { customer });
    if (!row) throw new Error('A sum has one row');
    return row;
  },

  /** Returns placed orders of the customer, the newest first: at most `limit`, older than the order `after`. */
  orders: async (customer: string, limit: number, after?: OrderView): Promise<readonly OrderView[]> => {
    const place = after?.placedAt ? { placedAt: after.placedAt, id: after._id } : undefined;
    return (await findOrders(db, { customer, limit, after: place })).map(viewFound);
  },

  /** Returns the ids of the visitors who placed a guest's orders. */
  shoppersOf: async (customer: string): Promise<readonly ShopperId[]> => {
    const rows = await db
      .selectFrom('orders_desk')
      .select(sql<ShopperId>`state::json ->> 'shopper'`.as('shopper'))
      .distinct()
      .where('customer', '=', customer)
      .execute();
    return rows.map(({ shopper }) => shopper);
  },
});
