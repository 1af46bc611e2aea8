import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { logPosition, NO_STREAM, type LogPosition, type StreamName } from '#domain/event-store.ts';
import type { Clock } from '#projections/follower/clock.ts';
import { BuildInProgress } from '#projections/follower/failures.ts';
import { openTestDatabase, type TestDatabase } from '#projections/testing/test-database.ts';

import type { StoredEvent } from '../event-store/stored-event.ts';
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { command, soldOut, streamId } from '../event-store/testing/writing.ts';
import { openLogger } from '../platform/logger.ts';
import { leafOf } from './leaf.ts';
import { followLogTree, rebuildLogTree, verifyLogTree } from './log-tree.ts';
import { computeRoot, type TreeHead } from './merkle-tree.ts';
import { createSigner } from './signed-note.ts';
import { rootOf } from './testing/log-reader-over-http.ts';
import { TreeRows } from './tree-rows.ts';

let db: TestDatabase;
let trees: TreeRows;
const { signal } = new AbortController();

beforeAll(async () => {
  db = await openTestDatabase();
  trees = new TreeRows(db.pool);
});
afterAll(() => db.close());
beforeEach(() => db.pool.query('delete from read.log_tiles; delete from read.log_trees'));

/** The event at a position. Positions have gaps, as in EventStoreDB. */
const eventAt = (number: number): StoredEvent => ({
  position: logPosition(BigInt(number * 3)),
  stream: `order-${number}` as StreamName,
  revision: 0,
  eventId: `event ${number}`,
  type: 'OrderPlaced',
  data: '{}',
  metadata: `{"hash":"${hash('sha256', String(number))}"}`,
});

/** A log of so many events. */
const logOf = (size: number) => ({
  storedPage: async (after: LogPosition, limit: number): Promise<readonly StoredEvent[]> => {
    const first = Number(after) / 3 + 1;
    return Array.from({ length: Math.max(0, Math.min(limit, size - first + 1)) }, (_, at) => eventAt(first + at));
  },
});

const build = (size: number, firstEntry?: string) =>
  rebuildLogTree({ store: logOf(size), trees }, { generation: 1, firstEntry }, { signal });
const tiles = async () =>
  (await db.pool.query('select level, index, after, length(hashes) / 32 as width, hashes from read.log_tiles order by 1, 2')).rows;

describe('the tree', () => {
  test('has the tiles of its size, and the root and proofs of RFC 6962', async () => {
    const size = 70_000;
    expect(await build(size)).toBe(size);
    const rows: { level: number; index: number; width: number; after: bigint | null }[] = await tiles();
    const widths = (level: number) => rows.filter((row) => row.level === level).map(({ width }) => width);
    expect(widths(0)).toEqual([...Array.from({ length: 273 }, () => 256), 112]);
    expect([widths(1), widths(2), widths(3)]).toEqual([[256, 17], [1], []]);
    expect(rows.filter(({ level }) => level === 0).map(({ after }) => after)).toEqual(
      Array.from({ length: 274 }, (_, tile) => BigInt(tile * 256 * 3)),
    );
    const read = trees.reading.readNodes('live', size);
    expect(await computeRoot(size, read)).toEqual(rootOf(Array.from({ length: size }, (_, at) => Buffer.from(leafOf(eventAt(at + 1))))));
    expect((await trees.reading.findTileOf(eventAt(70_000).position))?.index).toBe(273);
    expect((await trees.reading.findTileOf(eventAt(257).position))?.index).toBe(1);
    expect((await trees.reading.findTileOf(eventAt(256).position))?.index).toBe(0);
  });

  test('is exactly the same after a rebuild, however it grew', async () => {
    await build(1);
    const held = async () => {
      const tree = await trees.claim('live', 'test');
      if (!tree) throw new Error('Not claimed');
      return tree;
    };
    expect((await held()).edge.size).toBe(1);
    await build(700, 'the note of before\n');
    const built = await tiles();
    await build(300);
    await build(700, 'the note of before\n');
    expect(await tiles()).toEqual(built);
    expect((await held()).edge.size).toBe(701);
  });

  test('is verified against the log', async () => {
    await build(600);
    const verify = async (size: number) =>
      (await verifyLogTree({ store: logOf(size), trees }, { generation: 1, firstEntry: undefined }, { signal })).differing;
    expect(await verify(600)).toEqual([]);
    expect(await verify(650)).toEqual([]);
    expect(await verify(500)).toEqual(['0/1', '0/2', '1/0']);
    await db.pool.query(
      `update read.log_tiles set hashes = set_byte(hashes, 39, 255 - get_byte(hashes, 39)) where level = 0 and index = 2`,
    );
    expect(await verify(600)).toEqual(['0/2']);
  });

  test('is verified as it was at first, while it goes on growing', async () => {
    await build(600);
    const grow = `with grown as (update read.log_trees set size = size + 1 where name = 'live' returning name)
      update read.log_tiles set hashes = hashes || substring(hashes for 32) from grown where tree = name and level = 0 and index = 2`;
    const storedPage = async (...asked: Parameters<ReturnType<typeof logOf>['storedPage']>) => {
      await db.pool.query(grow);
      return logOf(600).storedPage(...asked);
    };
    const { differing } = await verifyLogTree({ store: { storedPage }, trees }, { generation: 1, firstEntry: undefined }, { signal });
    expect(differing).toEqual([]);
    expect((await trees.reading.findLive())?.size).toBeGreaterThan(600);
  });

  test('is built by one process at a time', async () => {
    await trees.claim('next', 'another process');
    await expect(build(3)).rejects.toBeInstanceOf(BuildInProgress);
  });
});

/** A clock that stands still until it is moved. */
const movedClock = () => {
  let time = 0;
  const sleeping = new Set<{ readonly until: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => time,
    sleep: (milliseconds, until) =>
      new Promise((resolve) => {
        const sleeper = { until: time + milliseconds, wake: () => void (sleeping.delete(sleeper), resolve()) };
        sleeping.add(sleeper);
        until?.addEventListener('abort', sleeper.wake);
        if (milliseconds <= 0 || until?.aborted) sleeper.wake();
      }),
  };
  const move = (milliseconds: number): void => {
    time += milliseconds;
    for (const sleeper of sleeping) if (sleeper.until <= time) sleeper.wake();
  };
  return { clock, move };
};

describe('signing', () => {
  const signer = createSigner('shop.example/log', Buffer.alloc(32, 1));

  /** A process that follows the log and signs it with a clock that stands still. */
  const start = (store: ReturnType<typeof memoryEventStore>) => {
    const signed: TreeHead[] = [];
    const ending = new AbortController();
    const { clock, move } = movedClock();
    const state = { generation: 1, firstEntry: undefined, signer, last: undefined, known: [], publishedSize: 0 };
    const log = {
      open: async () => ({ ...state, publishedSize: signed.at(-1)?.size ?? 0 }),
      beginNext: async () => Promise.reject(new Error('The log goes on')),
      sign: async (_: unknown, head: TreeHead) => {
        signed.push(head);
        return { ...head, origin: signer.name, note: '' };
      },
    };
    const ended = followLogTree({ store, trees, signed: log, log: openLogger('silent'), clock }, ending.signal);
    const end = async (): Promise<void> => {
      ending.abort();
      await ended;
    };
    onTestFinished(end);
    return { signed, move, end, sizes: () => signed.map(({ size }) => size) };
  };
  const append = (store: ReturnType<typeof memoryEventStore>) => store.append(streamId(), NO_STREAM, [soldOut], command());
  const treeSize = async () => (await trees.reading.findLive())?.size;

  test('comes a second after the last one at the earliest, and only when the log grew', async () => {
    const store = memoryEventStore();
    for (let event = 0; event < 3; event++) await append(store);
    const { sizes, signed, move } = start(store);
    // Another process may have signed just now, so the first signature waits too. From it on the clock stands still.
    await expect.poll(() => (sizes().length === 0 && move(250), sizes())).toEqual([3]);
    expect(signed[0]?.root).toEqual(await computeRoot(3, trees.reading.readNodes('live', 3)));
    await append(store);
    await expect.poll(treeSize).toBe(4);
    move(999);
    await append(store);
    await append(store);
    expect(sizes()).toEqual([3]);
    move(1);
    await expect.poll(sizes).toEqual([3, 6]);
    move(60_000);
    await append(store);
    await expect.poll(sizes).toEqual([3, 6, 7]);
  });

  test('goes on under the next origin when the log was replaced, whose tiles never stand under the old one', async () => {
    await build(3);
    const before = await tiles();
    const last = { origin: signer.name, size: 3, root: await computeRoot(3, trees.reading.readNodes('live', 3)), note: '' };
    const store = memoryEventStore();
    for (let event = 0; event < 4; event++) await append(store);
    const ending = new AbortController();
    const state = { generation: 1, firstEntry: undefined, signer, last, known: [last], publishedSize: 3 };
    const stoodLive: unknown[] = [];
    const log = {
      open: async () => state,
      beginNext: async () => {
        stoodLive.push(await tiles());
        ending.abort();
        return state;
      },
      sign: async () => Promise.reject(new Error('Nothing is signed')),
    };
    await followLogTree({ store, trees, signed: log, log: openLogger('silent') }, ending.signal);
    expect(stoodLive).toEqual([before]);
  });

  test('is done by one process at a time, and by another one when that ends', async () => {
    const store = memoryEventStore();
    await append(store);
    const one = start(store);
    await expect.poll(() => (one.move(250), one.sizes())).toEqual([1]);
    const other = start(store);
    await append(store);
    await expect.poll(() => (one.move(250), other.move(250), one.sizes())).toEqual([1, 2]);
    expect(other.sizes()).toEqual([]);
    await one.end();
    await append(store);
    await expect.poll(() => (other.move(250), other.sizes())).toEqual([3]);
    expect(one.sizes()).toEqual([1, 2]);
  });
});
