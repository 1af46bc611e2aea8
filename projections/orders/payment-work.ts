import { sql, type Kysely } from 'kysely';

import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { ReadModels } from '../database.ts';
import { LOWEST_ID } from './order-rows.ts';

/** A query returns at most so many orders. */
export const MOST_ORDERS = 500;

const toIds = (rows: readonly { readonly order_id: OrderId }[]): readonly OrderId[] => rows.map(({ order_id }) => order_id);

/** Returns orders with an unsettled refund, and cancelled orders with an open page at the gateway, sorted by id, after this one. */
export const ordersWithWork = async (db: Kysely<ReadModels>, after: OrderId = LOWEST_ID): Promise<readonly OrderId[]> => {
  const refunding = db
    .selectFrom('orders_desk_payments')
    .select('order_id')
    .where('is_refunding', '=', sql.lit(true))
    .where('order_id', '>', after);
  const withLink = db
    .selectFrom('orders_desk_payments as p')
    .innerJoin('orders_desk as o', 'o.order_id', 'p.order_id')
    .select('p.order_id')
    .where('p.has_link', '=', sql.lit(true))
    .where('o.status', '=', 'cancelled')
    .where('p.order_id', '>', after);
  return toIds(await refunding.union(withLink).orderBy('order_id').limit(MOST_ORDERS).execute());
};

/**
 * Returns unpaid orders on which nobody has begun to work, placed up to a time and after another; with `isReminder` only those not yet
 * reminded.
 */
export const dueOrders = async (
  db: Kysely<ReadModels>,
  { until, after, isReminder }: { readonly until: Instant; readonly after: Instant | undefined; readonly isReminder: boolean },
): Promise<readonly OrderId[]> => {
  let query = db
    .selectFrom('orders_desk as o')
    .leftJoin('orders_desk_payments as p', 'p.order_id', 'o.order_id')
    .select('o.order_id')
    .where('o.payment_status', '=', sql.lit('due'))
    .where('o.status', '=', sql.lit('pending'))
    .where(({ eb, fn }) => eb(fn.coalesce('p.status', sql.lit('due')), '=', sql.lit('due')))
    .where('o.placed_at', '<=', until);
  if (after !== undefined) query = query.where('o.placed_at', '>', after);
  if (isReminder) query = query.where('p.is_reminded', 'is not', true);
  return toIds(await query.orderBy('o.placed_at').limit(MOST_ORDERS).execute());
};

/** Returns orders whose late payments are to be looked for: those with a `nextLook` up to this time. */
export const ordersToLookAt = async (db: Kysely<ReadModels>, until: Instant): Promise<readonly OrderId[]> =>
  toIds(
    await db
      .selectFrom('orders_desk_payments')
      .select('order_id')
      .where('look_from', '<=', until)
      .orderBy('look_from')
      .limit(MOST_ORDERS)
      .execute(),
  );
