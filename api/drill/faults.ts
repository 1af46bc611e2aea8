import { setTimeout as pause } from 'node:timers/promises';

import type { Chance } from './chance.ts';
import type { CutProxy } from './cut-proxy.ts';
import type { DyingMailServer } from './dying-mail-server.ts';
import type { KeptRunning } from './kept-running.ts';
import { killPostgres, stopPostgresFor } from './postgres-server.ts';

/** What can be done to the shop, and how often it was. */
export const KINDS = [
  'kill an API',
  'kill a worker',
  'kill Postgres',
  'stop an API',
  'stop a worker',
  'stop Postgres',
  'cut connections',
  'lose answers',
  'delay answers',
  'kill the mail server',
] as const;
type Kind = (typeof KINDS)[number];
export type FaultCounts = Readonly<Record<Kind, number>>;

export type Victims = {
  readonly apis: readonly [KeptRunning, ...KeptRunning[]];
  readonly workers: readonly [KeptRunning, ...KeptRunning[]];
  readonly proxies: readonly [CutProxy, ...CutProxy[]];
  readonly mailServer: DyingMailServer;
  /** Of the embedded Postgres, without a proxy before it. */
  readonly url: string;
  readonly dataDir: string;
};

type Range = { readonly least: number; readonly most: number };

/** A stopped process misses its lease (3 s) or does not, in ms. */
const STOPPED: Range = { least: 500, most: 6_000 };
/** So long no answer comes back, in ms: longer and shorter than the 10 s after which an append is given up. */
const MUTE: Range = { least: 1_000, most: 12_000 };
/** So long each answer takes, in ms, and so long that lasts. */
const LAG: Range = { least: 20, most: 300 };
const SLOW: Range = { least: 2_000, most: 10_000 };
/** Between two faults, in ms. */
const QUIET: Range = { least: 1_500, most: 4_000 };

const stopFor = async (victim: KeptRunning, milliseconds: number, until: AbortSignal): Promise<void> => {
  victim.signal('SIGSTOP');
  await pause(milliseconds, undefined, { signal: until }).catch(() => {});
  victim.signal('SIGCONT');
};

/** One thing after the other goes wrong until the signal is aborted; then everything that was stopped goes on. */
export const harass = async (victims: Victims, chance: Chance, until: AbortSignal): Promise<FaultCounts> => {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const between = ({ least, most }: Range): number => least + chance.upTo(most - least);
  /** Wires that are to be mended: other things go wrong meanwhile. */
  const mending = new Set<Promise<void>>();
  const mendAfter = (wire: CutProxy, milliseconds: number): void => {
    const mended = pause(milliseconds, undefined, { signal: until })
      .catch(() => {})
      .then(() => wire.mend());
    mending.add(mended);
    void mended.finally(() => mending.delete(mended));
  };
  const mute = (wire: CutProxy): void => {
    wire.mute();
    mendAfter(wire, between(MUTE));
  };
  const slow = (wire: CutProxy): void => {
    wire.slow(between(LAG));
    mendAfter(wire, between(SLOW));
  };
  /** Answers with false where there was nobody to do it to. */
  const commit: Readonly<Record<Kind, () => unknown>> = {
    'kill an API': () => chance.oneOf(victims.apis).signal('SIGKILL'),
    'kill a worker': () => chance.oneOf(victims.workers).signal('SIGKILL'),
    'kill Postgres': () => killPostgres(victims),
    'stop an API': () => stopFor(chance.oneOf(victims.apis), between(STOPPED), until),
    'stop a worker': () => stopFor(chance.oneOf(victims.workers), between(STOPPED), until),
    'stop Postgres': () => stopPostgresFor(victims, between(STOPPED), until),
    'cut connections': () => chance.oneOf(victims.proxies).cut(),
    'lose answers': () => mute(chance.oneOf(victims.proxies)),
    'delay answers': () => slow(chance.oneOf(victims.proxies)),
    'kill the mail server': () => victims.mailServer.dieWithNext(),
  };
  while (!until.aborted) {
    await pause(between(QUIET), undefined, { signal: until }).catch(() => {});
    if (until.aborted) break;
    const kind = chance.oneOf(KINDS);
    if ((await commit[kind]()) !== false) counts[kind] += 1;
  }
  await Promise.all(mending);
  return counts;
};
