import { afterEach, beforeEach, expect, test } from 'vitest';

import { NO_STREAM, type EventStore, type StreamName } from '#domain/event-store.ts';

import { openPostgresEventStore } from '../../event-store/postgres/postgres-event-store.ts';
import type { StoredLog } from '../../event-store/stored-event.ts';
import { shopCodec } from '../../event-store/testing/test-codec.ts';
import { command, restocked, soldOut } from '../../event-store/testing/writing.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { Books, type Audited } from './books.ts';
import { liveLog, type LogSource } from '../log/log-source.ts';
import { readBooks } from './read-books.ts';
import type { SavedHead, SavedHeads } from '../saved-heads.ts';

const STREAMS = Array.from({ length: 400 }, (_, index): StreamName => `product-${String(index).padStart(3, '0')}`);
const HASH = 'a'.repeat(64);

let store: EventStore & StoredLog;

beforeEach(async () => {
  store = await openPostgresEventStore({ connectionString: await freshDatabase(), codec: shopCodec() });
  await Promise.all(STREAMS.map((stream) => store.append(stream, NO_STREAM, [soldOut, restocked], command())));
});
afterEach(() => store.close());

type Read = Audited & { readonly most: number };

/** Goes through the log beside these heads, and tells how many streams were remembered at most. */
const read = async (saved: readonly SavedHead[] = [], source: LogSource = liveLog(store), most?: number): Promise<Read> => {
  const books = new Books({ head: await source.sealedHead?.() });
  const savedHeads: SavedHeads = {
    of: async (stream) => saved.filter((head) => head.stream === stream),
    save: async () => undefined,
    pages: () => pagesOf(saved),
  };
  let remembered = 0;
  for await (const _ of readBooks(source, books, { savedHeads, ...(most !== undefined && { most }) }))
    remembered = Math.max(remembered, books.remembered);
  return { ...books.conclude(), most: remembered };
};

async function* pagesOf(saved: readonly SavedHead[]): AsyncGenerator<readonly SavedHead[]> {
  for (const head of saved) yield [head];
}

test('of all streams of a log in Postgres one is remembered at a time', async () => {
  expect(await read()).toMatchObject({ events: 800, streams: 400, count: 0, most: 1 });
});

/** The same log as one that cannot be read stream after stream, as that of an EventStoreDB and a file. */
const inItsOrder = (): LogSource => {
  const { streams: _, ...source } = liveLog(store);
  return source;
};

test.each([400, 20, 2])(
  'of a log that comes in its order %i streams are remembered at a time, and nothing of the others is lost',
  async (most) => {
    expect(await read([], inItsOrder(), most)).toMatchObject({ events: 800, streams: 400, count: 0, most });
  },
);

test('heads that were saved are met as the streams go by, also those of streams that are gone or were cut off', async () => {
  const last = (await store.storedStream('product-200')).at(-1);
  const hash = JSON.parse(last?.metadata ?? '{}') as { hash: string };
  const saved: readonly SavedHead[] = [
    { stream: 'order-gone', revision: 0, hash: HASH },
    { stream: 'order-gone', revision: 1, hash: HASH },
    { stream: 'product-100', revision: 1, hash: HASH },
    { stream: 'product-200', revision: 1, hash: hash.hash },
    { stream: 'product-300', revision: 5, hash: HASH },
    { stream: 'product-gone', revision: 0, hash: HASH },
  ];
  for (const [source, most] of [
    [liveLog(store), 1],
    [inItsOrder(), 20],
    [inItsOrder(), 402],
  ] as const) {
    const { count, findings, streams, most: remembered } = await read(saved, source, most);
    expect({ count, streams, remembered }).toEqual({ count: 4, streams: 400, remembered: most });
    expect(findings.map(({ stream, revision, what }) => `${stream} ${revision} ${what}`).toSorted()).toEqual([
      'order-gone 0 missing',
      'product-100 1 altered',
      'product-300 2 missing',
      'product-gone 0 missing',
    ]);
  }
});
