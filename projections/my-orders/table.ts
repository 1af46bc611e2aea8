import type { ShopperId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';

import type { OrderStanding } from '../folded-order.ts';
import { rowsTable } from '../projector.ts';

/** One order: whose it is and how it stands. The rest of its answer is in `my_order_contents`. */
export type MyOrderRow = OrderStanding & {
  /** The visitor or user who has it now. */
  shopper_id: ShopperId;
  /** Null for a checkout under way, which is no order that the shopper has. */
  placed_at: Instant | null;
};

export const myOrdersTable = rowsTable<MyOrderRow>({
  key: 'order_id',
  columns: { order_id: 'uuid', shopper_id: 'text', placed_at: 'instant', standing: 'json' },
  indexes: ['(shopper_id, placed_at desc, order_id desc)'],
});
