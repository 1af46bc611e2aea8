import { readFile, writeFile } from 'node:fs/promises';

/**
 * The most resident memory that a process has had, in bytes, since it began or since `forgetPeak`. Only Linux tells it; elsewhere it is not a
 * number. What `getrusage` tells of a child is no help: it is at least what its parent had when it forked.
 */
export const peakMemory = async (pid: number | 'self' = 'self'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return 1_024 * Number(kilobytes ?? Number.NaN);
};

/** From now on the peak of this process is counted anew. */
export const forgetPeak = async (pid: number): Promise<void> => {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
};
