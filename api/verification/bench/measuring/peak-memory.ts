import { readFile, writeFile } from 'node:fs/promises';

/**
 * The peak of a process's resident memory, in bytes, since it began or since `forgetPeak`. Only Linux provides it; elsewhere it is NaN. The
 * value that `getrusage` gives for a child does not help: it is at least its parent's at the fork.
 */
export const peakMemory = async (pid: number | 'self' = 'self'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return 1_024 * Number(kilobytes ?? Number.NaN);
};

/** Resets the peak of this process. */
export const forgetPeak = async (pid: number): Promise<void> => {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
};
