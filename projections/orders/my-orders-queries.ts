import type { OrderId, ShopperId } from '#domain/shared/ids.ts';

import type { ReadDatabase } from '../database.ts';
import { joinedView } from './order-rows.ts';

/** So many orders a shopper is shown at most, the newest. */
export const MOST_SHOWN = 200;

export type MyOrders = {
  /** The shopper's placed orders as JSON text of `OrderView`s, the newest first, `MOST_SHOWN` at most. */
  of(shopper: ShopperId): Promise<readonly string[]>;
  /** All that the shopper has ordered or only checked out, as JSON text of `OrderView`s, in the order of their ids, after this one. */
  allOf(shopper: ShopperId, limit: number, after?: OrderId): Promise<readonly { readonly id: OrderId; readonly text: string }[]>;
  /** Ids of all that the shopper has ordered or only checked out, in their own order, `limit` at most after this one. */
  idsOf(shopper: ShopperId, limit: number, after?: OrderId): Promise<readonly OrderId[]>;
};

const OF = `select standing, contents from read.my_orders_v3 join read.my_order_contents_v3 using (order_id)
  where shopper_id = $1 and placed_at is not null order by placed_at desc, order_id desc limit ${MOST_SHOWN}`;

/** Comes before every id. */
const LEAST = '00000000-0000-0000-0000-000000000000';

type Halves = { standing: string; contents: string };

const ALL_OF = `select order_id, standing, contents from read.my_orders_v3 join read.my_order_contents_v3 using (order_id)
  where shopper_id = $1 and order_id > $2 order by order_id limit $3`;

const IDS_OF = 'select order_id from read.my_orders_v3 where shopper_id = $1 and order_id > $2 order by order_id limit $3';

export const myOrdersIn = ({ pool }: Pick<ReadDatabase, 'pool'>): MyOrders => ({
  of: async (shopper) => {
    const { rows } = await pool.query<Halves>({ name: 'my-orders-of', text: OF, values: [shopper] });
    return rows.map(joinedView);
  },
  allOf: async (shopper, limit, after) => {
    const values = [shopper, after ?? LEAST, limit];
    const { rows } = await pool.query<Halves & { order_id: OrderId }>({ name: 'my-orders-all-of', text: ALL_OF, values });
    return rows.map((row) => ({ id: row.order_id, text: joinedView(row) }));
  },
  idsOf: async (shopper, limit, after) => {
    const values = [shopper, after ?? LEAST, limit];
    const { rows } = await pool.query<{ order_id: OrderId }>({ name: 'my-orders-ids-of', text: IDS_OF, values });
    return rows.map(({ order_id }) => order_id);
  },
});
