import pg from 'pg';

import { NO_STREAM, START, type EventStore } from '#domain/event-store.ts';
import { openReadDatabase, type ReadDatabase } from '#projections/database.ts';
import { migrateReadModels } from '#projections/migrations/migrate-read-models.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { followProgress, type Progress } from '#projections/reading/progress.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { runProjector } from '#projections/engine/worker.ts';

import { eventCodec } from '../../event-store/codec/codec.ts';
import { openKeyring } from '../../event-store/encryption/keyring.ts';
import { postgresSubjectKeys } from '../../event-store/postgres/postgres-subject-keys.ts';
import { openPostgresEventStore } from '../../event-store/postgres/postgres-event-store.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import { migrateShop } from '../../migrations/migrate.ts';
import { median } from './measuring/bare-inserts.ts';
import { onNewDatabase } from './measuring/new-database.ts';
import { measureRebuilds, measureWhatIf, type Rebuilt } from './rebuilds.ts';
import { now } from './samples/sample-event.ts';
import { benchKeys, writeHistory } from './samples/sample-log.ts';
import { sampleOrderEvents, sampleOrderId } from './samples/sampled-orders.ts';

/** Events per second applied by a worker that is behind, and milliseconds from an append until its event is visible. */
export type FollowRates = { readonly live: number; readonly visibleAfter: { readonly median: number; readonly worst: number } };
export type ProjectionsBench = FollowRates & { readonly rebuilds: readonly Rebuilt[] };

/** Of orders, and as many of products. */
const EVENTS = 1_000_000;
const EVENTS_EACH = 5;
const SINGLES = 200;
const TIMEOUT_MS = 600_000;

const shoppersOf = (orders: number): string[] => Array.from({ length: Math.ceil(orders / 10) }, () => crypto.randomUUID());
const silent = { info: () => {}, warn: console.warn, error: console.error };

type Opened = { readonly store: EventStore; readonly database: ReadDatabase };

const withWorker = async <Result>({ store, database }: Opened, work: (progress: Progress) => Promise<Result>): Promise<Result> => {
  const until = new AbortController();
  const progress = await followProgress(database, [myOrders]);
  const running = runProjector(myOrders, store, database, until.signal, silent);
  try {
    return await work(progress);
  } finally {
    until.abort();
    await running;
    await progress.close();
  }
};

const liveRate = async (opened: Opened): Promise<number> => {
  const { store, database } = opened;
  const head = await store.head(myOrders.categories);
  const { rows } = await database.pool.query<{ events: number }>(`select count(*) as events from log.events where stream like 'order-%'`);
  await rebuild(myOrders, store, database, { until: new AbortController().signal, upTo: START });
  const begun = performance.now();
  await withWorker(opened, (progress) => progress.waitFor(myOrders.name, head, TIMEOUT_MS));
  return (1_000 * (rows[0]?.events ?? 0)) / (performance.now() - begun);
};

/** From the answer of an append until another connection learns that the event is applied, in milliseconds. */
const visibleAfter = (opened: Opened, orders: number): Promise<FollowRates['visibleAfter']> =>
  withWorker(opened, async (progress) => {
    const { store } = opened;
    await progress.waitFor(myOrders.name, await store.head(myOrders.categories), TIMEOUT_MS);
    const trade = { products: 1_000, shoppers: shoppersOf(10) };
    const [created] = sampleOrderEvents;
    const taken: number[] = [];
    for (let order = orders; created && order < orders + SINGLES; order++) {
      const commandId = crypto.randomUUID();
      const command = { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'user' as const, id: 'shopper' } };
      const { position } = await store.append(`order-${sampleOrderId(order)}`, NO_STREAM, [created(order, trade, now())], command);
      const begun = performance.now();
      await progress.waitFor(myOrders.name, position, TIMEOUT_MS);
      taken.push(performance.now() - begun);
    }
    return { median: median(taken), worst: Math.max(...taken) };
  });

const following = async (connectionString: string, orders: number): Promise<FollowRates> => {
  const database = openReadDatabase({ connectionString });
  const pool = new pg.Pool({ connectionString, max: 2 });
  const keys = postgresSubjectKeys(pool, await openKeyring(pool, benchKeys));
  const store = await openPostgresEventStore({ connectionString, codec: eventCodec({ schemas, keys, now }) });
  try {
    const live = await liveRate({ store, database });
    return { live, visibleAfter: await visibleAfter({ store, database }, orders) };
  } finally {
    await store.close();
    await Promise.all([database.close(), pool.end()]);
  }
};

/** The first reader of a page marks its rows as committed, which is not part of reading or rebuilding. */
const settleLog = async (connectionString: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('vacuum log.events').finally(() => client.end());
};

/** On a database with a log of this many events of orders and as many of products, dropped afterwards. */
export const withLongLog = <Result>(
  connectionString: string,
  events: number,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> =>
  onNewDatabase(connectionString, async (url) => {
    await migrateShop(url);
    const read = openReadDatabase({ connectionString: url });
    await migrateReadModels(read);
    await read.close();
    const count = events / EVENTS_EACH;
    await writeHistory(url, { products: count, eventsEach: EVENTS_EACH, orders: count, shoppers: shoppersOf(count) }, benchKeys);
    await settleLog(url);
    return work(url);
  });

const report = ({ rebuilds, live, visibleAfter: visible }: ProjectionsBench): void => {
  const line = (label: string, ...figures: readonly string[]) =>
    console.log(label.padEnd(34) + figures.map((figure) => figure.padStart(14)).join(''));
  const rate = (figure: number) => `${Math.round(figure).toLocaleString('en-US')}/s`;
  line('', 'reading', 'rebuild', '× (0.50)', 'MB (300)');
  for (const { model, reading, rebuilding, ratio, memory } of rebuilds)
    line(model, rate(reading), rate(rebuilding), ratio.toFixed(2), `${Math.round(memory / 1_000_000)}`);
  line('a worker that is behind', '', rate(live));
  line('append to visible, median', '', `${visible.median.toFixed(1)} ms`);
  line(`append to visible, worst of ${SINGLES}`, '', `${visible.worst.toFixed(1)} ms`);
};

/** `npm run bench -- what-if`: alone, three times. */
export const benchWhatIf = ({ connectionString }: { connectionString: string }): Promise<void> =>
  withLongLog(connectionString, EVENTS, async (url) => {
    for (let round = 0; round < 3; round++) {
      const { events, seconds, memory } = await measureWhatIf(url);
      console.log(
        `what-if of ${events.toLocaleString('en-US')} events: ${seconds.toFixed(1)} s (60), ${Math.round(memory / 1_000_000)} MB at its peak`,
      );
    }
  });

/** Measures on a new database on the server of `connectionString`, and prints the results. */
export const benchProjections = ({ connectionString }: { connectionString: string }): Promise<ProjectionsBench> =>
  withLongLog(connectionString, EVENTS, async (url) => {
    // Before any read model is built: a rebuild that replaces a live one also catches up with it.
    const followed = await following(url, EVENTS / EVENTS_EACH);
    const bench = { rebuilds: await measureRebuilds(url, 3), ...followed };
    report(bench);
    return bench;
  });
