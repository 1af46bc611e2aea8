import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Chance } from './chance.ts';
import type { CutProxy } from './cut-proxy.ts';
import type { DyingMailServer } from './dying-mail-server.ts';
import type { KeptRunning } from './kept-running.ts';

/** What can be done to the shop, and how often it was. */
export const KINDS = [
  'kill an API',
  'kill a worker',
  'kill Postgres',
  'stop an API',
  'stop a worker',
  'cut connections',
  'kill the mail server',
] as const;
type Kind = (typeof KINDS)[number];
export type FaultCounts = Readonly<Record<Kind, number>>;

export type Victims = {
  readonly apis: readonly [KeptRunning, ...KeptRunning[]];
  readonly workers: readonly [KeptRunning, ...KeptRunning[]];
  readonly proxies: readonly [CutProxy, ...CutProxy[]];
  readonly mailServer: DyingMailServer;
  /** Of the embedded Postgres. */
  readonly dataDir: string;
};

/** A stopped process misses its lease (3 s) or does not, in ms. */
const STOPPED = { least: 500, most: 6_000 };
/** Between two faults, in ms. */
const QUIET = { least: 1_500, most: 4_000 };

const killPostgres = async (dataDir: string): Promise<void> => {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  // It may just be starting after the last time.
  if (pid > 0) process.kill(pid, 'SIGKILL');
};

const stopFor = async (victim: KeptRunning, milliseconds: number, until: AbortSignal): Promise<void> => {
  victim.signal('SIGSTOP');
  await pause(milliseconds, undefined, { signal: until }).catch(() => {});
  victim.signal('SIGCONT');
};

/** One thing after the other goes wrong until the signal is aborted; then everything that was stopped goes on. */
export const harass = async (victims: Victims, chance: Chance, until: AbortSignal): Promise<FaultCounts> => {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const between = ({ least, most }: { least: number; most: number }): number => least + chance.upTo(most - least);
  const commit: Readonly<Record<Kind, () => void | Promise<void>>> = {
    'kill an API': () => chance.oneOf(victims.apis).signal('SIGKILL'),
    'kill a worker': () => chance.oneOf(victims.workers).signal('SIGKILL'),
    'kill Postgres': () => killPostgres(victims.dataDir),
    'stop an API': () => stopFor(chance.oneOf(victims.apis), between(STOPPED), until),
    'stop a worker': () => stopFor(chance.oneOf(victims.workers), between(STOPPED), until),
    'cut connections': () => void chance.oneOf(victims.proxies).cut(),
    'kill the mail server': () => victims.mailServer.dieWithNext(),
  };
  while (!until.aborted) {
    await pause(between(QUIET), undefined, { signal: until }).catch(() => {});
    if (until.aborted) break;
    const kind = chance.oneOf(KINDS);
    await commit[kind]();
    counts[kind] += 1;
  }
  return counts;
};
