import { EventStoreUnavailable, type Cancellation } from '#domain/event-store.ts';
import { systemClock, sleep, type Clock } from '#projections/engine/clock.ts';

/** Without a reason `abort` makes an exception with its stack, which nobody reads: 1 % of a whole order. */
const IN_TIME = 'answered in time';

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 2_000;

/** Waits before the next attempt (the first is 1): twice as long each time, 2 s at most, half of it by chance. */
export const backOff = (attempt: number, until?: Cancellation): Promise<void> => {
  const longest = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
  return sleep(longest * (0.5 + Math.random() / 2), until);
};

/** What `work` answers, or a rejection with what `late` makes when that takes longer than `milliseconds`. */
export const within = <Answer>(
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

/** What `work` answers once it does, however often it is unavailable; undefined when `until` is aborted first. For followers, who outlast outages. */
export const outlasting = async <Answer>(until: Cancellation, work: () => Promise<Answer>): Promise<Answer | undefined> => {
  for (let attempt = 1; !until.aborted; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      await backOff(attempt, until);
    }
  }
  return undefined;
};
