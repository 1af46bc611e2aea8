import { ordersDeskQueries } from '#projections/orders/orders-desk-queries.ts';
import { statsQueries } from '#projections/stats/queries.ts';

import { checkBooks } from '../audit/books/check-books.ts';
import { orderIdFrom } from '../audit/orders/find-order.ts';
import { liveLog } from '../audit/log/log-source.ts';
import { createSavedHeads } from '../audit/saved-heads.ts';
import type { Shop } from '../shop.ts';
import type { AuditSource } from './audit.ts';

const openSavedHeads = ({ db, now }: Pick<Shop, 'db' | 'now'>) => createSavedHeads(db, () => new Date(now()));

export const liveAudit = ({ store, read, db, now }: Pick<Shop, 'store' | 'read' | 'db' | 'now'>): AuditSource => ({
  ...liveLog(store),
  savedHeads: openSavedHeads({ db, now }),
  check: (heads, signal) =>
    checkBooks({ store, read, now, stats: statsQueries(read), heads, savedHeads: openSavedHeads({ db, now }) }, signal),
  orderWithNumber: (number) =>
    // If the read model is not built yet, the caller searches the log.
    orderIdFrom(ordersDeskQueries(read), number).catch(() => undefined),
});
