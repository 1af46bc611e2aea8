/** A wake signal: tells a waiting task that there is work. A signal without a waiter is kept for the next wait. */
export type Bell = {
  ring(): void;
  /** Resolves when it was rung since the last wait, after `patience` ms, or when `until` is aborted. */
  wait(patience: number, until: AbortSignal): Promise<void>;
};

export const bell = (): Bell => {
  let rang = false;
  let waiting: (() => void) | undefined;
  return {
    ring: () => {
      rang = true;
      waiting?.();
    },
    wait: (patience, until) =>
      new Promise((resolve) => {
        const leave = (): void => {
          clearTimeout(timer);
          until.removeEventListener('abort', leave);
          waiting = undefined;
          rang = false;
          resolve();
        };
        const timer = setTimeout(leave, patience);
        until.addEventListener('abort', leave);
        waiting = leave;
        if (rang || until.aborted) leave();
      }),
  };
};
