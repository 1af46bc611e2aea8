import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../lib/http/api.ts';

/** Work under way that tells how far it is, from 0 to 1. */
type TaskState = { readonly progress: number | null; readonly trouble: string };
const IDLE: TaskState = { progress: null, trouble: '' };

export type Run = (signal: AbortSignal, tell: (progress: number) => void) => Promise<void>;

/** Long work, one at a time, with its progress; it ends with the page, or when it is stopped. `failed` is said when the server gives no reason. */
export const useTask = (failed: string) => {
  const [{ progress, trouble }, setWork] = useState(IDLE);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const begin = (run: Run): void => {
    const work = new AbortController();
    running.current = work;
    setWork({ progress: 0, trouble: '' });
    run(work.signal, (now) => setWork({ progress: now, trouble: '' })).then(
      () => setWork(IDLE),
      (error: unknown) => setWork({ progress: null, trouble: work.signal.aborted ? '' : messageOf(error, failed) }),
    );
  };
  return { progress, trouble, begin, stop: () => running.current?.abort() };
};
