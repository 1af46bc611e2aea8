import type { Cancellation } from '#domain/event-store.ts';

const NEVER: Cancellation = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };

/** Comes back after `milliseconds`, or as soon as `until` is aborted. */
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

/** Time as a component sees it: that of the machine, or the time of a simulation. */
export type Clock = {
  /** In milliseconds, since a moment of the clock's own; never goes back. */
  now(): number;
  /** Comes back after `milliseconds`, or as soon as `until` is aborted. */
  sleep(milliseconds: number, until?: Cancellation): Promise<void>;
};

export const systemClock: Clock = { now: () => performance.now(), sleep };
