import { readFile, writeFile } from 'node:fs/promises';

/**
 * Of the resident memory, in bytes, since the process began or since `forgetPeak`. Only on Linux; elsewhere NaN. `getrusage` does not help:
 * for a child it is at least its parent's memory at the fork.
 */
export const peakMemory = async (pid: number | 'self' = 'self'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return 1_024 * Number(kilobytes ?? Number.NaN);
};

export const forgetPeak = async (pid: number): Promise<void> => {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
};
