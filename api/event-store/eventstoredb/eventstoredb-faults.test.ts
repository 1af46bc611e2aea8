import { describe, expect, test, vi } from 'vitest';
import {
  EventStoreUnavailable,
  logPosition,
  NO_STREAM,
  START,
  WrongRevision,
  type EventStore,
  type LogPosition,
} from '#domain/event-store.ts';
import { verifyChain } from '../chain.ts';
import { openConnection } from './eventstoredb-connection.ts';
import { startEventStoreDbDouble, type EventStoreDbDouble } from './testing/eventstoredb-double.ts';
import { command, nextPage, restocked, soldOut, streamId } from '../testing/writing.ts';
import { startServerForFile } from './testing/open-on-double.ts';

const PRODUCTS = ['product'] as const;
const { server, openStore } = await startServerForFile();

/** Opens a follower that is connected before anything else happens. */
const followFrom = async (store: EventStore, start: LogPosition) => {
  const leave = new AbortController();
  const stream = streamId();
  const { head } = await store.append(stream, NO_STREAM, [soldOut], command());
  const pages = store.follow(start, PRODUCTS, leave.signal)[Symbol.asyncIterator]();
  expect(await nextPage(pages)).toMatchObject([{ stream, revision: 0 }]);
  return { stream, head, pages, leave: () => leave.abort() };
};

describe('faults of EventStoreDB', () => {
  test('a follower gets the events that were appended while the server was down', async () => {
    const [store, other] = [openStore(), openStore()];
    const { stream, head, pages, leave } = await followFrom(store, await store.head(PRODUCTS));
    const awaited = nextPage(pages);
    server.kill();
    await server.revive();
    await other.append(stream, head, [restocked], command());
    expect(await awaited).toMatchObject([{ stream, revision: 1 }]);
    leave();
  });

  test('a follower whose subscription ends without an error resubscribes, without duplicates', async () => {
    const store = openStore();
    const { stream, head, pages, leave } = await followFrom(store, await store.head(PRODUCTS));
    const awaited = nextPage(pages);
    server.endSubscriptions();
    const next = await store.append(stream, head, [restocked], command());
    expect(await awaited).toMatchObject([{ stream, revision: 1 }]);
    const again = nextPage(pages);
    server.endSubscriptions();
    await store.append(stream, next.head, [soldOut], command());
    expect(await again).toMatchObject([{ stream, revision: 2 }]);
    leave();
  });

  test('a follower notices a silent subscription and continues', async () => {
    const store = openStore();
    const { stream, head, pages, leave } = await followFrom(store, await store.head(PRODUCTS));
    server.become('silent');
    await store.append(stream, head, [restocked], command());
    const awaited = nextPage(pages);
    const before = server.subscriptionsEver();
    await server.untilSubscribed(before + 1);
    server.become('well');
    expect(await awaited).toMatchObject([{ stream, revision: 1 }]);
    leave();
  });

  test('a quiet log is not mistaken for a silent subscription', async () => {
    const store = openStore({ watchEvery: 5 });
    const subscriptions = server.subscriptionsEver();
    const { pages, leave } = await followFrom(store, await store.head(PRODUCTS));
    const awaited = pages.next();
    // There are a search, the first page and the tail; then another search, and a tail that begins after what others have written.
    await server.untilSubscribed(subscriptions + 3);
    server.writeAsNeighbour(10);
    server.endSubscriptions();
    await server.untilSubscribed(subscriptions + 5);
    // Each check of the head is a read: after twenty, a silent subscription would have been replaced.
    await server.untilRead(server.readsEver() + 20);
    const before = server.subscriptionsEver();
    await server.untilRead(server.readsEver() + 20);
    expect(server.subscriptionsEver()).toBe(before);
    leave();
    expect((await awaited).done).toBe(true);
  });

  test("an append waits if it is refused because the same command's events are accepted but not visible yet", async () => {
    const store = openStore();
    const [stream, metadata] = [streamId(), command()];
    const first = await store.append(stream, NO_STREAM, [soldOut, restocked], metadata);
    // A missing stream takes two reads, because the metadata show whether it was deleted.
    server.tellLate(4);
    expect(await store.append(stream, NO_STREAM, [soldOut, restocked], metadata)).toEqual({ ...first, repeated: true });
  });

  test('an append fails in time if it is refused because of events that were lost with the leader', async () => {
    const store = openStore({ answerWithin: 2_000 });
    const stream = streamId();
    await openStore().append(stream, NO_STREAM, [soldOut], command());
    server.tellLate(1_000);
    await expect(store.append(stream, NO_STREAM, [soldOut], command())).rejects.toThrow(WrongRevision);
    server.tellLate(0);
  });

  test('an append to a stalled server times out, and a retry of the command succeeds', async () => {
    const [store, impatient] = [openStore(), openStore({ answerWithin: 400 })];
    const [stream, metadata] = [streamId(), command()];
    server.become('stalled');
    await expect(impatient.append(stream, NO_STREAM, [soldOut], metadata)).rejects.toThrow(EventStoreUnavailable);
    server.become('well');
    const { head } = await store.append(stream, NO_STREAM, [soldOut], metadata);
    expect(await store.read(stream)).toMatchObject({ events: [{ revision: 0 }], head });
  });

  test('an append whose response was lost is found in the log and returned as written', async () => {
    const store = openStore();
    const stream = streamId();
    server.swallowNextAnswer();
    const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
    const next = await store.append(stream, head, [soldOut], command());
    expect(verifyChain(stream, await store.storedStream(stream))).toEqual({ chain: 'intact', head: next.head });
  });

  test('every call throws EventStoreUnavailable while the server is down', async () => {
    const store = openStore({ answerWithin: 200 });
    const stream = streamId();
    server.kill();
    await expect(store.append(stream, NO_STREAM, [soldOut], command())).rejects.toThrow(EventStoreUnavailable);
    await expect(store.read(stream)).rejects.toThrow(EventStoreUnavailable);
    await expect(store.page(START, 10, PRODUCTS)).rejects.toThrow(EventStoreUnavailable);
    await expect(store.head(PRODUCTS)).rejects.toThrow(EventStoreUnavailable);
    await server.revive();
  });
});

test('a response that was cut short does not count as a complete one', async () => {
  const connection = openConnection(server.connectionString, 20_000);
  let arrive: (part: string) => void = () => {};
  const answer = connection.ask(() => new Promise<string>((resolve) => (arrive = resolve)));
  const refused = expect(answer).rejects.toThrow(EventStoreUnavailable);
  await connection.close();
  arrive('the first half');
  await refused;
});

describe('a cluster', () => {
  test.each(['esdb:', 'esdb+discover:'])('is written and read at its leader, even if a follower was asked first (%s)', async (scheme) => {
    const follower = await startEventStoreDbDouble();
    follower.follow(server);
    const store = openStore({ connectionString: follower.connectionString.replace('esdb:', scheme) });
    const stream = streamId();
    const { head, position } = await store.append(stream, NO_STREAM, [soldOut], command());
    expect(await store.read(stream)).toMatchObject({ events: [{ revision: 0 }], head });
    expect(await store.head(PRODUCTS)).toBe(position);
    expect(await store.at(position)).toMatchObject({ stream });
    follower.close();
  });
});

const FOLLOWERS = 2;

describe('a leader that accepts connections and does not respond', () => {
  const openCluster = async () => {
    const doubles = await Promise.all(Array.from({ length: FOLLOWERS + 2 }, () => startEventStoreDbDouble()));
    const [hung = expect.fail(), ...others] = doubles;
    for (const follower of others) follower.follow(hung);
    const hosts = doubles.map(({ connectionString }) => new URL(connectionString).host);
    const store = openStore({ connectionString: `esdb://${hosts.join(',')}?tls=false`, answerWithin: 10_000 });
    return { store, hung, next: others.at(-1) ?? expect.fail(), close: () => doubles.forEach((double) => double.close()) };
  };
  const calls: readonly [string, (store: EventStore) => Promise<unknown>][] = [
    ['appends', (store) => store.append(streamId(), NO_STREAM, [soldOut], command())],
    ['reads of the log', (store) => store.page(START, 10, PRODUCTS)],
  ];
  const callsOf = (double: EventStoreDbDouble) => double.appendsEver() + double.readsEver() + double.subscriptionsEver();

  test.each(calls)('delays %s until there is a new leader, and is never called again', async (_, call) => {
    const { store, hung, next, close } = await openCluster();
    await call(store);
    hung.become('stalled');
    const before = callsOf(hung);
    const calling = call(store);
    await vi.waitUntil(() => callsOf(hung) > before, { timeout: 60_000 });
    next.lead();
    await calling;
    for (let times = 0; times < 5; times++) await call(store);
    expect(callsOf(hung)).toBe(before + 1);
    close();
  });

  test('is called again as long as the other nodes know no new leader', async () => {
    const { store, hung, close } = await openCluster();
    hung.become('stalled');
    const appending = store.append(streamId(), NO_STREAM, [soldOut], command());
    await hung.untilAppended(2);
    hung.become('well');
    await appending;
    close();
  });
});

describe('a shared server', () => {
  test('shows each shop only its own streams', async () => {
    const [mine, theirs] = [openStore({ streamPrefix: 'mine-' }), openStore({ streamPrefix: 'theirs-' })];
    const stream = streamId();
    const inMine = await mine.append(stream, NO_STREAM, [soldOut], command());
    expect(await theirs.head(PRODUCTS)).toBe(START);
    const inTheirs = await theirs.append(stream, NO_STREAM, [restocked], command());
    expect(await theirs.page(START, 10, PRODUCTS)).toMatchObject([{ stream, ...restocked }]);
    expect(await mine.head(PRODUCTS)).toBe(inMine.position);
    expect(await mine.at(inTheirs.position)).toBeUndefined();
    await expect(mine.append(stream, NO_STREAM, [soldOut], command())).rejects.toThrow(WrongRevision);
  });

  test('returns no event for a position inside a record', async () => {
    const store = openStore();
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    expect(await store.at(logPosition(position - 1n))).toBeUndefined();
  });

  test('returns the events after a position inside a record', async () => {
    const store = openStore({ streamPrefix: 'between-' });
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const { position: next } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    const page = await store.page(logPosition(position + 1n), 10, PRODUCTS);
    expect(page.map((event) => event.position)).toEqual([next]);
  });

  test('finds the newest event before many foreign events without reading those', async () => {
    const mine = openStore({ streamPrefix: 'few-' });
    const { position } = await mine.append(streamId(), NO_STREAM, [soldOut], command());
    server.writeAsNeighbour(700);
    const before = server.readsEver();
    expect(await mine.head(PRODUCTS)).toBe(position);
    expect(server.readsEver() - before).toBeLessThanOrEqual(3);
    expect(await mine.head(PRODUCTS)).toBe(position);
    expect(await openStore({ streamPrefix: 'none-' }).head(PRODUCTS)).toBe(START);
  });
});

test('a log is not taken for an older one when a follower overtakes a search for its newest event', async () => {
  const store = openStore({ streamPrefix: 'overtaken-', watchEvery: 60_000 });
  const { stream, head, pages, leave } = await followFrom(store, await store.head(PRODUCTS));
  const reads = server.readsEver();
  const answer = server.holdNextRead();
  const looking = store.head(['order']);
  await server.untilRead(reads + 1);
  const next = await store.append(stream, head, [restocked], command());
  server.writeAsNeighbour(4_000);
  const { position } = await store.append(stream, next.head, [soldOut], command());
  for (let seen: LogPosition = START; seen < position;) seen = (await nextPage(pages)).at(-1)?.position ?? START;
  answer();
  await looking;
  server.searchFor(300);
  const considered = server.consideredEver();
  const found = store.head(PRODUCTS);
  // A search from here would find the older of the two events first, and the follower is ahead of it.
  await Promise.race([found, vi.waitUntil(() => server.consideredEver() > considered, { timeout: 60_000 })]);
  server.writeAsNeighbour(2_000);
  expect(await found).toBe(position);
  leave();
});
