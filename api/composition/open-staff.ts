import type { Log } from '#projections/engine/lease.ts';
import { readModels } from '#projections/read-models.ts';

import type { AccountsAndMail } from './open-accounts-and-mail.ts';
import type { Queries } from './open-queries.ts';
import type { Shop } from './types/shop.ts';
import { healthOf } from '../admin/shop-health.ts';
import { openLive } from '../admin/live-stream.ts';
import { figuresOf, type AdminRoutesDeps } from '../admin/routes.ts';

/** The parts that only staff routes need. */
export type Staff = Pick<AdminRoutesDeps, 'counts' | 'live' | 'health'> & {
  /** Ends open streams, which would otherwise keep the server from closing. */
  close(): Promise<void>;
};

export const openStaff = (
  shop: Pick<Shop, 'store' | 'read' | 'pool' | 'now'>,
  queries: Queries,
  { counts }: Pick<AccountsAndMail, 'counts'>,
  log: Log,
): Staff => {
  const figures = figuresOf({ ...shop, ...queries });
  const onTrouble = (error: unknown) => log.warn({ err: error }, 'The figures could not be sent to the open staff pages');
  const live = openLive({ progress: queries.progress, figures: () => figures(counts.now()), onTrouble });
  const health = () => healthOf({ shop, models: readModels });
  return { counts, live, health, close: () => Promise.resolve(live.close()) };
};
