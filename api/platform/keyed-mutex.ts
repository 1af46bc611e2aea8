import { Mutex } from 'async-mutex';

/** The mutex was not free in time, so the job was not begun. */
export class MutexTimeout extends Error {
  override readonly name = 'MutexTimeout';
}

/** Runs jobs of the same key one after the other. Throws `MutexTimeout`, and what the job throws. */
export type KeyedMutex = <Result>(key: string, job: () => Promise<Result>) => Promise<Result>;

/** A job waits at most this many ms; its caller has given up by then. */
const TIMEOUT = 5_000;

/** `now` returns ms. */
type Options = { readonly timeout?: number | undefined; readonly now?: () => number };

/** Keeps a mutex for each key while it is held or waited for. */
export const keyedMutex = ({ timeout = TIMEOUT, now = () => performance.now() }: Options = {}): KeyedMutex => {
  const mutexes = new Map<string, Mutex>();

  return async (key, job) => {
    const mutex = mutexes.get(key) ?? new Mutex();
    mutexes.set(key, mutex);
    const deadline = mutex.isLocked() ? now() + timeout : Infinity;
    try {
      return await mutex.runExclusive(() => {
        if (now() > deadline) throw new MutexTimeout(`${key} is busy: not free within ${timeout} ms`);
        return job();
      });
    } finally {
      // Another caller may have replaced the mutex.
      if (!mutex.isLocked() && mutexes.get(key) === mutex) mutexes.delete(key);
    }
  };
};
