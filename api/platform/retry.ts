import type { Cancellation } from '#domain/event-store.ts';
import { systemClock, sleep, type Clock } from '#projections/follower/clock.ts';

/** Without a reason `abort` creates an unused exception with a stack, which is 1% of the time of placing an order. */
const IN_TIME = 'answered in time';

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;

/** Waits before retry `attempt` (the first is 1). The pause grows exponentially up to 2 s, and half of it is random. */
export const backOff = (attempt: number, until?: Cancellation): Promise<void> => {
  const longest = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
  return sleep(longest * (0.5 + Math.random() / 2), until);
};

/** Rejects with `late()` after `milliseconds`. */
export const withTimeout = <Answer>(
  milliseconds: number,
  late: () => Error,
  work: Promise<Answer>,
  clock: Clock = systemClock,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const answered = new AbortController();
    void clock.sleep(milliseconds, answered.signal).then(() => answered.signal.aborted || reject(late()));
    work.then(resolve, reject).finally(() => answered.abort(IN_TIME));
  });
