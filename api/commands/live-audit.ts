import { ordersDeskIn } from '#projections/orders-desk/queries.ts';
import { statsIn } from '#projections/stats/queries.ts';

import { checkBooks } from '../audit/check-books.ts';
import { orderIdFrom } from '../audit/find-order.ts';
import { liveLog } from '../audit/log-source.ts';
import { savedHeadsIn } from '../audit/saved-heads.ts';
import type { Shop } from '../open-shop.ts';
import { shopDatabase } from '../shop-tables.ts';
import type { AuditSource } from './audit.ts';

const savedHeadsOf = ({ pool, now }: Pick<Shop, 'pool' | 'now'>) => savedHeadsIn(shopDatabase(pool), () => new Date(now()));

/** The shop's own log, with the heads saved of it, what the shop makes of it, and its orders by number. */
export const liveAudit = ({ store, read, pool, now }: Pick<Shop, 'store' | 'read' | 'pool' | 'now'>): AuditSource => ({
  ...liveLog(store),
  savedHeads: savedHeadsOf({ pool, now }),
  check: (heads, until) => checkBooks({ store, read, now, stats: statsIn(read), heads, savedHeads: savedHeadsOf({ pool, now }) }, until),
  orderWithNumber: (number) =>
    // Without its read model, which may not be built yet, the order is looked for in the log.
    orderIdFrom(ordersDeskIn(read), number).catch(() => undefined),
});
