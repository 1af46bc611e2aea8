import type { ShopContext, ShopMiddleware } from './context.ts';
import { unavailable } from './http-error.ts';

/** This number limits all queues within the process. */
const CALLS_AT_ONCE = 1_000;

/**
 * Responds to further calls with a 503 and `Retry-After`: they would be answered after their browser has given up, and would delay others.
 */
export const shedLoad = (most = CALLS_AT_ONCE): ShopMiddleware => {
  let taken = 0;
  return async (ctx, next) => {
    let isHeld = false;
    const expectPlace = (): void => {
      if (taken >= most) throw unavailable('The shop is very busy right now. Please try again in a moment.');
    };
    const take = (): void => {
      taken += 1;
      isHeld = true;
    };
    const free = (): void => {
      if (isHeld) taken -= 1;
      isHeld = false;
    };
    ctx.state.withoutPlace = async (work, isBounded) => {
      free();
      const result = await work();
      if (!isBounded) expectPlace();
      take();
      return result;
    };
    expectPlace();
    take();
    try {
      await next();
    } finally {
      free();
    }
  };
};

/**
 * A call that waits for its body or for a read model does no work, so it gives its place to another call meanwhile. Afterwards it is
 * refused like a new call if no place is left, unless the number of those that wait is bounded: many end their wait in the same moment.
 */
export const withoutPlace = <Result>(
  { state }: Pick<ShopContext, 'state'>,
  work: () => Promise<Result>,
  { isBounded = false } = {},
): Promise<Result> => (state.withoutPlace ? state.withoutPlace(work, isBounded) : work());
