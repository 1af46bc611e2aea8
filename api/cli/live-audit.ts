import { ordersDeskIn } from '#projections/orders/orders-desk.ts';
import { statsIn } from '#projections/stats/queries.ts';

import { checkBooks } from '../audit/books/check-books.ts';
import { orderIdFrom } from '../audit/orders/find-order.ts';
import { liveLog } from '../audit/log/log-source.ts';
import { savedHeadsIn } from '../audit/saved-heads.ts';
import type { Shop } from '../shop.ts';
import type { AuditSource } from './audit.ts';

const savedHeadsOf = ({ db, now }: Pick<Shop, 'db' | 'now'>) => savedHeadsIn(db, () => new Date(now()));

export const liveAudit = ({ store, read, db, now }: Pick<Shop, 'store' | 'read' | 'db' | 'now'>): AuditSource => ({
  ...liveLog(store),
  savedHeads: savedHeadsOf({ db, now }),
  check: (heads, until) => checkBooks({ store, read, now, stats: statsIn(read), heads, savedHeads: savedHeadsOf({ db, now }) }, until),
  orderWithNumber: (number) =>
    // If the read model is not built yet, the caller searches the log.
    orderIdFrom(ordersDeskIn(read), number).catch(() => undefined),
});
