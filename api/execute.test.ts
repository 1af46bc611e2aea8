import { describe, expect, test } from 'vitest';

import { WrongRevision, type CommandMetadata, type EventStore, type Streams } from '#domain/event-store.ts';
import { product } from '#domain/product/product.ts';
import { paise } from '#domain/shared/money.ts';
import { add, offeredAfter, added, remove, revise, soldOut } from '#domain/testing/products.ts';

import { memoryEventStore } from './event-store/memory.ts';
import { executeOn, Rejected } from './execute.ts';

const stream = 'product-oud-saffron-majlis';
let commands = 0;
const byAdmin = (): CommandMetadata => ({
  commandId: `command-${++commands}`,
  correlationId: 'request',
  causationId: 'request',
  actor: { kind: 'admin', id: 'meera' },
});

/** The store, with somebody who changes the price just before each of the first appends. */
const contended = (store: EventStore, times: number): Streams => {
  let left = times;
  return {
    read: (...asked) => store.read(...asked),
    append: async (...asked) => {
      if (left-- > 0) await executeOn(store)(product, stream, revise({ price: paise(1_000_00 + left) }), byAdmin());
      return store.append(...asked);
    },
  };
};

describe('a command', () => {
  test('is decided on and what follows is appended, with who did it', async () => {
    const store = memoryEventStore();
    const { state, position } = await executeOn(store)(product, stream, add(), byAdmin());
    expect(state).toEqual(offeredAfter(added()));
    expect(await store.at(position ?? expect.fail('nothing was appended'))).toMatchObject({
      stream,
      ...added(),
      metadata: { actor: { kind: 'admin', id: 'meera' } },
    });
  });

  test('with nothing to do has no position', async () => {
    const store = memoryEventStore();
    await executeOn(store)(product, stream, add(), byAdmin());
    expect(await executeOn(store)(product, stream, revise({ inStock: true }), byAdmin())).toEqual({ state: offeredAfter(added()) });
  });

  test('that the domain refuses appends nothing', async () => {
    const store = memoryEventStore();
    const refused = executeOn(store)(product, stream, remove(), byAdmin());
    await expect(refused).rejects.toThrow(Rejected);
    await expect(refused).rejects.toMatchObject({ rejection: { code: 'product_not_found' } });
    expect((await store.read(stream)).events).toEqual([]);
  });

  test('is decided on again when somebody was quicker', async () => {
    const store = memoryEventStore();
    await executeOn(store)(product, stream, add(), byAdmin());
    const { state } = await executeOn(contended(store, 2))(product, stream, revise({ inStock: false }), byAdmin());
    expect(state).toMatchObject({ inStock: false, price: 1_000_00, revision: 3 });
    expect((await store.read(stream)).events.at(-1)).toMatchObject({ type: soldOut().type });
  });

  test('is given up when somebody is quicker every time', async () => {
    const store = memoryEventStore();
    await executeOn(store)(product, stream, add(), byAdmin());
    await expect(executeOn(contended(store, 3))(product, stream, revise({ inStock: false }), byAdmin())).rejects.toThrow(WrongRevision);
  });
});
