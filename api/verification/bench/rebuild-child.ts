import pg from 'pg';

import { START, type Feed } from '#domain/event-store.ts';
import { openReadDatabase } from '#projections/database.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { readModels } from '#projections/read-models.ts';
import { readPages, rebuild } from '#projections/engine/rebuild.ts';
import type { ReadableLog } from '#projections/follower/log-rewind.ts';

import { WhatIfInput } from '../../audit/what-if/what-if-input.ts';
import { whatIfLines } from '../../audit/what-if/what-if-lines.ts';
import { eventCodec } from '../../event-store/codec/codec.ts';
import { openKeyring } from '../../event-store/encryption/keyring.ts';
import { postgresSubjectKeys } from '../../event-store/postgres/postgres-subject-keys.ts';
import { openPostgresEventStore } from '../../event-store/postgres/postgres-event-store.ts';
import { schemas } from '../../event-store/codec/schemas.ts';
import { peakMemory } from './measuring/peak-memory.ts';
import { now } from './samples/sample-event.ts';
import { benchKeys } from './samples/sample-log.ts';

/** In a process of its own, to measure its memory. */
export type RebuildTask = 'read' | 'rebuild' | 'what-if';
/** `memory`: the peak of the resident memory, in bytes. */
export type MeasuredRebuild = { readonly events: number; readonly seconds: number; readonly memory: number };

/**
 * The limit of a rebuild: reading the same pages and decoding the data of each event, which the store does when they are first accessed.
 */
const readAll = async (feed: Feed, { categories }: Projector): Promise<number> => {
  let events = 0;
  for await (const page of readPages(feed, START, categories, await feed.head(categories)))
    for (const { data, stream } of page) {
      if (typeof data !== 'object') throw new Error(`An event of ${stream} has no data`);
      events += 1;
    }
  return events;
};

const rebuilt = async (log: ReadableLog, model: Projector, connectionString: string): Promise<number> => {
  const database = openReadDatabase({ connectionString });
  let events = 0;
  await rebuild(model, log, database, {
    until: new AbortController().signal,
    onProgress: (progress) => (events = progress.events),
  });
  await database.close();
  return events;
};

/** With a rate, a fee and a threshold that make every order differ. */
const OTHER_RULES = WhatIfInput.parse({ rate: '3303=12', wrap: '49', shipping: '99:2000' });

const recounted = async (store: Parameters<typeof whatIfLines>[0]): Promise<number> => {
  let events = 0;
  for await (const line of whatIfLines(store, OTHER_RULES)) if ('of' in line) events = line.events;
  return events;
};

const [given, name, connectionString = ''] = process.argv.slice(2);
const task = given as RebuildTask; // set by `rebuilds.ts`
const model = readModels.find((each) => each.name === name);
if (!model) throw new Error(`There is no read model ${name}`);
const pool = new pg.Pool({ connectionString, max: 2 });
const codec = eventCodec({ schemas, keys: postgresSubjectKeys(pool, await openKeyring(pool, benchKeys)), now });
const store = await openPostgresEventStore({ connectionString, codec });
const work: Readonly<Record<RebuildTask, () => Promise<number>>> = {
  read: () => readAll(store, model),
  rebuild: () => rebuilt(store, model, connectionString),
  'what-if': () => recounted(store),
};
const begun = performance.now();
const events = await work[task]();
const seconds = (performance.now() - begun) / 1_000;
await store.close();
await pool.end();
process.send?.({ events, seconds, memory: await peakMemory() } satisfies MeasuredRebuild);
