import { unavailable } from '../../http/refusal.ts';

/**
 * A semaphore: `atOnce` jobs run and `waiting` more wait. Beyond that it throws a 503: a flood of requests for expensive work must not make
 * all other requests wait.
 */
export const turns = (atOnce: number, waiting: number) => {
  const queue: (() => void)[] = [];
  let running = 0;

  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw unavailable('The shop is very busy. Please try again in a moment.');
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await job();
    } finally {
      // The slot is handed on, not freed, so that no new job gets in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
