import { beforeEach, describe, expect, test } from 'vitest';

import { EventStoreUnavailable, WrongRevision, type CommandMetadata, type Streams } from '#domain/event-store.ts';
import { orderId } from '#domain/shared/ids.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { stock, type StockCommand } from '#domain/stock/stock.ts';
import { noon } from '#domain/testing/carts.ts';
import { reserve } from '#domain/testing/stocks.ts';

import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { keyedMutex, type KeyedMutex } from '../platform/keyed-mutex.ts';
import { createAggregates, type Aggregates } from './aggregates.ts';
import { createExecute } from './execute.ts';

const stream = 'stock-oud-royal';
const anOrder = (index: number) => orderId(`0b8c4f1e-52aa-8d3c-9b1f-${String(index).padStart(12, '0')}`);
const by = (id: string): CommandMetadata => ({ commandId: id, correlationId: id, causationId: id, actor: { kind: 'user', id } });

let store: ReturnType<typeof memoryEventStore>;
let aggregates: Aggregates;
/** What was appended through the handler. */
let appends: { readonly events: number; readonly metadata: CommandMetadata }[];
let beforeAppend: () => Promise<void>;

const counted: Streams = {
  read: (...asked) => store.read(...asked),
  append: async (...asked) => {
    appends.push({ events: asked[2].length, metadata: asked[3] });
    await beforeAppend();
    return store.append(...asked);
  },
};

const open = () => {
  const execute = createExecute(counted, { aggregates });
  return (command: StockCommand | (() => Promise<StockCommand>), metadata = by(crypto.randomUUID())) =>
    execute(stock, stream, command, metadata, { together: true });
};
let ask: ReturnType<typeof open>;

const elsewhere = (command: StockCommand) => createExecute(store)(stock, stream, command, by(crypto.randomUUID()));
const inLog = async () => (await store.read<StockEvent>(stream)).events;

beforeEach(async () => {
  store = memoryEventStore();
  aggregates = createAggregates({ streams: counted });
  appends = [];
  beforeAppend = () => Promise.resolve();
  await elsewhere({ type: 'CountStock', quantity: 3, now: noon });
  ask = open();
});

test('commands that wait are decided one after the other and appended together', async () => {
  const settled = await Promise.allSettled([1, 2, 3, 4].map((order) => ask(reserve(1, anOrder(order)))));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(settled[3]).toMatchObject({ reason: { rejection: { code: 'stock_too_low', available: 0 } } });
  expect(appends).toMatchObject([{ events: 3, metadata: { actor: { kind: 'system', id: stream } } }]);
  const { position } = (await inLog()).at(-1) ?? expect.fail();
  expect(settled[0]).toMatchObject({ value: { position, state: { reserved: 1 } } });
});

test('no more are appended together than the event store searches for a repeated command', async () => {
  await elsewhere({ type: 'CountStock', quantity: 50, now: noon });
  await Promise.all(Array.from({ length: 50 }, (_, order) => ask(reserve(1, anOrder(order)))));
  expect(appends.map(({ events }) => events)).toEqual([20, 20, 10]);
});

test('a command alone is its sender\u2019s', async () => {
  await ask(reserve(), by('meera'));
  expect(appends).toMatchObject([{ metadata: by('meera') }]);
});

test('a command that cannot be made fails alone', async () => {
  const failed = ask(() => Promise.reject(new WrongRevision('order-1', 0, 1)));
  const made = ask(reserve());
  await expect(failed).rejects.toThrow(WrongRevision);
  expect((await made).state).toMatchObject({ reserved: 1 });
});

test('after a conflict all are made and decided anew, on what another process wrote', async () => {
  let made = 0;
  beforeAppend = async () => {
    beforeAppend = () => Promise.resolve();
    await elsewhere(reserve(2, anOrder(9)));
  };
  const settled = await Promise.allSettled(
    [1, 2].map((order) =>
      ask(async () => {
        made++;
        return reserve(1, anOrder(order));
      }),
    ),
  );
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(made).toBe(4);
});

test('a cached state is not believed when it refuses all', async () => {
  await Promise.all([1, 2, 3].map((order) => ask(reserve(1, anOrder(order)))));
  await elsewhere({ type: 'CountStock', quantity: 4, now: noon });
  expect((await ask(reserve(1, anOrder(4)))).state).toMatchObject({ onHand: 4, reserved: 4 });
});

test('a command whose first append came late is answered as the log has it', async () => {
  const metadata = by('meera');
  beforeAppend = async () => {
    beforeAppend = () => Promise.resolve();
    throw new EventStoreUnavailable('No answer in time');
  };
  await expect(ask(reserve(2), metadata)).rejects.toThrow(EventStoreUnavailable);
  // The late append arrives just before that of the second attempt, which would take another number.
  beforeAppend = async () => {
    beforeAppend = () => Promise.resolve();
    await createExecute(store)(stock, stream, reserve(2), metadata);
  };
  expect((await ask(reserve(1), metadata)).state).toMatchObject({ reserved: 2 });
  expect((await inLog()).map(({ type }) => type)).toEqual(['StockCounted', 'StockReserved']);
});

test('all fail when the event store does, and the next ones do not', async () => {
  beforeAppend = () => Promise.reject(new EventStoreUnavailable('No answer in time'));
  const settled = await Promise.allSettled([1, 2].map((order) => ask(reserve(1, anOrder(order)))));
  expect(settled).toMatchObject([{ reason: expect.any(EventStoreUnavailable) }, { reason: expect.any(EventStoreUnavailable) }]);
  beforeAppend = () => Promise.resolve();
  expect((await ask(reserve(3))).state).toMatchObject({ reserved: 3 });
});

describe('two processes of which one is always faster', () => {
  const quick = (lock: KeyedMutex) => createExecute(store, { lock });
  /** Between its load and its append the other one has time for many commands. */
  const slow = (lock: KeyedMutex, timeout: number) => {
    const late: Streams = {
      read: (...asked) => store.read(...asked),
      append: async (...asked) => {
        for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
        return store.append(...asked);
      },
    };
    return createExecute(late, { lock, timeout });
  };
  /** How many commands the fast one took before that of the slow one. */
  const race = async (lock: KeyedMutex, timeout = 60_000): Promise<number> => {
    const never = new AbortController();
    const execute = quick(lock);
    const one: StockCommand = { type: 'ReceiveStock', quantity: 1, now: noon };
    let taken = 0;
    const selling = (async () => {
      for (; !never.signal.aborted; taken++) await execute(stock, stream, one, by(crypto.randomUUID()), { together: true });
    })();
    try {
      await slow(lock, timeout)(stock, stream, one, by(crypto.randomUUID()));
      return taken;
    } finally {
      never.abort();
      await selling;
    }
  };

  test('both have their turn under the lock of the stream', async () => {
    expect(await race(keyedMutex())).toBeLessThan(500);
  });

  test('without a lock the slower one gives up when its time is over, not after a number of tries', async () => {
    await expect(race((_, work) => work(), 300)).rejects.toThrow(/^Gave up after \d+ conflicts: stock-oud-royal is at revision/);
  });
});
