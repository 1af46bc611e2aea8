import { setTimeout as pause } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

import type { EventStoreDbDouble } from '../../event-store/eventstoredb/testing/eventstoredb-double.ts';
import type { SeededRandom } from '../journeys/seeded-random.ts';
import type { OperatorCommands } from './operator-commands.ts';
import type { CutProxy } from './cut-proxy.ts';
import type { DrillGateway } from './drill-gateway.ts';
import type { DyingMailServer } from './dying-mail-server.ts';
import type { RestartedProcess } from './restarted-process.ts';

type Server = { readonly dataDir: string; readonly url: string };

/** Of the postmaster; undefined while the server starts. */
const serverPid = async ({ dataDir }: Server): Promise<number | undefined> => {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  return pid > 0 ? pid : undefined;
};

/** False if there is no such process. */
const signal = (pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** Kills the postmaster; its children soon end. False if no server runs. */
const killPostgres = async (server: Server): Promise<boolean> => {
  const pid = await serverPid(server);
  return pid !== undefined && signal(pid, 'SIGKILL');
};

/** Read while the postmaster, which starts processes, is stopped. */
const allPids = async (client: pg.Client): Promise<readonly number[]> => {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()');
  return rows.map(({ pid }) => pid);
};

/** Stops all processes of the server: connections stay open without answers. False if no server runs. */
const stopPostgresFor = async (server: Server, milliseconds: number, until: AbortSignal): Promise<boolean> => {
  const client = new pg.Client({ connectionString: server.url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  const stopped: number[] = [];
  const stop = (pid: number) => signal(pid, 'SIGSTOP') && stopped.push(pid);
  try {
    await client.connect();
    const first = await serverPid(server);
    if (first === undefined) return false;
    stop(first);
    for (const pid of await allPids(client)) stop(pid);
    await pause(milliseconds, undefined, { signal: until }).catch(() => {});
    return true;
  } catch {
    return false;
  } finally {
    for (const pid of stopped.toReversed()) signal(pid, 'SIGCONT');
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
] as const;
/** A backup contains the log only if that is in Postgres. */
const ON_POSTGRES = [...ANYWHERE, 'take a backup'] as const;
const ON_EVENTSTOREDB = [...ANYWHERE, 'kill EventStoreDB', 'hang EventStoreDB'] as const;

type Kind = (typeof ON_POSTGRES)[number] | (typeof ON_EVENTSTOREDB)[number];
export type FaultCounts = Readonly<Partial<Record<Kind, number>>>;

export type FaultTargets = {
  readonly apis: readonly [RestartedProcess, ...RestartedProcess[]];
  readonly workers: readonly [RestartedProcess, ...RestartedProcess[]];
  readonly wires: readonly CutProxy[];
  readonly mailServer: DyingMailServer;
  readonly gateway: DrillGateway;
  readonly operator: OperatorCommands;
  /** Undefined if the log is in Postgres. */
  readonly eventStoreDb: EventStoreDbDouble | undefined;
  /** Of the embedded Postgres, without a proxy. */
  readonly url: string;
  readonly dataDir: string;
};

type Range = { readonly least: number; readonly most: number };

/** In ms: shorter or longer than a lease (3 s), and the time limit of an append (10 s) and of a query (15 s). */
const STOPPED: Range = { least: 500, most: 20_000 };
/** How long an EventStoreDB or the payment gateway is down or does not answer, in ms. */
const AWAY: Range = { least: 500, most: 8_000 };
/** How long no answer comes back, in ms: longer or shorter than the 10 s after which an append is given up. */
const MUTE: Range = { least: 1_000, most: 12_000 };
/** The delay of each answer, and how long it lasts, in ms. */
const LAG: Range = { least: 20, most: 300 };
const SLOW: Range = { least: 2_000, most: 10_000 };
/** Between two faults, in ms. */
const QUIET: Range = { least: 1_500, most: 4_000 };

/** Injects faults until the signal is aborted; then everything that was stopped continues. */
export const injectFaults = async (targets: FaultTargets, random: SeededRandom, until: AbortSignal): Promise<FaultCounts> => {
  const { eventStoreDb, operator } = targets;
  const kinds: readonly [Kind, ...Kind[]] = eventStoreDb ? ON_EVENTSTOREDB : ON_POSTGRES;
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  const between = ({ least, most }: Range): number => least + random.upTo(most - least);
  /** Faults that will be ended; others are injected meanwhile. */
  const mending = new Set<Promise<void>>();
  const mendAfter = (milliseconds: number, mend: () => unknown): void => {
    const mended = pause(milliseconds, undefined, { signal: until })
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
  /** False while it is down already. */
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
  /** False if the fault was not possible. */
  const commit: Readonly<Record<Kind, () => unknown>> = {
    'kill an API': () => random.oneOf(targets.apis).signal('SIGKILL'),
    'kill a worker': () => random.oneOf(targets.workers).signal('SIGKILL'),
    'kill Postgres': () => killPostgres(targets),
    'stop an API': () => stop(random.oneOf(targets.apis)),
    'stop a worker': () => stop(random.oneOf(targets.workers)),
    'stop Postgres': () => stopPostgresFor(targets, between(STOPPED), until),
    'cut connections': () => wire().cut(),
    'lose answers': () => mute(wire()),
    'delay answers': () => slow(wire()),
    'kill the mail server': () => targets.mailServer.dieWithNext(),
    'lose the payment gateway': () => {
      targets.gateway.goAway();
      mendAfter(between(AWAY), targets.gateway.comeBack);
    },
    'rebuild a read model': () => operator.rebuild(random),
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
  /** Each kind comes once a round, in random order. */
  let deck: Kind[] = [];
  const next = (): Kind => {
    if (deck.length === 0) deck = [...kinds];
    const [kind = kinds[0]] = deck.splice(random.upTo(deck.length), 1);
    return kind;
  };
  while (!until.aborted) {
    await pause(between(QUIET), undefined, { signal: until }).catch(() => {});
    if (until.aborted) break;
    const kind = next();
    if ((await commit[kind]()) !== false) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  await Promise.all(mending);
  return Object.fromEntries(counts);
};
