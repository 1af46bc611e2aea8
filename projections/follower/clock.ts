import type { Cancellation } from '#domain/event-store.ts';

const NEVER: Cancellation = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };

/** Resolves after `milliseconds`, or when `until` is aborted. */
export const sleep = (milliseconds: number, until: Cancellation = NEVER): Promise<void> =>
  new Promise((resolve) => {
    const leave = () => {
      clearTimeout(timer);
      until.removeEventListener('abort', leave);
      resolve();
    };
    const timer = setTimeout(leave, milliseconds);
    until.addEventListener('abort', leave);
    if (until.aborted) leave();
  });

/** A component gets its time from the system clock, or from that of a simulation. */
export type Clock = {
  /** Returns ms since an arbitrary moment; monotonic. */
  now(): number;
  /** Resolves after `milliseconds`, or when `until` is aborted. */
  sleep(milliseconds: number, until?: Cancellation): Promise<void>;
};

export const systemClock: Clock = { now: () => performance.now(), sleep };
