import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MaxAppendSizeExceededError } from '@eventstore/db-client';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { NO_STREAM, START, type EventStore } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { instant } from '#domain/shared/time.ts';
import { isRewound, asCheckpointEvent } from '#projections/engine/log-rewind.ts';
import { LogReplaced } from './eventstoredb-follow.ts';
import { openEventStoreDb, type EventStoreDbOptions } from './eventstoredb-event-store.ts';
import { StreamIncomplete, type StoredLog } from '../stored-event.ts';
import { shopCodec } from '../testing/test-codec.ts';
import { startEventStoreDbDouble } from './testing/eventstoredb-double.ts';
import { command, nextPage, restocked, soldOut, streamId } from '../testing/writing.ts';

const PRODUCTS = ['product'] as const;
const codec = shopCodec();
const server = await startEventStoreDbDouble();
const opened: (EventStore & StoredLog)[] = [];

const longText = 'Oud, saffron and leather. '.repeat(4_000);
const revised: ProductEvent = {
  type: 'ProductDetailsRevised',
  data: { changes: { description: longText }, revisedAt: instant('2026-11-14T12:00:00.000Z') },
};

const openStore = (options: Partial<EventStoreDbOptions> = {}) => {
  const store = openEventStoreDb({ connectionString: server.connectionString, codec, answerWithin: 2_000, watchEvery: 50, ...options });
  opened.push(store);
  return store;
};

afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
afterAll(server.close);

describe('a stream that somebody truncated or deleted on the server', () => {
  test('is named with what is missing, and nothing is decided on what is left of it', async () => {
    const store = openStore();
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked, soldOut], command());
    server.truncate(stream, 2);
    const missing = new StreamIncomplete(stream, 'truncated', 0, 1);
    await expect(store.read(stream)).rejects.toThrow(missing);
    await expect(store.storedStream(stream)).rejects.toThrow(missing);
    expect(await store.read(stream, head)).toEqual({ events: [], head });
  });

  test('is not taken for one that never was', async () => {
    const store = openStore();
    const stream = streamId();
    await store.append(stream, NO_STREAM, [soldOut], command());
    server.truncate(stream, 1);
    const missing = new StreamIncomplete(stream, 'deleted', 0);
    await expect(store.read(stream)).rejects.toThrow(missing);
    await expect(store.storedStream(stream)).rejects.toThrow(missing);
  });

  test('is found by an append too, which the server takes for the first of a new stream', async () => {
    const store = openStore();
    const stream = streamId();
    await store.append(stream, NO_STREAM, [soldOut], command());
    server.truncate(stream, 1);
    await expect(store.append(stream, NO_STREAM, [soldOut], command())).rejects.toThrow(new StreamIncomplete(stream, 'deleted', 0, 0));
    await expect(store.read(stream)).rejects.toThrow(new StreamIncomplete(stream, 'truncated', 0, 0));
  });

  test('for ever is named whenever somebody reads it, audits it or appends to it', async () => {
    const store = openStore();
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
    server.tombstone(stream);
    const missing = new StreamIncomplete(stream, 'deleted for ever', 0);
    await expect(store.read(stream)).rejects.toThrow(missing);
    await expect(store.storedStream(stream)).rejects.toThrow(missing);
    await expect(store.append(stream, head, [restocked], command())).rejects.toThrow(missing);
  });

  test('is among those that an auditor is told of, each with what is missing', async () => {
    const store = openStore({ streamPrefix: 'audited-' });
    const streams = [streamId(), streamId(), streamId(), streamId()] as const;
    for (const stream of streams) await store.append(stream, NO_STREAM, [soldOut, restocked], command());
    server.truncate(`audited-${streams[0]}`, 1);
    server.truncate(`audited-${streams[1]}`, 2);
    server.tombstone(`audited-${streams[2]}`);
    server.truncate('neighbour-1', 1);
    expect(await store.cutStreams?.()).toEqual([
      new StreamIncomplete(streams[0], 'truncated', 0, 0),
      new StreamIncomplete(streams[1], 'deleted', 0),
      new StreamIncomplete(streams[2], 'deleted for ever', 0),
    ]);
  });

  test('for ever is nothing that followers are told of, or wait for', async () => {
    const store = openStore({ streamPrefix: 'ended-' });
    const [stream, other] = [streamId(), streamId()];
    const { position } = await store.append(stream, NO_STREAM, [soldOut], command());
    server.tombstone(`ended-${stream}`);
    expect(await openStore({ streamPrefix: 'ended-' }).head(PRODUCTS)).toBe(position);
    expect(await store.page(START, 10, PRODUCTS)).toMatchObject([{ stream, revision: 0 }]);
    const next = await store.append(other, NO_STREAM, [soldOut], command());
    expect(await store.page(position, 10, PRODUCTS)).toMatchObject([{ stream: other, position: next.position }]);
  });
});

describe('a server in whose place an older backup was put', () => {
  test('is noticed by a follower though its subscription goes on: it would be told nothing until the log has grown again', async () => {
    const store = openStore({ streamPrefix: 'shorter-' });
    await store.append(streamId(), NO_STREAM, [soldOut], command());
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const subscriptions = server.subscriptionsEver();
    const pages = store.follow(position, PRODUCTS, new AbortController().signal)[Symbol.asyncIterator]();
    const ended = expect(pages.next()).rejects.toThrow(LogReplaced);
    // One for the page that it catches up with, one for the tail.
    await server.untilSubscribed(subscriptions + 1);
    server.rewind(position);
    await ended;
  });

  test('is seen to end earlier by whoever asks for the newest event', async () => {
    const store = openStore({ streamPrefix: 'older-' });
    const kept = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const lost = await store.append(streamId(), NO_STREAM, [soldOut], command());
    expect(await store.head(PRODUCTS)).toBe(lost.position);
    server.rewind(lost.position);
    expect(await store.head(PRODUCTS)).toBe(kept.position);
    expect(await store.at(lost.position)).toBeUndefined();
    server.rewind(kept.position);
    expect(await store.head(PRODUCTS)).toBe(START);
    const anew = await store.append(streamId(), NO_STREAM, [restocked], command());
    expect(await store.head(PRODUCTS)).toBe(anew.position);
  });

  test('ends those who followed beyond its end by name: what comes next would not follow what came before', async () => {
    const store = openStore({ streamPrefix: 'before-' });
    const leave = new AbortController();
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const pages = store.follow(START, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
    expect(await nextPage(pages)).toMatchObject([{ position }]);
    const awaited = expect(pages.next()).rejects.toThrow(LogReplaced);
    server.rewind(position);
    server.endSubscriptions();
    await awaited;
  });
});

test('a connection over TLS without a user is refused before it is made, since an append names one', () => {
  expect(() => openStore({ connectionString: 'esdb://127.0.0.1:2113' })).toThrow('names a user');
});

test('an append that is more than the server takes is refused at once, and not sent again', async () => {
  const store = openStore({ answerWithin: 20_000 });
  const stream = streamId();
  const tooMuch = Array.from({ length: 12 }, () => revised);
  await expect(store.append(stream, NO_STREAM, tooMuch, command())).rejects.toThrow(MaxAppendSizeExceededError);
  expect(await store.read(stream)).toMatchObject({ events: [], head: NO_STREAM });
});

test('a page is waited for as long as the server says that it is still looking', async () => {
  const store = openStore({ streamPrefix: 'far-', answerWithin: 1_000 });
  const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
  // Longer than an answer may take, in parts that are not.
  server.searchSlowly(8);
  const before = server.subscriptionsEver();
  expect(await store.page(START, 10, PRODUCTS)).toMatchObject([{ position }]);
  expect(server.subscriptionsEver()).toBe(before + 1);
});

test('a page that the server ends half way is asked for again, since a follower would skip what is missing from it', async () => {
  const store = openStore({ streamPrefix: 'cut-' });
  await store.append(streamId(), NO_STREAM, [soldOut, restocked, soldOut], command());
  server.cutNextSubscription();
  expect(await store.page(START, 10, PRODUCTS)).toHaveLength(3);
});

describe.each(['23.10', '24.10'] as const)('an EventStoreDB %s in whose place an older backup was put and has grown', (version) => {
  test('has no event at a position inside another record, and ends those who followed from there', async () => {
    const grown = await startEventStoreDbDouble(version);
    const { connectionString } = grown;
    const store = openStore({ connectionString });
    const leave = new AbortController();
    const kept = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const pages = store.follow(START, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
    const last = (await nextPage(pages)).at(-1) ?? expect.fail();
    expect(await store.head(PRODUCTS)).toBe(position);
    expect(await isRewound(store, asCheckpointEvent(last))).toBe(false);

    const awaited = expect(pages.next()).rejects.toThrow(LogReplaced);
    // The next record begins before that position, and ends behind it.
    grown.rewind(position - 1n);
    grown.writeAsNeighbour(3);
    grown.endSubscriptions();
    await awaited;

    expect(await store.at(position)).toBeUndefined();
    // The stream is asked, not the position, which no version of the server answers for in the same words.
    expect(await isRewound({ read: store.read, at: () => expect.fail() }, asCheckpointEvent(last))).toBe(true);
    expect(await store.head(PRODUCTS)).toBe(kept.position);
    const { position: next } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    expect(await store.head(PRODUCTS)).toBe(next);
    expect(await store.page(position, 10, PRODUCTS)).toMatchObject([{ position: next }]);
    leave.abort();
    grown.close();
  });
});

describe('a busy neighbour on the server', () => {
  test('costs whoever asks for the newest event no more than what was written since the last look', async () => {
    const store = openStore({ streamPrefix: 'beside-', watchEvery: 60_000 });
    const leave = new AbortController();
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const pages = store.follow(START, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
    expect(await nextPage(pages)).toMatchObject([{ position }]);
    for (let written = 0; written < 100_000; written += 10_000) {
      server.writeAsNeighbour(10_000);
      const [considered, reads] = [server.consideredEver(), server.readsEver()];
      expect(await store.head(PRODUCTS)).toBe(position);
      // Once for the follower, and once more where it was not told yet.
      expect(server.consideredEver() - considered).toBeLessThanOrEqual(20_000);
      expect(server.readsEver() - reads).toBeLessThanOrEqual(2);
    }
    const considered = server.consideredEver();
    const { position: next } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    expect(await store.head(PRODUCTS)).toBe(next);
    expect(server.consideredEver() - considered).toBeLessThan(100);
    leave.abort();
  });
});

test('the version of the client library is the one with which the parts that it keeps to itself were tried', () => {
  // When this is red: run the store's suite on a real server (npm run test:eventstoredb), then name the new version here and in the file.
  const { version } = createRequire(import.meta.url)('@eventstore/db-client/package.json') as { version: string };
  expect(version).toBe('6.2.1');
  expect(readFileSync(new URL('eventstoredb-filtered.ts', import.meta.url), 'utf8')).toContain(`@eventstore/db-client ${version}`);
});
