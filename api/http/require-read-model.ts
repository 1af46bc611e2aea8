import { START } from '#domain/event-store.ts';
import type { Progress } from '#projections/reading/progress.ts';

import type { ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** During the first build a request waits this many ms. */
const TIMEOUT_MS = 2_000;

/** Throws a 503 while the tables are being built. */
export const requireReadModel =
  (progress: Pick<Progress, 'isBuilt' | 'waitFor'>, model: string): ShopMiddleware =>
  async (_, next) => {
    const isThere = progress.isBuilt(model) || (await progress.waitFor(model, START, TIMEOUT_MS)) !== 'stale';
    if (!isThere) throw unavailable('This is still being prepared. Please try again in a moment.');
    return next();
  };
