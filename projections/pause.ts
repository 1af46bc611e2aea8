import type { Cancellation } from '#domain/event-store.ts';

const NEVER: Cancellation = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };

/** Comes back after `milliseconds`, or as soon as `until` is aborted. */
export const pause = (milliseconds: number, until: Cancellation = NEVER): Promise<void> =>
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
