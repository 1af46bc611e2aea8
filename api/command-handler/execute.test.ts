import { describe, expect, test } from 'vitest';

import { EventStoreUnavailable, WrongRevision, type CommandMetadata, type EventStore, type Streams } from '#domain/event-store.ts';
import { cart } from '#domain/cart/cart.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { orderNumber } from '#domain/shared/ids.ts';
import { order } from '#domain/order/order.ts';
import { product } from '#domain/product/product.ts';
import { paise } from '#domain/shared/money.ts';
import { addItem, removeItem } from '#domain/testing/carts.ts';
import { create, place } from '#domain/testing/orders.ts';
import { add, offeredAfter, added, remove, revise, soldOut } from '#domain/testing/products.ts';

import { createAggregates } from './aggregates.ts';
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts';
import { createExecute, Rejected } from './execute.ts';

const stream = 'product-oud-saffron-majlis';
let commands = 0;
const byAdmin = (): CommandMetadata => ({
  commandId: `command-${++commands}`,
  correlationId: 'request',
  causationId: 'request',
  actor: { kind: 'admin', id: 'meera' },
});

/** Another process changes the price just before each of the first `times` appends. */
const contended = (store: EventStore, times: number): Streams => {
  let left = times;
  return {
    read: (...asked) => store.read(...asked),
    append: async (...asked) => {
      if (left-- > 0) await createExecute(store)(product, stream, revise({ price: paise(1_000_00 + left) }), byAdmin());
      return store.append(...asked);
    },
  };
};

describe('a command', () => {
  test('is decided on, and its events are appended with the metadata of their sender', async () => {
    const store = memoryEventStore();
    const { state, position } = await createExecute(store)(product, stream, add(), byAdmin());
    expect(state).toEqual(offeredAfter(added()));
    expect(await store.at(position ?? expect.fail('nothing was appended'))).toMatchObject({
      stream,
      ...added(),
      metadata: { actor: { kind: 'admin', id: 'meera' } },
    });
  });

  test('that changes nothing returns no position', async () => {
    const store = memoryEventStore();
    await createExecute(store)(product, stream, add(), byAdmin());
    expect(await createExecute(store)(product, stream, revise({ inStock: true }), byAdmin())).toEqual({ state: offeredAfter(added()) });
  });

  test('that the domain refuses appends nothing', async () => {
    const store = memoryEventStore();
    const refused = createExecute(store)(product, stream, remove(), byAdmin());
    await expect(refused).rejects.toThrow(Rejected);
    await expect(refused).rejects.toMatchObject({ rejection: { code: 'product_not_found' } });
    expect((await store.read(stream)).events).toEqual([]);
  });

  test('is decided again when another process appended first', async () => {
    const store = memoryEventStore();
    await createExecute(store)(product, stream, add(), byAdmin());
    const { state } = await createExecute(contended(store, 2))(product, stream, revise({ inStock: false }), byAdmin());
    expect(state).toMatchObject({ inStock: false, price: 1_000_00, revision: 3 });
    expect((await store.read(stream)).events.at(-1)).toMatchObject({ type: soldOut().type });
  });

  test('is decided again as long as its time is not over, however often somebody is quicker', async () => {
    const store = memoryEventStore();
    await createExecute(store)(product, stream, add(), byAdmin());
    const { state } = await createExecute(contended(store, 50))(product, stream, revise({ inStock: false }), byAdmin());
    expect(state).toMatchObject({ inStock: false });
    let milliseconds = 0;
    const late = createExecute(contended(store, 50), { now: () => (milliseconds += 100), timeout: 500 });
    await expect(late(product, stream, revise({ inStock: true }), byAdmin())).rejects.toThrow(/^Gave up after \d conflicts: product-/);
  });

  test('is not decided again after a conflict of another stream, which its maker had', async () => {
    const store = memoryEventStore();
    let made = 0;
    const making = async () => {
      made++;
      throw new WrongRevision('order-1', 0, 1);
    };
    await expect(createExecute(store)(product, stream, making, byAdmin())).rejects.toThrow('order-1 is at revision 1');
    expect(made).toBe(1);
  });

  test('that was made for a state is decided on that state or not at all', async () => {
    const store = memoryEventStore();
    const aggregates = createAggregates({ streams: store });
    const execute = createExecute(store, { aggregates });
    await execute(product, stream, add(), byAdmin());
    const at = await aggregates.load(product, stream);
    await execute(product, stream, revise({ inStock: true }), byAdmin(), { at });
    await createExecute(store)(product, stream, revise({ inStock: false }), byAdmin());
    for (const command of [revise({ inStock: true }), revise({ inStock: false }), remove()])
      await expect(execute(product, stream, command, byAdmin(), { at })).rejects.toThrow(WrongRevision);
  });

  test('is decided on what a read model knows and the rest of the stream, which is not cached', async () => {
    const store = memoryEventStore();
    const aggregates = createAggregates({ streams: store });
    const execute = createExecute(store, { aggregates });
    await createExecute(store)(product, stream, add(), byAdmin());
    const { head } = await store.read(stream);
    await createExecute(store)(product, stream, revise({ price: paise(2_000_00) }), byAdmin());
    const known = async () => ({ state: { ...offeredAfter(added()), inStock: false }, head });
    const { state, position } = await execute(product, stream, revise({ inStock: true }), byAdmin(), { known });
    expect([state, position]).toEqual([expect.objectContaining({ price: 2_000_00, inStock: true }), expect.anything()]);
    expect(aggregates.cached(product, stream)).toBeUndefined();
  });
});

describe('a cached aggregate', () => {
  const oud = addItem().productId;
  const stream = 'cart-meera';

  const counted = (store: EventStore) => {
    const reads = { count: 0 };
    const streams: Streams = {
      read: (...asked) => {
        reads.count++;
        return store.read(...asked);
      },
      append: (...asked) => store.append(...asked),
    };
    return { reads, streams };
  };

  test('is changed with one append and no read', async () => {
    const { reads, streams } = counted(memoryEventStore());
    const execute = createExecute(streams);
    for (let step = 0; step < 10; step++) await execute(cart, stream, addItem(), byAdmin());
    expect(reads.count).toBe(1);
  });

  test('is loaded again when another process has changed it', async () => {
    const store = memoryEventStore();
    const [here, there] = [createExecute(store), createExecute(store)];
    await here(cart, stream, addItem(), byAdmin());
    await there(cart, stream, addItem({ quantity: 5 }), byAdmin());
    const { state } = await here(cart, stream, addItem(), byAdmin());
    expect(state.lines).toMatchObject([{ quantity: 7 }]);
  });

  test('is loaded again before a refusal, because another process may have made the command possible', async () => {
    const store = memoryEventStore();
    const [here, there] = [createExecute(store), createExecute(store)];
    await expect(here(product, 'product-oud', remove(), byAdmin())).rejects.toThrow(Rejected);
    await there(product, 'product-oud', add(), byAdmin());
    expect((await here(product, 'product-oud', remove(), byAdmin())).state).toEqual({ status: 'removed' });
  });

  test('is loaded again before the answer that nothing is to be done', async () => {
    const store = memoryEventStore();
    const [here, there] = [createExecute(store), createExecute(store)];
    await here(cart, stream, addItem(), byAdmin());
    await here(cart, stream, removeItem(oud), byAdmin());
    await there(cart, stream, addItem(), byAdmin());
    const { state, position } = await here(cart, stream, removeItem(oud), byAdmin());
    expect(position).toBeDefined();
    expect(state.lines).toEqual([]);
  });

  test('that the log never contained leads to a conflict and is then loaded from the log', async () => {
    const store = memoryEventStore();
    const aggregates = createAggregates({ streams: store });
    await createExecute(store)(cart, stream, addItem(), byAdmin());
    aggregates.appended(stream, { revision: 6, hash: '' }, { state: cart.initial, head: { revision: 7, hash: 'of another log' } }, 0);
    const { state } = await createExecute(store, { aggregates })(cart, stream, addItem(), byAdmin());
    expect(state.lines).toMatchObject([{ quantity: 2 }]);
    expect((await store.read(stream)).head.revision).toBe(1);
  });

  test('is changed without a read from the first command on, when its stream is expected not to exist', async () => {
    const { reads, streams } = counted(memoryEventStore());
    const execute = createExecute(streams);
    await execute(cart, stream, addItem(), byAdmin(), { isNew: true });
    expect((await execute(cart, stream, addItem(), byAdmin())).state.lines).toMatchObject([{ quantity: 2 }]);
    expect(reads.count).toBe(0);
  });

  test('is loaded when its stream exists against expectation', async () => {
    const store = memoryEventStore();
    await createExecute(store)(cart, stream, addItem({ quantity: 5 }), byAdmin());
    expect((await createExecute(store)(cart, stream, addItem(), byAdmin(), { isNew: true })).state.lines).toMatchObject([{ quantity: 6 }]);
    const removed = await createExecute(store)(cart, stream, removeItem(oud), byAdmin(), { isNew: true });
    expect(removed.state.lines).toEqual([]);
  });

  test('decides commands one after the other', async () => {
    const { reads, streams } = counted(memoryEventStore());
    const execute = createExecute(streams);
    await Promise.all(Array.from({ length: 50 }, () => execute(cart, stream, addItem(), byAdmin())));
    expect(reads.count).toBe(1);
    expect((await streams.read(stream)).head.revision).toBe(49);
  });

  test('decides further commands after one was refused', async () => {
    const execute = createExecute(memoryEventStore());
    const refused = execute(cart, stream, addItem({ quantity: 0 }), byAdmin());
    const accepted = execute(cart, stream, addItem(), byAdmin());
    await expect(refused).rejects.toThrow(Rejected);
    expect((await accepted).state.lines).toHaveLength(1);
  });
});

describe('a command that may be sent twice', () => {
  const stream = 'cart-meera';

  test('returns its first outcome, even after later events', async () => {
    const store = memoryEventStore();
    const given = byAdmin();
    const first = await createExecute(store)(cart, stream, addItem(), { ...given, isRepeated: false });
    await createExecute(store)(cart, stream, addItem({ quantity: 5 }), byAdmin());
    const again = await createExecute(store)(cart, stream, addItem(), { ...given, isRepeated: true });
    expect(again).toMatchObject({ position: first.position, state: { lines: [{ quantity: 6 }] } });
  });

  test('is done once when its first append arrives between the reads of the second attempt', async () => {
    const store = memoryEventStore();
    const stream = 'cart-late';
    const given = byAdmin();
    let reads = 0;
    const late: Streams = {
      append: (...asked) => store.append(...asked),
      read: async (...asked) => {
        const history = await store.read(...asked);
        if (++reads === 1) await createExecute(store)(cart, stream, addItem(), { ...given, isRepeated: false });
        return history as never;
      },
    };
    await createExecute(late)(cart, stream, addItem(), { ...given, isRepeated: true });
    expect((await store.read(stream)).events).toHaveLength(1);
  });

  test('is executed when the first attempt was not', async () => {
    const store = memoryEventStore();
    await createExecute(store)(cart, stream, addItem(), byAdmin());
    const { state } = await createExecute(store)(cart, stream, addItem(), { ...byAdmin(), isRepeated: true });
    expect(state.lines).toMatchObject([{ quantity: 2 }]);
  });

  test('is executed once by two processes that receive it at the same time', async () => {
    const store = memoryEventStore();
    const given = { ...byAdmin(), isRepeated: false };
    let isFirst = true;
    const overtaken: Streams = {
      read: (...asked) => store.read(...asked),
      append: async (...asked) => {
        if (isFirst) await createExecute(store)(cart, stream, addItem({ quantity: 5 }), byAdmin());
        if (isFirst) await createExecute(store)(cart, stream, addItem(), { ...given, isRepeated: true });
        isFirst = false;
        return store.append(...asked);
      },
    };
    const { state } = await createExecute(overtaken)(cart, stream, addItem(), given);
    expect(state.lines).toMatchObject([{ quantity: 6 }]);
    expect((await store.read(stream)).events).toHaveLength(2);
  });

  test('returns the outcome in the log when the first attempt is appended just before the second', async () => {
    const stream = 'order-11111111-1111-4111-8111-111111111111';
    const store = memoryEventStore();
    let late: (() => Promise<unknown>) | undefined;
    const slow: Streams = {
      read: (...asked) => store.read(...asked),
      append: async (...asked) => {
        const [, expected] = asked;
        if (expected.revision < 0) return store.append(...asked);
        if (late) {
          await late();
          return store.append(...asked);
        }
        late = () => store.append(...asked);
        throw new EventStoreUnavailable('No answer in time');
      },
    };
    const aggregates = createAggregates({ streams: slow });
    const execute = createExecute(slow, { aggregates });
    await execute(order, stream, create(), byAdmin());

    const given = byAdmin();
    const [first, second] = [orderNumber('RH-AAAAAAAA'), orderNumber('RH-BBBBBBBB')];
    await expect(execute(order, stream, place({ number: first }), { ...given, isRepeated: false })).rejects.toThrow(EventStoreUnavailable);
    const { state, position } = await execute(order, stream, place({ number: second }), { ...given, isRepeated: true });

    const { events, head } = await store.read<OrderEvent>(stream);
    expect(events.map(({ type }) => type)).toEqual(['OrderCreated', 'OrderPlaced']);
    expect(events.at(-1)).toMatchObject({ data: { number: first }, position });
    expect(state).toMatchObject({ placement: { number: first } });
    expect(aggregates.cached(order, stream)).toMatchObject({ state: { placement: { number: first } }, head });
  });
});
