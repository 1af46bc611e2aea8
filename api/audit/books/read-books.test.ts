import { afterEach, beforeEach, expect, test } from 'vitest';

import { NO_STREAM, type EventStore, type StreamName } from '#domain/event-store.ts';

import {
  confirmed,
  created,
  delivered,
  placed,
  returnDecided,
  returnReceived,
  returnRequested,
  shipped,
  soldLines,
} from '#domain/testing/orders.ts';

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

/** Audits the log with these saved heads, and records the highest number of streams in memory. */
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

test('a log in Postgres is read with one stream in memory at a time', async () => {
  expect(await read()).toMatchObject({ events: 800, streams: 400, count: 0, most: 1 });
});

test('a return is judged by what was bought', async () => {
  const asked = (quantity: number) => returnRequested({ lines: [{ productId: soldLines[0].productId, quantity }] });
  const bought = [created(), placed(), confirmed(), shipped(), delivered()];
  const { quantity } = soldLines[0];
  await store.append('order-lawful', NO_STREAM, [...bought, asked(quantity), returnDecided(), returnReceived()], command());
  await store.append('order-too-much', NO_STREAM, [...bought, asked(quantity + 1)], command());
  expect((await read()).findings).toMatchObject([{ stream: 'order-too-much', revision: 5, what: 'unlawful' }]);
});

/** This source cannot be read by stream, like EventStoreDB or a file. */
const inItsOrder = (): LogSource => {
  const { streams: _, ...source } = liveLog(store);
  return source;
};

test.each([400, 20, 2])('a log in log order is read with %i streams in memory at a time, and no stream is lost', async (most) => {
  expect(await read([], inItsOrder(), most)).toMatchObject({ events: 800, streams: 400, count: 0, most });
});

test('saved heads are compared, even those of missing or cut streams', async () => {
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
