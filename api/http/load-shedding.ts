import type { ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** So many calls are worked on at once in a process; what each of them may queue for in there is bounded by that. */
export const CALLS_AT_ONCE = 1_000;

/** The calls under way in a process, through Koa or the fast path. */
export type CallsUnderWay = {
  /** Counts a call in and answers true, unless there are too many. Each call counted in must be counted out by `leave`. */
  enter(): boolean;
  leave(): void;
  /** Whether the next call would be turned away. */
  isFull(): boolean;
};

export const callsUnderWay = (most = CALLS_AT_ONCE): CallsUnderWay => {
  let underWay = 0;
  return {
    enter: () => {
      if (underWay >= most) return false;
      underWay += 1;
      return true;
    },
    leave: () => {
      underWay -= 1;
    },
    isFull: () => underWay >= most,
  };
};

/**
 * Bounds the calls under way. One too many is answered 503 with `Retry-After` at once: kept waiting it would be answered after
 * its browser has given up, and hold up those that can still be served.
 */
export const loadShedding =
  (calls: CallsUnderWay): ShopMiddleware =>
  async (_, next) => {
    if (!calls.enter()) throw unavailable('The shop is very busy right now. Please try again in a moment.');
    try {
      await next();
    } finally {
      calls.leave();
    }
  };
