import { START } from '#domain/event-store.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** How long a query waits for a read model that is being built for the first time, in milliseconds. */
const PATIENCE = 2_000;

/** Before a query: makes sure that the tables of the read model are there. Throws a 503 when they are still being built. */
export const requireReadModel =
  (progress: Pick<Progress, 'isBuilt' | 'waitFor'>, model: string): ShopMiddleware =>
  async (_, next) => {
    const isThere = progress.isBuilt(model) || (await progress.waitFor(model, START, PATIENCE)) !== 'stale';
    if (!isThere) throw unavailable('This is still being prepared. Please try again in a moment.');
    return next();
  };
