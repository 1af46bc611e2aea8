import type { ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** This number limits all queues within the process. */
const CALLS_AT_ONCE = 1_000;

/**
 * Responds to further calls with a 503 and `Retry-After`: they would be answered after their browser has given up, and would delay others.
 */
export const shedLoad = (most = CALLS_AT_ONCE): ShopMiddleware => {
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
