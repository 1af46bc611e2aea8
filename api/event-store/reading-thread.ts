import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import type { Category, LogPosition } from '#domain/event-store.ts';
import { instant } from '#domain/shared/instant.ts';

import { eventCodec } from './codec.ts';
import { pageOf, pageWith, rowsIn, type EventRow, type PageBytes } from './event-rows.ts';
import { END, type Answer, type LogPlace, type Question, type Read } from './long-feed.ts';
import { troubleOf } from './opened-text.ts';
import { PagesAhead, type Asked, type Begun } from './pages-ahead.ts';
import { openPool } from './postgres-connections.ts';
import { storedRows } from './postgres-rows.ts';
import { postgresSubjectKeys } from './postgres-subject-keys.ts';
import { schemas } from './schemas.ts';
import { Scratch } from './scratch.ts';

/** The thread of `longFeed`: answers one question after the other until it is told that there are no more. */
const port = parentPort;
if (!port) throw new Error('This is to be run as a thread');
const place: LogPlace = workerData; // given by `longFeed`

/** Makes way for the thread that folds, which has the more to do and must not wait for a core while pages are read ahead. */
const LESS_URGENT = 10;
setPriority(LESS_URGENT);

/** How long Postgres may take to answer, in ms. */
const ANSWER_WITHIN = 10_000;

/** One connection for pages, and one for keys. */
const pool = openPool(place.connectionString, 2, ANSWER_WITHIN, false);
/** None of them is remembered: in a long log a person is seldom met again soon. */
const keys = postgresSubjectKeys(pool, undefined, 0);
const codec = eventCodec({ schemas, keys, now: () => instant(new Date().toISOString()) });

/** The log as it is kept, sealed. A page may stand in `scratch` until that is used again. */
type SealedLog = {
  page(after: LogPosition, limit: number, categories: readonly Category[], scratch: Scratch): Promise<PageBytes>;
  close(): Promise<void>;
};

const open = async ({ eventStoreUrl, streamPrefix }: LogPlace): Promise<SealedLog> => {
  if (eventStoreUrl === undefined) return { page: storedRows(pool, ANSWER_WITHIN).pageBytes, close: async () => {} };
  const { openEventStoreDb } = await import('./eventstoredb.ts');
  const store = openEventStoreDb({ connectionString: eventStoreUrl, codec, ...(streamPrefix !== undefined && { streamPrefix }) });
  return { page: async (after, limit, categories) => pageOf(await store.storedPage(after, limit, categories)), close: store.close };
};

const opening = open(place);
// Told to whoever asks for a page.
opening.catch(() => {});

/** What comes after these rows, if there are as many as were asked for. */
const nextAfter = (rows: readonly EventRow[], { limit, categories }: Asked): Asked | undefined => {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last && { after: last.position, limit, categories };
};

/** So many pages are opened before they are asked for: whoever asks has slow moments, and so has the log. */
const AHEAD = 1;
const spare: Scratch[] = [];

const pages = new PagesAhead((asked): Begun<Read> => {
  const { after, limit, categories } = asked;
  const scratch = spare.pop() ?? new Scratch();
  const stored = opening.then(async (log) => {
    const page = await log.page(after, limit, categories, scratch);
    const rows = rowsIn(page);
    return { page, rows, next: nextAfter(rows, asked) };
  });
  const read = stored.then(async ({ page, rows, next }) => ({ page: pageWith(page, await codec.openRows(rows)), next }));
  return { page: read.finally(() => spare.push(scratch)), next: stored.then(({ next }) => next) };
}, AHEAD);

const answer = async ({ id, ...asked }: Question): Promise<void> => {
  try {
    const read = await pages.page(asked);
    port.postMessage({ id, ...read } satisfies Answer, [read.page.buffer as ArrayBuffer]);
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
