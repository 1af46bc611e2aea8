import { systemClock, type Clock } from './clock.ts';
import { errorMessage } from './failures.ts';
import type { WakeSignal } from './wake-signal.ts';

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

type Options = {
  readonly signal: AbortSignal;
  /** Called with the first error of an outage, and with each that says something else. */
  readonly onError: (error: unknown) => void;
  /** The first run comes after this pause; by default there is none. */
  readonly firstAfter?: number;
  /** Ends the pause early. */
  readonly wake?: Pick<WakeSignal, 'times' | 'waitSince'>;
  readonly clock?: Clock;
};

/**
 * Repeats `work` until the signal is aborted, with a pause of `every` ms after each run, so that two runs never overlap. A run that fails
 * is repeated with a backoff from 100 ms to 5 s. Resolves when the last run has ended.
 */
export const repeatEvery = async (
  every: number,
  work: () => Promise<unknown>,
  { signal, onError, firstAfter = 0, wake, clock = systemClock }: Options,
): Promise<void> => {
  let backoff = FIRST_BACKOFF_MS;
  let reported: string | undefined;
  if (firstAfter > 0) await clock.sleep(firstAfter, signal);
  while (!signal.aborted) {
    const times = wake?.times ?? 0;
    const startedAt = clock.now();
    try {
      await work();
      backoff = FIRST_BACKOFF_MS;
      reported = undefined;
      if (wake) await wake.waitSince(times, every, signal, clock);
      else if (every > 0) await clock.sleep(every, signal);
    } catch (error) {
      if (signal.aborted) return;
      // The run worked for a while, so this is another outage.
      if (clock.now() - startedAt > LONGEST_BACKOFF_MS) [backoff, reported] = [FIRST_BACKOFF_MS, undefined];
      if (errorMessage(error) !== reported) onError(error);
      reported = errorMessage(error);
      await clock.sleep(backoff, signal);
      backoff = Math.min(2 * backoff, LONGEST_BACKOFF_MS);
    }
  }
};

export type BackgroundWork = { close(): Promise<void> };

/** Starts `work`; `close` aborts its signal and resolves when it has ended. */
export const inBackground = (work: (signal: AbortSignal) => Promise<unknown>): BackgroundWork => {
  const ending = new AbortController();
  const working = work(ending.signal);
  return {
    close: async () => {
      ending.abort();
      await working;
    },
  };
};
