import { parentPort, workerData } from 'node:worker_threads';

import pg from 'pg';

import type { Category, LogPosition } from '#domain/event-store.ts';
import { instant } from '#domain/shared/instant.ts';

import { eventCodec } from './codec.ts';
import { pageOf, rowsIn, withTexts, type PageBytes } from './event-rows.ts';
import { END, type Answer, type LogPlace, type Question } from './long-feed.ts';
import { troubleOf } from './opened-text.ts';
import { PagesAhead, type Asked, type Begun } from './pages-ahead.ts';
import { openPool } from './postgres-connections.ts';
import { storedRows } from './postgres-rows.ts';
import { postgresSubjectKeys } from './postgres-subject-keys.ts';
import { schemas } from './schemas.ts';

/** The thread of `longFeed`: answers one question after the other until it is told that there are no more. */
const port = parentPort;
if (!port) throw new Error('This is to be run as a thread');
const place: LogPlace = workerData; // given by `longFeed`

/** How long Postgres may take to answer, in ms. */
const ANSWER_WITHIN = 10_000;

const pool = new pg.Pool({ connectionString: place.connectionString, max: 1 });
// A connection that breaks fails its query, which is asked again.
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));
const codec = eventCodec({ schemas, keys: postgresSubjectKeys(pool), now: () => instant(new Date().toISOString()) });

/** The log of events, sealed as it is kept. */
type SealedLog = { page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<PageBytes>; close(): Promise<void> };

const open = async ({ connectionString, eventStoreUrl, streamPrefix }: LogPlace): Promise<SealedLog> => {
  if (eventStoreUrl === undefined) {
    const reader = openPool(connectionString, 1, ANSWER_WITHIN, false);
    return { page: storedRows(reader, ANSWER_WITHIN).pageBytes, close: () => reader.end() };
  }
  const { openEventStoreDb } = await import('./eventstoredb.ts');
  const store = openEventStoreDb({ connectionString: eventStoreUrl, codec, ...(streamPrefix !== undefined && { streamPrefix }) });
  return { page: async (...asked) => pageOf(await store.storedPage(...asked)), close: store.close };
};

const opening = open(place);
// Told to whoever asks for a page.
opening.catch(() => {});

const begin = ({ after, limit, categories }: Asked): Begun<PageBytes> => {
  const sealed = opening.then(async (log) => {
    const page = await log.page(after, limit, categories);
    return { page, rows: rowsIn(page) };
  });
  const next = async (): Promise<Asked | undefined> => {
    const { rows } = await sealed;
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return last && { after: last.position, limit, categories };
  };
  const opened = async (): Promise<PageBytes> => {
    const { page, rows } = await sealed;
    return withTexts(page, rows, await codec.openTexts(rows));
  };
  return { page: opened(), next: next() };
};
const pages = new PagesAhead(begin);

const answer = async ({ id, ...asked }: Question): Promise<void> => {
  try {
    const page = await pages.page(asked);
    port.postMessage({ id, page } satisfies Answer, [page.buffer as ArrayBuffer]);
  } catch (error) {
    port.postMessage({ id, trouble: troubleOf(error) } satisfies Answer);
  }
};

const end = async (): Promise<void> => {
  port.close();
  await opening.then((log) => log.close()).catch(() => {});
  await pool.end();
  // Of this thread alone: pages that were begun ahead would go on asking.
  process.exit();
};

port.on('message', (question: Question | typeof END) => {
  if (question === END) void end();
  else void answer(question);
});
