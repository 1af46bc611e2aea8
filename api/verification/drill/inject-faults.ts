import { setTimeout as pause } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

import type { EventStoreDbDouble } from '../../event-store/eventstoredb/testing/eventstoredb-double.ts';
import type { SeededRandom } from '../journeys/seeded-random.ts';
import type { CutProxy } from './cut-proxy.ts';
import type { DrillEnvironment } from './drill-environment.ts';
import type { RestartedProcess } from './restarted-process.ts';

type Server = { readonly dataDir: string; readonly url: string };

/** Returns the postmaster's process id, or undefined while the server starts. */
const serverPid = async ({ dataDir }: Server): Promise<number | undefined> => {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  return pid > 0 ? pid : undefined;
};

/** Returns false if there is no such process. */
const sendSignal = (pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** Kills the postmaster; its children end soon after. Returns false if no server is running. */
const killPostgres = async (server: Server): Promise<boolean> => {
  const pid = await serverPid(server);
  return pid !== undefined && sendSignal(pid, 'SIGKILL');
};

/** Returns the server's processes. The postmaster, which starts processes, must be stopped meanwhile. */
const allPids = async (client: pg.Client): Promise<readonly number[]> => {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()');
  return rows.map(({ pid }) => pid);
};

/** Stops all processes of the server, so that connections stay open without answers. Returns false if no server is running. */
const stopPostgresFor = async (server: Server, milliseconds: number, signal: AbortSignal): Promise<boolean> => {
  const client = new pg.Client({ connectionString: server.url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  const stopped: number[] = [];
  const stop = (pid: number) => sendSignal(pid, 'SIGSTOP') && stopped.push(pid);
  try {
    await client.connect();
    const first = await serverPid(server);
    if (first === undefined) return false;
    stop(first);
    for (const pid of await allPids(client)) stop(pid);
    await pause(milliseconds, undefined, { signal }).catch(() => {});
    return true;
  } catch {
    return false;
  } finally {
    for (const pid of stopped.toReversed()) sendSignal(pid, 'SIGCONT');
    await client.end().catch(() => {});
  }
};

/** The clock cannot be set: the leases are moved instead, and who held them is killed. Returns false if no server answers. */
const setClockBack = async ({ url }: Server): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    for (const table of ['read.checkpoints', 'shop.reactions'])
      await client.query(`update ${table} set held_until = held_until + interval '1 day', holder = coalesce(holder, 'who was killed')`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
};

const ANYWHERE = [
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
  'lose the payment gateway',
  'rebuild a read model',
  'set a clock ahead',
  'set the clock of Postgres back',
] as const;
/** A backup contains the log only if the log is in Postgres. */
const ON_POSTGRES = [...ANYWHERE, 'take a backup'] as const;
const ON_EVENTSTOREDB = [...ANYWHERE, 'kill EventStoreDB', 'hang EventStoreDB'] as const;

type Kind = (typeof ON_POSTGRES)[number] | (typeof ON_EVENTSTOREDB)[number];
export type FaultCounts = Readonly<Partial<Record<Kind, number>>>;

type Range = { readonly least: number; readonly most: number };

/** Ms below and above the duration of a lease (3 s) and the time limits of an append (10 s) and of a query (15 s). */
const STOPPED: Range = { least: 500, most: 20_000 };
/** An EventStoreDB or the payment gateway is down or does not answer for this many ms. */
const AWAY: Range = { least: 500, most: 8_000 };
/** Answers are lost for this many ms, which is less or more than the 10 s after which an append fails. */
const MUTE: Range = { least: 1_000, most: 12_000 };
/** The delay of each answer (`LAG`) and the duration of the slow phase (`SLOW`), in ms. */
const LAG: Range = { least: 20, most: 300 };
const SLOW: Range = { least: 2_000, most: 10_000 };
/** A worker whose clock is ahead runs for this many ms. */
const AHEAD: Range = { least: 3_000, most: 10_000 };
/** The pause between two faults, in ms. */
const QUIET: Range = { least: 1_500, most: 4_000 };

/** Injects faults until the signal is aborted, and then lets everything that was stopped continue. */
export const injectFaults = async (targets: DrillEnvironment, random: SeededRandom, signal: AbortSignal): Promise<FaultCounts> => {
  const { eventStoreDb, operator } = targets;
  const kinds: readonly [Kind, ...Kind[]] = eventStoreDb ? ON_EVENTSTOREDB : ON_POSTGRES;
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  const between = ({ least, most }: Range): number => least + random.upTo(most - least);
  /** Faults that are still to be ended. Others are injected meanwhile. */
  const mending = new Set<Promise<void>>();
  const mendAfter = (milliseconds: number, mend: () => unknown): void => {
    const mended = pause(milliseconds, undefined, { signal })
      .catch(() => {})
      .then(async () => void (await mend()));
    mending.add(mended);
    void mended.finally(() => mending.delete(mended));
  };
  const stop = (victim: RestartedProcess): void => {
    victim.signal('SIGSTOP');
    mendAfter(between(STOPPED), () => victim.signal('SIGCONT'));
  };
  const mute = (wire: CutProxy): void => {
    wire.mute();
    mendAfter(between(MUTE), () => wire.mend());
  };
  const slow = (wire: CutProxy): void => {
    wire.slow(between(LAG));
    mendAfter(between(SLOW), () => wire.mend());
  };
  const wire = (): CutProxy => {
    const [first, ...others] = targets.wires;
    if (!first) throw new Error('There is no proxy');
    return random.oneOf([first, ...others]);
  };
  let isAway = false;
  /** Returns false while the store is already down. */
  const takeAway = (goes: (store: EventStoreDbDouble) => void, comes: (store: EventStoreDbDouble) => unknown): boolean => {
    if (!eventStoreDb || isAway) return false;
    isAway = true;
    goes(eventStoreDb);
    mendAfter(between(AWAY), async () => {
      await comes(eventStoreDb);
      isAway = false;
    });
    return true;
  };
  /** Each function returns false if its fault was not possible. */
  const commit: Readonly<Record<Kind, () => unknown>> = {
    'kill an API': () => random.oneOf(targets.apis).signal('SIGKILL'),
    'kill a worker': () => random.oneOf(targets.workers).signal('SIGKILL'),
    'kill Postgres': () => killPostgres(targets),
    'stop an API': () => stop(random.oneOf(targets.apis)),
    'stop a worker': () => stop(random.oneOf(targets.workers)),
    'stop Postgres': () => stopPostgresFor(targets, between(STOPPED), signal),
    'cut connections': () => wire().cut(),
    'lose answers': () => mute(wire()),
    'delay answers': () => slow(wire()),
    'kill the mail server': () => targets.mailServer.dieWithNext(),
    'lose the payment gateway': () => {
      targets.gateway.goAway();
      mendAfter(between(AWAY), targets.gateway.comeBack);
    },
    'rebuild a read model': () => operator.rebuild(random),
    'set a clock ahead': () => {
      const ahead = targets.startAhead();
      mendAfter(between(AHEAD), () => ahead.end());
    },
    'set the clock of Postgres back': () => {
      for (const worker of targets.workers) worker.signal('SIGKILL');
      return setClockBack(targets);
    },
    'take a backup': () => operator.backUp(),
    'kill EventStoreDB': () =>
      takeAway(
        (store) => store.kill(),
        (store) => store.revive(),
      ),
    'hang EventStoreDB': () =>
      takeAway(
        (store) => store.become('stalled'),
        (store) => store.become('well'),
      ),
  };
  /** Each kind of fault comes once a round, in random order. */
  let deck: Kind[] = [];
  const next = (): Kind => {
    if (deck.length === 0) deck = [...kinds];
    const [kind = kinds[0]] = deck.splice(random.upTo(deck.length), 1);
    return kind;
  };
  while (!signal.aborted) {
    await pause(between(QUIET), undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    const kind = next();
    if ((await commit[kind]()) !== false) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  await Promise.all(mending);
  return Object.fromEntries(counts);
};
