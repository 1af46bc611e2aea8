import type { OrdersDesk } from '#projections/orders/orders-desk-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { Stats } from '#projections/stats/queries.ts';

import type { SecurityLog } from '../accounts/security-log.ts';
import type { Shop } from '../shop.ts';
import { eventCodec } from '../event-store/codec/codec.ts';
import { schemas } from '../event-store/codec/schemas.ts';
import { bookRoutes } from './books/book-routes.ts';
import { logRoutes } from './log/log-routes.ts';
import { orderAuditRoutes } from './orders/order-routes.ts';
import { productAuditRoutes } from './product-routes.ts';
import { createSavedHeads } from './saved-heads.ts';
import { whatIfRoutes } from './what-if/what-if-routes.ts';
import { createRouter } from '../http/router.ts';
import type { WitnessPolicy } from '../transparency/witness-policy.ts';

type Given = { readonly witnessPolicy: WitnessPolicy };
type OfPeople = { readonly accounts: { readonly securityLog: SecurityLog }; readonly mailbox: unknown };

/** All of these routes only read. */
export const openAudit = (
  shop: Pick<Shop, 'store' | 'read' | 'db' | 'sealed' | 'keys' | 'now' | 'where'>,
  queries: { readonly desk: OrdersDesk; readonly stats: Stats; readonly progress: Progress },
  { accounts: { securityLog }, mailbox }: OfPeople,
  { witnessPolicy }: Given,
) => {
  const db = shop.db;
  const savedHeads = createSavedHeads(db, () => new Date(shop.now()));
  const { open } = eventCodec({ schemas, keys: shop.keys, now: shop.now });
  const deps = { ...shop, ...queries, open, db, savedHeads, securityLog, hasMailbox: mailbox !== undefined, witnessPolicy };
  const routes = createRouter();
  const parts = [logRoutes(deps), orderAuditRoutes(deps), bookRoutes(deps), productAuditRoutes(deps), whatIfRoutes(deps)];
  for (const each of parts) routes.use(each.routes());
  return routes;
};
