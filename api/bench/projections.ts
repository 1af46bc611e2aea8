import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

import { NO_STREAM, START, type EventStore } from '#domain/event-store.ts';
import { openReadDatabase, type ReadDatabase } from '#projections/database.ts';
import { migrateReadModels } from '#projections/migrate.ts';
import { followProgress, type Progress } from '#projections/progress.ts';
import { rebuild } from '#projections/rebuild.ts';
import { runProjector } from '#projections/worker.ts';

import { openPostgresEventStore } from '../event-store/postgres.ts';
import { migrateShop } from '../migrations/migrate.ts';
import type { Measured, Task } from './projections-child.ts';
import { benchStream, fillLog } from './projections-log.ts';
import { benchCodec, benchOrders, STEPS } from './projections-orders.ts';

/** Events a second over a log of half a million, what a rebuild takes of memory in bytes, and milliseconds from append to visible. */
export type ProjectionsBench = {
  readonly events: number;
  readonly eventBytes: number;
  readonly reading: number;
  readonly rebuilding: number;
  readonly memory: number;
  readonly live: number;
  readonly visibleAfter: { readonly median: number; readonly worst: number };
  /** Rebuilding beside just reading, to be 0.5 or more. */
  readonly ratio: number;
};

const ORDERS = 100_000;
const ROUNDS = 3;
const SINGLES = 200;

const median = (figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? Number.NaN;

const CHILD = fileURLToPath(new URL('projections-child.ts', import.meta.url));

const inChild = async (task: Task, connectionString: string): Promise<Measured> => {
  const child = fork(CHILD, [task, connectionString], { execArgv: ['--import', 'tsx'] });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The ${task} process ended with ${code}`))),
  ]);
  // The child was started by us and sends one message, which its own type describes.
  return message as Measured;
};

const silent = { info: () => {}, warn: console.warn, error: console.error };

/** Runs a worker beside `work`. */
const withWorker = async <Result>(
  store: EventStore,
  database: ReadDatabase,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> => {
  const until = new AbortController();
  const progress = await followProgress(database, [benchOrders]);
  const running = runProjector(benchOrders, store, database, until.signal, silent);
  try {
    return await work(progress);
  } finally {
    until.abort();
    await running;
    await progress.close();
  }
};

const MINUTES = 600_000;

/** Events a second that a worker applies which has the whole log before it. */
const liveRate = async (store: EventStore, database: ReadDatabase, events: number): Promise<number> => {
  await rebuild(benchOrders, store, database, { until: new AbortController().signal, upTo: START });
  const head = await store.head(benchOrders.categories);
  const begun = performance.now();
  await withWorker(store, database, (progress) => progress.waitFor(benchOrders.name, head, MINUTES));
  return (1_000 * events) / (performance.now() - begun);
};

/** From the answer of an append until another connection has heard that the event is applied, in milliseconds. */
const visibleAfter = (store: EventStore, database: ReadDatabase): Promise<ProjectionsBench['visibleAfter']> =>
  withWorker(store, database, async (progress) => {
    await progress.waitFor(benchOrders.name, await store.head(benchOrders.categories), MINUTES);
    const taken: number[] = [];
    for (let order = ORDERS; order < ORDERS + SINGLES; order++) {
      const commandId = crypto.randomUUID();
      const command = { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'user' as const, id: 'shopper' } };
      const created = STEPS[0]?.(order);
      if (!created) throw new Error('An order begins with an event');
      const { position } = await store.append(benchStream(order), NO_STREAM, [created], command);
      const begun = performance.now();
      await progress.waitFor(benchOrders.name, position, MINUTES);
      taken.push(performance.now() - begun);
    }
    return { median: median(taken), worst: Math.max(...taken) };
  });

const measure = async (connectionString: string): Promise<ProjectionsBench> => {
  await migrateShop(connectionString);
  const database = openReadDatabase({ connectionString });
  await migrateReadModels(database);
  console.log(`Writing a log of ${ORDERS * STEPS.length} events`);
  const eventBytes = await fillLog(connectionString, ORDERS);

  const store = await openPostgresEventStore({ connectionString, codec: benchCodec() });
  const events = ORDERS * STEPS.length;
  const live = await liveRate(store, database, events);

  const readings: Measured[] = [];
  const rebuilds: Measured[] = [];
  // They take turns, so that neither has the better minute.
  for (let round = 0; round < ROUNDS; round++) {
    readings.push(await inChild('read', connectionString));
    rebuilds.push(await inChild('rebuild', connectionString));
  }
  const visible = await visibleAfter(store, database);
  await store.close();
  await database.close();

  const rateOf = (measured: readonly Measured[]) => median(measured.map(({ events, seconds }) => events / seconds));
  const [reading, rebuilding] = [rateOf(readings), rateOf(rebuilds)];
  const memory = Math.max(...rebuilds.map((measured) => measured.memory));
  return { events, eventBytes, reading, rebuilding, memory, live, visibleAfter: visible, ratio: rebuilding / reading };
};

const report = (bench: ProjectionsBench): void => {
  const line = (label: string, figure: string) => console.log(`${label.padEnd(46)}${figure.padStart(12)}`);
  const rate = (figure: number) => `${Math.round(figure).toLocaleString('en-US')}/s`;
  const milliseconds = (figure: number) => `${figure.toFixed(1)} ms`;
  line('events in the log', bench.events.toLocaleString('en-US'));
  line('size of an event', `${Math.round(bench.eventBytes)} B`);
  line('just reading them in pages', rate(bench.reading));
  line('rebuild of a read model', rate(bench.rebuilding));
  line('  beside reading (to reach 0.50)', bench.ratio.toFixed(2));
  line('  peak memory of its process (below 300 MB)', `${Math.round(bench.memory / 1_000_000)} MB`);
  line('a worker that is behind', rate(bench.live));
  line('append to visible, median', milliseconds(bench.visibleAfter.median));
  line('append to visible, worst of 200', milliseconds(bench.visibleAfter.worst));
};

/** Measures on a database made for it and dropped again, on the server of `connectionString`, and prints what came out. */
export const benchProjections = async ({ connectionString }: { connectionString: string }): Promise<ProjectionsBench> => {
  const database = `bench_projections_${Date.now()}`;
  const server = new pg.Client({ connectionString });
  await server.connect();
  await server.query(`create database ${database}`);
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  try {
    const bench = await measure(url.href);
    report(bench);
    return bench;
  } finally {
    await server.query(`drop database ${database} with (force)`);
    await server.end();
  }
};
