import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MaxAppendSizeExceededError } from '@eventstore/db-client';
import { describe, expect, test, vi } from 'vitest';
import { NO_STREAM, START, StreamIncomplete } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { instant } from '#domain/shared/time.ts';
import type { Decider } from '#domain/shared/decider.ts';
import { createExecute, type Execute } from '../../command-handler/execute.ts';
import { verifyChain } from '../chain.ts';
import { isRewound, asCheckpointEvent } from '#projections/follower/log-rewind.ts';
import { LogReplaced } from '../log-reader.ts';
import { openConnection } from './eventstoredb-connection.ts';
import { naming } from './eventstoredb-names.ts';
import { eventStoreDbReading } from './eventstoredb-reading.ts';
import { startEventStoreDbDouble } from './testing/eventstoredb-double.ts';
import { command, nextPage, priceMoved, restocked, soldOut, streamId } from '../testing/writing.ts';
import { startServerForFile } from './testing/open-on-double.ts';

const PRODUCTS = ['product'] as const;
const { server, openStore } = await startServerForFile();

const longText = 'Oud, saffron and leather. '.repeat(4_000);
const revised: ProductEvent = {
  type: 'ProductDetailsRevised',
  data: { changes: { description: longText }, revisedAt: instant('2026-11-14T12:00:00.000Z') },
};

/** Every command of this decider appends an event. */
const moving: Decider<number, object, ProductEvent, never> = {
  initial: 0,
  decide: (moves) => ({ ok: true, events: [priceMoved(moves)] }),
  evolve: (moves) => moves + 1,
};

describe('a stream truncated or deleted on the server', () => {
  test('is reported with the missing revisions, and no command is decided on it', async () => {
    const store = openStore();
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked, soldOut], command());
    server.truncate(stream, 2);
    const missing = new StreamIncomplete(stream, 'truncated', 0, 1);
    await expect(store.read(stream)).rejects.toThrow(missing);
    await expect(store.storedStream(stream)).rejects.toThrow(missing);
    expect(await store.read(stream, head)).toEqual({ events: [], head });
  });

  test('does not count as a stream that never existed, and is reported by an append that the server takes for its first', async () => {
    const store = openStore();
    const stream = streamId();
    await store.append(stream, NO_STREAM, [soldOut], command());
    server.truncate(stream, 1);
    const missing = new StreamIncomplete(stream, 'deleted', 0);
    await expect(store.read(stream)).rejects.toThrow(missing);
    await expect(store.storedStream(stream)).rejects.toThrow(missing);
    await expect(store.append(stream, NO_STREAM, [soldOut], command())).rejects.toThrow(new StreamIncomplete(stream, 'deleted', 0, 0));
    await expect(store.read(stream)).rejects.toThrow(new StreamIncomplete(stream, 'truncated', 0, 0));
  });

  test('does not look to followers like a log replaced by an older one', async () => {
    const store = openStore();
    const stream = streamId();
    const { position } = await store.append(stream, NO_STREAM, [soldOut], command());
    const place = asCheckpointEvent((await store.at(position)) ?? expect.fail());
    server.truncate(stream, 1);
    expect(await isRewound(store, place)).toBe(false);
    server.tombstone(stream);
    expect(await isRewound(store, place)).toBe(false);
  });

  test('is reported by reads, audits and appends if deleted for ever', async () => {
    const store = openStore();
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
    server.tombstone(stream);
    const missing = new StreamIncomplete(stream, 'deleted for ever', 0);
    await expect(store.read(stream)).rejects.toThrow(missing);
    await expect(store.storedStream(stream)).rejects.toThrow(missing);
    await expect(store.append(stream, head, [restocked], command())).rejects.toThrow(missing);
  });

  test('is listed for the audit with the missing revisions', async () => {
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

  test('is ignored by followers if deleted for ever', async () => {
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

describe('a server restored from an older backup', () => {
  test('is noticed by a follower whose subscription stays open but silent', async () => {
    const store = openStore({ streamPrefix: 'shorter-' });
    await store.append(streamId(), NO_STREAM, [soldOut], command());
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const subscriptions = server.subscriptionsEver();
    const pages = store.follow(position, PRODUCTS, new AbortController().signal)[Symbol.asyncIterator]();
    const ended = expect(pages.next()).rejects.toThrow(LogReplaced);
    // One subscription is for the catch-up page, one for the tail.
    await server.untilSubscribed(subscriptions + 1);
    server.rewind(position);
    await ended;
  });

  test('shows its earlier end when asked for the newest event', async () => {
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

  test.each([
    ['followed', true],
    ['not followed', false],
  ])('whose stream has grown to the same revision refuses appends at a cached head, in a log that is %s', async (_, isFollowed) => {
    const restored = await startEventStoreDbDouble();
    const [store, other] = [openStore(restored), openStore(restored)];
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
    if (isFollowed) {
      await store.head(PRODUCTS);
      await restored.untilSubscribed(1);
    }
    const execute = createExecute(store);
    const move = (by: Execute) => by(moving, stream, {}, command());
    await move(execute);
    const { position } = await move(execute);
    restored.kill();
    restored.rewind(position ?? expect.fail());
    await restored.revive();
    await other.append(stream, (await other.read(stream)).head, [soldOut], command());
    await move(execute);
    expect(verifyChain(stream, await store.storedStream(stream))).toMatchObject({ chain: 'intact', head: { revision: head.revision + 3 } });
    restored.close();
  });

  test('need not be read for appends as long as a subscription shows that the log is the same', async () => {
    const store = openStore({ watchEvery: 60_000 });
    const stream = streamId();
    let { head } = await store.append(stream, NO_STREAM, [soldOut], command());
    await store.head(PRODUCTS);
    const readsOfAppend = async () => {
      const before = server.readsEver();
      ({ head } = await store.append(stream, head, [soldOut], command()));
      return server.readsEver() - before;
    };
    await expect.poll(readsOfAppend).toBe(0);
    server.endSubscriptions();
    await expect.poll(readsOfAppend).toBe(1);
    await expect.poll(readsOfAppend).toBe(0);
  });

  test('ends followers that had read beyond its end with LogReplaced', async () => {
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

test('a connection string with TLS and without a user is refused, since appends need credentials', () => {
  expect(() => openStore({ connectionString: 'esdb://127.0.0.1:2113' })).toThrow('must name a user');
});

test('an append above the size limit is refused immediately and not resent', async () => {
  const store = openStore({ answerWithin: 20_000 });
  const stream = streamId();
  const tooMuch = Array.from({ length: 12 }, () => revised);
  await expect(store.append(stream, NO_STREAM, tooMuch, command())).rejects.toThrow(MaxAppendSizeExceededError);
  expect(await store.read(stream)).toMatchObject({ events: [], head: NO_STREAM });
});

test('a read waits for a page as long as the server reports progress', async () => {
  const store = openStore({ streamPrefix: 'far-', answerWithin: 3_000 });
  const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
  server.writeAsNeighbour(40_000);
  const { position: next } = await store.append(streamId(), NO_STREAM, [soldOut], command());
  const before = server.subscriptionsEver();
  // The search takes longer in total than the timeout, but not between reports.
  server.searchFor(200);
  expect(await store.page(START, 10, PRODUCTS)).toMatchObject([{ position }, { position: next }]);
  expect(server.subscriptionsEver()).toBe(before + 1);
});

test('a page that ends half way is requested again, since followers would skip the rest', async () => {
  const store = openStore({ streamPrefix: 'cut-' });
  await store.append(streamId(), NO_STREAM, [soldOut, restocked, soldOut], command());
  server.cutNextSubscription();
  expect(await store.page(START, 10, PRODUCTS)).toHaveLength(3);
});

describe.each(['23.10', '24.10'] as const)('an EventStoreDB %s restored from an older backup that has grown since', (version) => {
  test('has no event at a position inside another record, and ends followers from there', async () => {
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
    // The next record begins before that position and ends after it.
    grown.rewind(position - 1n);
    grown.writeAsNeighbour(3);
    grown.endSubscriptions();
    await awaited;

    expect(await store.at(position)).toBeUndefined();
    // The event is looked up by stream, because the responses for positions differ between versions.
    expect(await isRewound({ read: store.read, at: () => expect.fail() }, asCheckpointEvent(last))).toBe(true);
    expect(await store.head(PRODUCTS)).toBe(kept.position);
    const { position: next } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    expect(await store.head(PRODUCTS)).toBe(next);
    expect(await store.page(position, 10, PRODUCTS)).toMatchObject([{ position: next }]);
    leave.abort();
    grown.close();
  });
});

describe('while others write a lot to the server', () => {
  /** The server searches this many events in a window, and takes this many ms for each. */
  const [WINDOW, SEARCHED_IN] = [2_000, 20];
  const HEAD_WITHIN_MS = 100;

  test.each([
    ['followed', true],
    ['not followed', false],
  ])('a search for the newest event takes as long as the one before, in a log that is %s', async (_, isFollowed) => {
    const store = openStore({ streamPrefix: `beside-${isFollowed}-`, watchEvery: 60_000 });
    const leave = new AbortController();
    const subscriptions = server.subscriptionsEver();
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const pages = store.follow(START, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
    if (isFollowed) expect(await nextPage(pages)).toMatchObject([{ position }]);
    expect(await store.head(PRODUCTS)).toBe(position);
    await server.untilSubscribed(subscriptions + 1);
    server.searchFor(SEARCHED_IN);
    // A search that the follower has overtaken is cancelled, and continues at the server until it notices that.
    const untilSearchesEnd = () => vi.waitUntil(() => server.catchingUp() === 0, { timeout: 60_000 });
    await untilSearchesEnd();
    server.writeAsNeighbour(20_000);
    const [examined, reads] = [server.consideredEver(), server.readsEver()];
    expect(await store.head(PRODUCTS)).toBe(position);
    expect(((server.consideredEver() - examined) / WINDOW) * SEARCHED_IN).toBeLessThan(HEAD_WITHIN_MS);
    expect(server.readsEver() - reads).toBeLessThanOrEqual(2);
    await untilSearchesEnd();
    const considered = server.consideredEver();
    const { position: next } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    expect(await store.head(PRODUCTS)).toBe(next);
    expect(server.consideredEver() - considered).toBeLessThan(2 * WINDOW);
    leave.abort();
  });

  test('a follower that has all events of the shop skips the others', async () => {
    const streamPrefix = 'quiet-';
    const { position } = await openStore({ streamPrefix }).append(streamId(), NO_STREAM, [soldOut], command());
    server.writeAsNeighbour(10_000);
    const [considered, subscriptions] = [server.consideredEver(), server.subscriptionsEver()];
    const store = openStore({ streamPrefix });
    const pages = store.follow(position, PRODUCTS, new AbortController().signal)[Symbol.asyncIterator]();
    const next = nextPage(pages);
    await server.untilSubscribed(subscriptions + 1);
    const appended = await store.append(streamId(), NO_STREAM, [restocked], command());
    expect(await next).toMatchObject([{ position: appended.position }]);
    expect(server.consideredEver() - considered).toBeLessThanOrEqual(1);
  });

  test('a search for the newest event that ends early does not begin anew', async () => {
    const connection = openConnection(server.connectionString, 20_000);
    const reading = eventStoreDbReading(connection, naming('early-'));
    const store = openStore({ streamPrefix: 'early-' });
    expect(await reading.head(PRODUCTS)).toBe(START);
    server.writeAsNeighbour(10_000);
    await store.append(streamId(), NO_STREAM, [soldOut], command());
    server.writeAsNeighbour(10_000);
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    server.cutNextSubscription();
    const considered = server.consideredEver();
    expect(await reading.head(PRODUCTS)).toBe(position);
    expect(server.consideredEver() - considered).toBeLessThanOrEqual(10_001);
    await connection.close();
  });
});

test('the client library has the version whose internals were tested', () => {
  // If this test fails, run the store's tests on a real server (npm run test:eventstoredb), then update the version here and in the file.
  const { version } = createRequire(import.meta.url)('@eventstore/db-client/package.json') as { version: string };
  expect(version).toBe('6.2.1');
  expect(readFileSync(new URL('eventstoredb-filtered.ts', import.meta.url), 'utf8')).toContain(`@eventstore/db-client ${version}`);
});
