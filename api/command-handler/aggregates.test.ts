import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { cart, type Cart } from '#domain/cart/cart.ts';
import { NO_STREAM, type StreamHead, type StreamName, type Streams } from '#domain/event-store.ts';
import { order } from '#domain/order/order.ts';
import type { Order } from '#domain/order/rules.ts';
import { create, home, place } from '#domain/testing/orders.ts';
import { laterEvent } from '#domain/testing/later-release.ts';
import { cartAfter, itemAdded, morning, oudLine, quantityChanged } from '#domain/testing/carts.ts';

import { createAggregates, type Aggregates, type Versioned, type Snapshots } from './aggregates.ts';
import { eventCodec } from '../event-store/codec/codec.ts';
import { schemas } from '../event-store/codec/schemas.ts';
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { codecOfLaterRelease } from '../event-store/testing/later-codec.ts';
import { memorySubjectKeys } from '../event-store/testing/memory-subject-keys.ts';
import { createExecute, type Execute } from './execute.ts';

const stream = 'cart-meera';
const oud = oudLine().productId;
const byMeera = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'user', id: 'meera' } }) as const;

/** The last event says how many bottles are in the cart. */
const longHistory = async (events: number) => {
  const store = memoryEventStore();
  const history = Array.from({ length: events }, (_, index) =>
    index === 0 ? itemAdded() : quantityChanged(oud, (index % 99) + 1, morning),
  );
  await store.append(stream, { revision: -1, hash: '' }, history, byMeera());
  let read = 0;
  const streams: Streams = {
    append: (...asked) => store.append(...asked),
    read: async (...asked) => {
      const answer = await store.read(...asked);
      read += answer.events.length;
      return answer as never;
    },
  };
  return { streams, history, read: () => read };
};

const keptInMemory = (): Snapshots & { readonly rows: Map<StreamName, Versioned<unknown>> } => {
  const rows = new Map<StreamName, Versioned<unknown>>();
  return {
    rows,
    find: async (asked) => rows.get(asked),
    save: async (asked, known) => void rows.set(asked, known),
  };
};

const storeOfLaterRelease = () => memoryEventStore({ codec: codecOfLaterRelease(memorySubjectKeys()) });

const open = (streams: Streams, snapshots: Snapshots) => createAggregates({ streams, snapshots: { cart: snapshots } });
const change = (streams: Streams, aggregates: ReturnType<typeof open>, quantity: number) =>
  createExecute(streams, { aggregates })(cart, stream, { type: 'ChangeQuantity', productId: oud, quantity, now: morning }, byMeera());

describe('an aggregate with a long history', () => {
  test('is read from its first event once, and from its snapshot by the next process', async () => {
    const { streams, history, read } = await longHistory(1_000);
    const snapshots = keptInMemory();
    const first = open(streams, snapshots);
    expect((await first.load(cart, stream)).state).toEqual(cartAfter(...history));
    await first.close();

    const before = read();
    expect((await open(streams, snapshots).load(cart, stream)).state).toEqual(cartAfter(...history));
    // The only event read is the one that the snapshot ends with.
    expect(read() - before).toBe(1);
  });

  test('gets a snapshot every hundred events', async () => {
    const { streams } = await longHistory(98);
    const snapshots = keptInMemory();
    const aggregates = open(streams, snapshots);
    await change(streams, aggregates, 7);
    await aggregates.close();
    expect(snapshots.rows.size).toBe(0);
    const { state } = await change(streams, aggregates, 8);
    await aggregates.close();
    expect(snapshots.rows.get(stream)).toEqual({ state, head: { revision: 99, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  test('is loaded from its snapshot and the later events before a command is decided', async () => {
    const { streams } = await longHistory(150);
    const snapshots = keptInMemory();
    const first = open(streams, snapshots);
    await first.load(cart, stream);
    await change(streams, first, 42);
    await first.close();
    expect((await open(streams, snapshots).load(cart, stream)).state.lines).toMatchObject([{ quantity: 42 }]);
  });

  const lie: Cart = { ...cart.initial, lines: [oudLine(66)] };
  test.each<[string, StreamHead]>([
    ['of another history', { revision: 120, hash: 'f'.repeat(64) }],
    ['of events that are no more', { revision: 5_000, hash: 'f'.repeat(64) }],
    ['without a hash', { revision: 120, hash: '' }],
  ])('is not loaded from a snapshot %s', async (_, head) => {
    const { streams, history } = await longHistory(150);
    const snapshots = keptInMemory();
    snapshots.rows.set(stream, { state: lie, head });
    const aggregates = open(streams, snapshots);
    expect((await aggregates.load(cart, stream)).state).toEqual(cartAfter(...history));
    await aggregates.close();
    expect(snapshots.rows.get(stream)).toMatchObject({ state: cartAfter(...history), head: { revision: 149 } });
  });

  test('is decided on and saved as usual although its snapshot cannot be saved', async () => {
    const { streams, history } = await longHistory(200);
    const troubles: unknown[] = [];
    const snapshots = { find: async () => undefined, save: () => Promise.reject(new Error('The disk is full')) };
    const aggregates = createAggregates({ streams, snapshots: { cart: snapshots }, onTrouble: (error) => troubles.push(error) });
    expect((await aggregates.load(cart, stream)).state).toEqual(cartAfter(...history));
    await aggregates.close();
    expect(troubles).toEqual([new Error('The disk is full')]);
  });
});

describe('an event of a later release', () => {
  const wrapped = laterEvent('CartGiftWrapped');
  const withWrapping = (before: number, after: number) => {
    const streams = storeOfLaterRelease();
    const changes = (count: number) => Array.from({ length: count }, (_, index) => quantityChanged(oud, (index % 99) + 1, morning));
    const history = [itemAdded(), ...changes(before), wrapped, ...changes(after)];
    return { streams, history, append: () => streams.append(stream, NO_STREAM, history, byMeera()) };
  };

  test('is ignored when a cart is loaded, cached and decided on', async () => {
    const { streams, append } = withWrapping(1, 0);
    await append();
    const aggregates = open(streams, keptInMemory());
    expect((await aggregates.load(cart, stream)).state).toEqual(cartAfter(itemAdded(), quantityChanged(oud, 1, morning)));
    expect((await change(streams, aggregates, 5)).state.lines).toMatchObject([{ quantity: 5 }]);
    expect((await aggregates.load(cart, stream)).head.revision).toBe(3);
  });

  test.each([
    ['before a snapshot', 20, 120],
    ['at its end', 99, 0],
    ['after it', 120, 3],
  ])('is ignored %s', async (_, before, after) => {
    const { streams, history, append } = withWrapping(before, after);
    await append();
    const snapshots = keptInMemory();
    const first = open(streams, snapshots);
    const known = cartAfter(...history.filter((event) => event !== wrapped));
    expect((await first.load(cart, stream)).state).toEqual(known);
    await first.close();
    expect(snapshots.rows.get(stream)).toMatchObject({ state: known, head: { revision: history.length - 1 } });
    expect((await change(streams, open(streams, snapshots), 77)).state.lines).toMatchObject([{ quantity: 77 }]);
  });
});

const anOrder = 'order-meera';
/** Makes aggregates on a store whose next answer takes longer than an erasure. */
const erasable = () => {
  const keys = memorySubjectKeys();
  const store = memoryEventStore({ codec: eventCodec({ schemas, keys, now: () => morning }) });
  let meanwhile = async (): Promise<void> => {};
  const slowly = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const given = await answer;
    await meanwhile();
    return given;
  };
  const streams: Streams = {
    read: (...asked) => slowly(store.read(...asked)),
    append: (...asked) => slowly(store.append(...asked)),
  };
  const aggregates = createAggregates({ streams });
  const eraseMeanwhile = (shopper: string): void => {
    meanwhile = async () => {
      meanwhile = async () => {};
      await keys.erase(shopper);
      aggregates.forget();
    };
  };
  return { aggregates, execute: createExecute(streams, { aggregates }), eraseMeanwhile };
};

describe('the cache of aggregates', () => {
  test('evicts the least recently used aggregate when it is full', async () => {
    const aggregates = createAggregates({ streams: memoryEventStore(), capacity: 2 });
    await aggregates.load(cart, 'cart-a');
    await aggregates.load(cart, 'cart-b');
    aggregates.cached(cart, 'cart-a');
    await aggregates.load(cart, 'cart-c');
    expect(aggregates.cached(cart, 'cart-b')).toBeUndefined();
    expect(aggregates.cached(cart, 'cart-a')).toBeDefined();
    expect(aggregates.cached(cart, 'cart-c')).toBeDefined();
  });

  test('keeps the newer state when an older one arrives later', () => {
    const aggregates = createAggregates({ streams: memoryEventStore() });
    const head = { revision: 1, hash: 'b' };
    aggregates.appended(stream, { revision: 0, hash: 'a' }, { state: cartAfter(itemAdded(), itemAdded()), head }, 0);
    aggregates.appended(stream, { revision: -1, hash: '' }, { state: cartAfter(itemAdded()), head: { revision: 0, hash: 'a' } }, 0);
    expect(aggregates.cached(cart, stream)?.head).toEqual(head);
  });

  test.each<[string, (known: Aggregates, execute: Execute) => Promise<{ readonly state: Order }>]>([
    ['a command', (_, execute) => execute(order, anOrder, place(), byMeera())],
    ['a load', (known) => known.load(order, anOrder)],
  ])('does not cache what %s read before an erasure that happened meanwhile', async (_, underWay) => {
    const { aggregates, execute, eraseMeanwhile } = erasable();
    await execute(order, anOrder, create(), byMeera());
    eraseMeanwhile(create().by);
    expect((await underWay(aggregates, execute)).state).toMatchObject({ shippingAddress: home });
    expect(aggregates.cached(order, anOrder)).toBeUndefined();
    expect((await aggregates.load(order, anOrder)).state).toMatchObject({ shippingAddress: { name: 'erased' } });
  });
});
