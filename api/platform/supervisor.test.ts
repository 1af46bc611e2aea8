import cluster from 'node:cluster';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';

import { supervise } from './supervisor.ts';

/** This process is killed during its first start; it writes a file named after its process id when all processes are open. */
const TASK = `
  import { existsSync, writeFileSync } from 'node:fs';
  const begun = new URL('begun', import.meta.url);
  if (!existsSync(begun)) {
    writeFileSync(begun, '');
    process.kill(process.pid, 'SIGKILL');
  }
  process.on('message', ({ notOpen }) => notOpen === 0 && writeFileSync(new URL(String(process.pid), import.meta.url), ''));
  process.send('open');
`;

test('killed processes are restarted, and all stop in order', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'ruhani-supervisor-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'task.mjs');
  await writeFile(file, TASK);
  const running = (): readonly string[] => Object.values(cluster.workers ?? {}).map((worker) => String(worker?.process.pid));
  const areAllOpen = async (but: readonly string[] = []): Promise<boolean> => {
    const pids = running().filter((pid) => !but.includes(pid));
    const files = await Promise.allSettled(pids.map((pid) => access(path.join(directory, pid))));
    return pids.length === 3 && files.every(({ status }) => status === 'fulfilled');
  };
  const stop = new AbortController();
  const tasks = ['one', 'two', 'three'].map((name) => ({ name, args: [] }));
  const supervised = supervise({ file, tasks, signal: stop.signal, log: pino({ enabled: false }) });

  await expect.poll(areAllOpen).toBe(true);
  // Node emits this error when it sends a message to a process whose channel is broken.
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.emit('error', new Error('write EPIPE'));
  const doomed = running();
  for (const pid of doomed) process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => areAllOpen(doomed)).toBe(true);

  stop.abort();
  await expect(supervised).resolves.toBeUndefined();
  expect(running()).toEqual([]);
});
