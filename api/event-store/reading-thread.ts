import { parentPort, workerData } from 'node:worker_threads';

import pg from 'pg';

import type { EventStore } from '#domain/event-store.ts';
import { instant } from '#domain/shared/instant.ts';

import { eventCodec, type EventCodec } from './codec.ts';
import { END, type Answer, type LogPlace, type Question } from './long-feed.ts';
import { toHand, troubleOf } from './opened-text.ts';
import { postgresSubjectKeys } from './postgres-subject-keys.ts';
import { openPostgresEventStore } from './postgres.ts';
import { schemas } from './schemas.ts';
import type { StoredEvent, StoredLog } from './stored-event.ts';

/** The thread of `longFeed`: answers one question after the other until it is told that there are no more. */
const port = parentPort;
if (!port) throw new Error('This is to be run as a thread');
const place: LogPlace = workerData; // given by `longFeed`

const pool = new pg.Pool({ connectionString: place.connectionString, max: 1 });
// A connection that breaks fails its query, which is asked again.
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));
const codec = eventCodec({ schemas, keys: postgresSubjectKeys(pool), now: () => instant(new Date().toISOString()) });

const open = async ({ connectionString, eventStoreUrl, streamPrefix }: LogPlace, using: EventCodec): Promise<EventStore & StoredLog> => {
  if (eventStoreUrl === undefined) return openPostgresEventStore({ connectionString, codec: using });
  const { openEventStoreDb } = await import('./eventstoredb.ts');
  return openEventStoreDb({ connectionString: eventStoreUrl, codec: using, ...(streamPrefix !== undefined && { streamPrefix }) });
};

const opening = open(place, codec);
// Told to whoever asks for a page.
opening.catch(() => {});

type Stored = readonly StoredEvent[];
type Asked = Pick<Question, 'after' | 'limit' | 'categories'>;

/** What is likely to be asked next, read while what was asked before is opened. */
let ahead: { readonly asked: Asked; readonly page: Promise<Stored> } | undefined;

const isSame = (one: Asked, other: Asked): boolean =>
  one.after === other.after && one.limit === other.limit && one.categories.join() === other.categories.join();

/** A full page, which is always the same, may have been read before; what has room may have been filled since. */
const storedPage = async (store: StoredLog, asked: Asked): Promise<Stored> => {
  const early = ahead && isSame(ahead.asked, asked) ? await ahead.page.catch(() => []) : [];
  const stored = early.length === asked.limit ? early : await store.storedPage(asked.after, asked.limit, asked.categories);
  const last = stored.length === asked.limit ? stored.at(-1) : undefined;
  if (last) readAhead(store, { ...asked, after: last.position });
  return stored;
};

const readAhead = (store: StoredLog, asked: Asked): void => {
  const page = store.storedPage(asked.after, asked.limit, asked.categories);
  // Asked for again, it fails again, and then somebody is told.
  page.catch(() => {});
  ahead = { asked, page };
};

const answerTo = async ({ id, ...asked }: Question): Promise<Answer> => {
  try {
    const stored = await storedPage(await opening, asked);
    return { id, page: toHand(await codec.openTexts(stored)) };
  } catch (error) {
    return { id, trouble: troubleOf(error) };
  }
};

const end = async (): Promise<void> => {
  port.close();
  await opening.then((store) => store.close()).catch(() => {});
  await pool.end();
};

port.on('message', (question: Question | typeof END) => {
  if (question === END) void end();
  else void answerTo(question).then((answer) => port.postMessage(answer));
});
