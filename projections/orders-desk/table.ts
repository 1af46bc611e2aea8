import type { OrderStatus } from '#domain/order/status.ts';
import type { Instant } from '#domain/shared/instant.ts';

import type { OrderStanding } from '../folded-order.ts';
import { rowsTable } from '../projector.ts';

/** One order: what the staff find it by and how it stands. The rest of its answer is in `orders_desk_contents`. */
export type DeskRow = OrderStanding & {
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
