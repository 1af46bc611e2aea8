/** Tells whoever waits that there is work. A ring while nobody waits is not lost. */
export type Bell = {
  ring(): void;
  /** Comes back when it rang since the last time, after `patience` ms at the latest, or when `until` is aborted. */
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
