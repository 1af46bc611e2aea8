import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { CommandMetadata, EventStore, Streams } from '#domain/event-store.ts';
import { stock, type StockCommand } from '#domain/stock/stock.ts';
import { noon } from '#domain/testing/carts.ts';

import { openPostgresEventStore } from '../event-store/postgres/postgres-event-store.ts';
import { shopCodec } from '../event-store/testing/test-codec.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { createExecute } from './execute.ts';
import { streamLockIn } from './stream-lock.ts';

const stream = 'stock-oud-royal';
const warn = vi.fn();

let connectionString: string;
let opened: (() => Promise<void>)[];

beforeEach(async () => {
  connectionString = await freshDatabase();
  opened = [];
  warn.mockClear();
});
afterEach(() => Promise.all(opened.map((close) => close())));

const openLock = (within = 60_000) => {
  const pool = new pg.Pool({ connectionString, max: 4, query_timeout: within });
  opened.push(() => pool.end());
  return streamLockIn(pool, { warn } as never);
};
const openStore = async (): Promise<EventStore> => {
  const store = await openPostgresEventStore({ connectionString, codec: shopCodec() });
  opened.push(() => store.close());
  return store;
};

describe('the lock of a stream', () => {
  test('is held by one process at a time', async () => {
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await sleep(5);
      inside--;
    };
    const [one, other] = [openLock(), openLock()];
    await Promise.all([1, 2, 3].flatMap(() => [one(stream, work), other(stream, work)]));
    expect(warn).not.toHaveBeenCalled();
  });

  test('does not hold up another stream', async () => {
    const [one, other] = [openLock(), openLock()];
    expect(await one(stream, () => other('stock-rose', async () => 'done'))).toBe('done');
  });

  test('is no condition: who does not get it in time works without it', async () => {
    const [one, other] = [openLock(), openLock(200)];
    expect(await one(stream, () => other(stream, async () => 'done'))).toBe('done');
    expect(warn).toHaveBeenCalledOnce();
  });
});

test('of two processes on one hot stream the slower one is not starved', async () => {
  const [quickStore, slowStore] = [await openStore(), await openStore()];
  const late: Streams = {
    read: slowStore.read,
    append: async (...asked) => {
      await sleep(50);
      return slowStore.append(...asked);
    },
  };
  const quick = createExecute(quickStore, { lock: openLock() });
  const slow = createExecute(late, { lock: openLock(), timeout: 60_000 });
  const one: StockCommand = { type: 'ReceiveStock', quantity: 1, now: noon };
  const metadata = (): CommandMetadata => {
    const id = randomUUID();
    return { commandId: id, correlationId: id, causationId: id, actor: { kind: 'user', id } };
  };
  await quick(stock, stream, { type: 'CountStock', quantity: 1, now: noon }, metadata());
  let isOver = false;
  let sold = 0;
  const selling = (async () => {
    for (; !isOver; sold++) await quick(stock, stream, one, metadata(), { together: true });
  })();
  for (let turn = 0; turn < 5; turn++) await slow(stock, stream, one, metadata());
  const meanwhile = sold;
  isOver = true;
  await selling;
  // It takes turns with the quick one, which would else take hundreds of commands for each of its own.
  expect(meanwhile).toBeLessThan(5 * 50);
}, 120_000);
