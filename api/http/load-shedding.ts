import type { ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** Limits all queues within the process. */
const CALLS_AT_ONCE = 1_000;

/** Through Koa or the fast path. */
export type CallsUnderWay = {
  /** False when there are too many; otherwise `leave` must follow. */
  enter(): boolean;
  leave(): void;
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

/** Further calls get a 503 with `Retry-After` at once: they would be answered after their browser has given up, and delay others. */
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
