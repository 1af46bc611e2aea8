import type { RequestListener } from 'node:http';

import type { Progress } from '#projections/reading/progress.ts';
import { readModels } from '#projections/read-models.ts';

import type { OnSignedIn } from '../accounts/sessions/session.ts';
import { createApp, type AppDeps } from '../app.ts';
import { openAudit } from '../audit/open-audit.ts';
import type { Erasing } from '../erasure/open-erasure.ts';
import { openOrders } from '../orders/open-orders.ts';
import { orderIdsIn } from '../orders/order-ids.ts';
import { visitorUsersIn } from '../orders/visitor-users.ts';
import type { ShopLogger } from '../platform/logger.ts';
import { atSignIn } from './at-sign-in.ts';
import type { AccountsAndMail } from './open-accounts-and-mail.ts';
import type { Queries } from './open-queries.ts';
import type { OpenedPayments } from '../payments/open-payments.ts';
import type { Staff } from './open-staff.ts';
import { opsOf, type Ops } from './ops.ts';
import type { Shop } from './types/shop.ts';

export const whenSignedIn = async (shop: Shop, log: ShopLogger): Promise<OnSignedIn> => {
  const db = shop.db;
  return atSignIn({ ...shop, log, idOf: await orderIdsIn(db), visitors: visitorUsersIn(db, shop.now) });
};

type Parts = {
  readonly shop: Shop;
  readonly queries: Queries;
  readonly people: AccountsAndMail;
  readonly staff: Staff;
  readonly erasing: Erasing;
  readonly payments: OpenedPayments;
  readonly ops?: Ops;
};
type Site = Pick<AppDeps, 'publicUrl' | 'webDirectory' | 'hero' | 'dataDir' | 'trustedProxies' | 'maySeeOps' | 'callsAtOnce'>;

/** Once per shop. */
export const watch = (shop: Shop, progress: Progress, isGatewayAvailable: () => boolean, notOpen?: () => number): Ops =>
  opsOf({ shop, progress, models: readModels, isGatewayAvailable, notOpen });

export const openApp = async (opened: Parts, site: Site, log: ShopLogger): Promise<RequestListener> =>
  createApp({
    ...opened,
    ...site,
    log,
    orders: await openOrders(opened.shop),
    audit: openAudit(opened.shop, opened.queries, opened.people),
    ops: opened.ops ?? watch(opened.shop, opened.queries.progress, opened.payments.isGatewayAvailable),
  });
