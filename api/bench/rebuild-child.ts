import { readFile } from 'node:fs/promises';
import pg from 'pg';

import { START, type Category, type EventStore, type Feed, type Recorded } from '#domain/event-store.ts';
import { openReadDatabase } from '#projections/database.ts';
import type { Projector } from '#projections/projector.ts';
import { readModels } from '#projections/read-models.ts';
import { rebuild } from '#projections/rebuild.ts';

import { eventCodec } from '../event-store/codec.ts';
import { longFeed } from '../event-store/long-feed.ts';
import { postgresSubjectKeys } from '../event-store/postgres-subject-keys.ts';
import { openPostgresEventStore } from '../event-store/postgres.ts';
import { schemas } from '../event-store/schemas.ts';
import { collectForARebuild } from '../infrastructure/collecting.ts';
import { now } from './sample-event.ts';

/** What is measured in a process of its own, so that its memory is its own. */
export type Task = 'turn pages' | 'read' | 'rebuild';
export type Measured = {
  readonly events: number;
  readonly seconds: number;
  /** Peak of the resident memory, in bytes. */ readonly memory: number;
};

const PAGE = 2_000;

/** Every page of the events, one after the other; what a page has is looked at by nobody but `look`. */
const turnPages = async (store: EventStore, categories: readonly Category[], look: (event: Recorded) => void): Promise<number> => {
  let events = 0;
  for (let from = START; ;) {
    const page = await store.page(from, PAGE, categories);
    const last = page.at(-1);
    if (!last) return events;
    for (const event of page) look(event);
    events += page.length;
    from = last.position;
  }
};

/** An event has been read when its data are there: the store opens those of whom somebody asks for them. */
const dataOf = ({ data, stream }: Recorded): void => {
  if (typeof data !== 'object') throw new Error(`An event of ${stream} has no data`);
};

const rebuilt = async (feed: Feed, model: Projector, connectionString: string): Promise<number> => {
  const database = openReadDatabase({ connectionString });
  let events = 0;
  await rebuild(model, feed, database, {
    until: new AbortController().signal,
    onProgress: (progress) => (events = progress.events),
  });
  await database.close();
  return events;
};

/** Where the system says so: what `getrusage` tells of a child is at least what its parent had when it forked. */
const peakMemory = async (): Promise<number> => {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return 1_024 * (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes));
};

collectForARebuild();
const [given, name, connectionString = ''] = process.argv.slice(2);
const task = given as Task; // by `rebuilds.ts`
const model = readModels.find((each) => each.name === name);
if (!model) throw new Error(`There is no read model ${name}`);
const pool = new pg.Pool({ connectionString, max: 2 });
const codec = eventCodec({ schemas, keys: postgresSubjectKeys(pool), now });
const store = await openPostgresEventStore({ connectionString, codec });
const feed = longFeed(store, { connectionString });
// So that its thread is there, as the store is: from source, it takes as long to begin as a whole program does.
if (task === 'rebuild') await feed.page(START, 1, model.categories);
const begun = performance.now();
const TASKS: Readonly<Record<Task, () => Promise<number>>> = {
  'turn pages': () => turnPages(store, model.categories, () => {}),
  read: () => turnPages(store, model.categories, dataOf),
  rebuild: () => rebuilt(feed, model, connectionString),
};
const events = await TASKS[task]();
const seconds = (performance.now() - begun) / 1_000;
await feed.close();
await store.close();
await pool.end();
process.send?.({ events, seconds, memory: await peakMemory() } satisfies Measured);
