import type { ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** Limits all queues within the process. */
const CALLS_AT_ONCE = 1_000;

/** Further calls get a 503 with `Retry-After` at once: they would be answered after their browser has given up, and delay others. */
export const loadShedding = (most = CALLS_AT_ONCE): ShopMiddleware => {
  let underWay = 0;
  return async (_, next) => {
    if (underWay >= most) throw unavailable('The shop is very busy right now. Please try again in a moment.');
    underWay += 1;
    try {
      await next();
    } finally {
      underWay -= 1;
    }
  };
};
