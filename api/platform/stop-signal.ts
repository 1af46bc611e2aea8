const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal and a parent process may both pass on one Ctrl-C: a second signal this soon is the same one. */
const SAME_SIGNAL_WITHIN_MS = 500;

/** Returns a signal that the first SIGINT or SIGTERM aborts. A second one ends the process immediately. */
export const stopSignal = (): AbortSignal => {
  const stop = new AbortController();
  let asked = 0;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stop.signal.aborted && performance.now() - asked > SAME_SIGNAL_WITHIN_MS) process.exit(1);
      asked ||= performance.now();
      stop.abort();
    });
  }
  return stop.signal;
};

export const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
