import { MaxAppendSizeExceededError } from '@eventstore/db-client';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { NO_STREAM, START, type EventStore } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { instant } from '#domain/shared/instant.ts';
import { verifyChain } from './chain.ts';
import { LogReplaced } from './eventstoredb-follow.ts';
import { openEventStoreDb, StreamIncomplete, type EventStoreDbOptions } from './eventstoredb.ts';
import type { StoredLog } from './stored-event.ts';
import { shopCodec } from './testing/codec.ts';
import { startEventStoreDbDouble } from './testing/eventstoredb-double.ts';
import { command, nextPage, restocked, soldOut, streamId } from './testing/writing.ts';

const PRODUCTS = ['product'] as const;
const codec = shopCodec();
const server = await startEventStoreDbDouble();
const opened: (EventStore & StoredLog)[] = [];

const longText = 'Oud, saffron and leather. '.repeat(40);
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
  test('is named, and nothing is decided on what is left of it; the audit sees that', async () => {
    const store = openStore();
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
    server.truncate(stream, 1);
    await expect(store.read(stream)).rejects.toThrow(StreamIncomplete);
    expect(await store.storedStream(stream)).toMatchObject([{ revision: 1 }]);
    expect(verifyChain(stream, await store.storedStream(stream), [head])).toMatchObject({ chain: 'broken' });
  });

  test('does not begin anew as if nothing had been', async () => {
    const store = openStore();
    const stream = streamId();
    await store.append(stream, NO_STREAM, [soldOut], command());
    server.truncate(stream, 1);
    expect(await store.read(stream)).toMatchObject({ events: [], head: NO_STREAM });
    await expect(store.append(stream, NO_STREAM, [soldOut], command())).rejects.toThrow(StreamIncomplete);
    await expect(store.read(stream)).rejects.toThrow(StreamIncomplete);
  });

  test('for ever is named whenever somebody reads it or appends to it; the audit sees that nothing is left', async () => {
    const store = openStore();
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
    server.tombstone(stream);
    await expect(store.read(stream)).rejects.toThrow(StreamIncomplete);
    await expect(store.append(stream, head, [restocked], command())).rejects.toThrow(StreamIncomplete);
    expect(verifyChain(stream, await store.storedStream(stream), [head])).toMatchObject({ chain: 'broken', brokenAt: 0 });
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

test('an append that is more than the server takes is refused at once, and not sent again', async () => {
  const store = openStore({ answerWithin: 20_000 });
  const stream = streamId();
  const tooMuch = Array.from({ length: 1_500 }, () => revised);
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
