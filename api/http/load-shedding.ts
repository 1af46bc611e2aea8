import type { ShopMiddleware } from './context.ts';
import { unavailable } from './refusal.ts';

/** So many calls are worked on at once in a process; what each of them may queue for in there is bounded by that. */
export const CALLS_AT_ONCE = 1_000;

/**
 * Bounds the calls under way. One too many is told at once to come back (503 with `Retry-After`): kept waiting it would be answered after
 * its browser has given up, and hold up those that can still be served.
 */
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
