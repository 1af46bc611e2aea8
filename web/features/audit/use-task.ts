import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../lib/http/api.ts';

/** `progress` is from 0 to 1, null while nothing runs. */
type TaskState = { readonly progress: number | null; readonly trouble: string };
const IDLE: TaskState = { progress: null, trouble: '' };

export type Run = (signal: AbortSignal, onProgress: (progress: number) => void) => Promise<void>;

/** A long task with progress, one at a time. It is aborted on unmount or by `stop`. `failed` is the message for failures without one. */
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
