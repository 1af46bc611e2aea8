import { Mutex } from 'async-mutex';

/** The mutex was not free in time: the job was not begun, and may be asked for again. */
export class MutexTimeout extends Error {
  override readonly name = 'MutexTimeout';
}

/** Runs the job alone among those of its key, in the order in which they came. Throws `MutexTimeout`, and what the job throws. */
export type KeyedMutex = <Result>(key: string, job: () => Promise<Result>) => Promise<Result>;

/** How long a job may wait, in ms: after that its caller has given up, and would be surprised to see it done. */
const TIMEOUT = 5_000;

/** `now` is a clock in milliseconds. */
type Options = { readonly timeout?: number | undefined; readonly now?: () => number };

/** One mutex per key, kept as long as it is held or waited for. */
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
      // Another caller may have put a new mutex in its place meanwhile.
      if (!mutex.isLocked() && mutexes.get(key) === mutex) mutexes.delete(key);
    }
  };
};
