import type { ReturnStatus } from '#domain/order/rules.ts';
import { returnViewId } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import { rowsTable } from '../engine/define-projector.ts';
import type { OrderRow } from './order-rows.ts';

/** A row for each return, without its texts: those are in the row of its order. */
export type DeskReturn = { return_id: string; order_id: OrderId; number: number; status: ReturnStatus; requested_at: Instant };

export const deskReturnsTable = rowsTable<DeskReturn>({
  key: 'return_id',
  columns: { return_id: 'text', order_id: 'uuid', number: 'integer', status: 'text', requested_at: 'instant' },
  indexes: ['(requested_at desc, return_id desc)', '(status, requested_at desc, return_id desc)'],
  category: 'order',
});

/** Returns the row of the order's last return, the only one that changes. */
export const createDeskReturn = ({ order_id, order }: OrderRow): DeskReturn | undefined => {
  const last = order.returns.at(-1);
  if (last === undefined) return undefined;
  return { return_id: returnViewId(order_id, last.id), order_id, number: last.id, status: last.status, requested_at: last.requestedAt };
};
