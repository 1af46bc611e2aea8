const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal and the program in between may both pass on the same Ctrl-C: that soon after the first, in ms, it is no second wish. */
const SAME_WISH = 500;

/** Aborted by the first signal to stop. Whoever sends a second one does not want to wait. */
export const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  let asked = 0;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stop.signal.aborted && performance.now() - asked > SAME_WISH) process.exit(1);
      asked ||= performance.now();
      stop.abort();
    });
  }
  return stop.signal;
};

export const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
