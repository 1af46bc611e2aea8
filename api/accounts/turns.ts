import { unavailable } from '../http/refusal.ts';

/**
 * Lets `atOnce` jobs run and `waiting` more wait for their turn. Beyond that it throws a 503: whoever floods the shop with work that is
 * dear on purpose must not make everybody's requests wait for it.
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
      // The turn is handed on, not given up: nobody can slip in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
