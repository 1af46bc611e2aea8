import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { cart, CART_VERSION, cartStream } from '#domain/cart/cart.ts';
import { NO_STREAM, type Streams } from '#domain/event-store.ts';
import { cartAfter, itemAdded, morning, oudLine, quantityChanged } from '#domain/testing/carts.ts';

import { createAggregates } from './aggregates.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { createSnapshots } from './snapshots.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ projecting: true });
});
afterAll(() => shop.close());

const oud = oudLine().productId;
const byMeera = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'user', id: 'meera' } }) as const;
const head = { revision: 99, hash: 'f'.repeat(64) };

test('the store finds the newest snapshot', async () => {
  const snapshots = createSnapshots(shop.db, 'cart_snapshots', CART_VERSION);
  expect(await snapshots.find('cart-ravi')).toBeUndefined();
  await snapshots.save('cart-ravi', { state: cartAfter(itemAdded()), head });
  const later = { state: cartAfter(itemAdded(), quantityChanged(oud, 7)), head: { ...head, revision: 199 } };
  await snapshots.save('cart-ravi', later);
  expect(await snapshots.find('cart-ravi')).toEqual(later);
});

test('the store ignores a snapshot of another version of the cart', async () => {
  const db = shop.db;
  const row = { stream: 'cart-old', version: CART_VERSION + 1, ...head, state: '{"basket":[]}' };
  await db.insertInto('cart_snapshots').values(row).execute();
  expect(await createSnapshots(db, 'cart_snapshots', CART_VERSION).find('cart-old')).toBeUndefined();
});

test('the next process loads a cart with ten thousand events from its snapshot', async () => {
  const stream = cartStream(randomUUID());
  let head = NO_STREAM;
  for (let part = 0; part < 10; part++) {
    const events = Array.from({ length: 1_000 }, (_, index) => quantityChanged(oud, (index % 99) + 1, morning));
    ({ head } = await shop.store.append(stream, head, part === 0 ? [itemAdded(), ...events] : events, byMeera()));
  }
  /** Returns the state that a new process loads, and how many events it reads. */
  const loadAnew = async () => {
    let read = 0;
    const counting: Pick<Streams, 'read'> = {
      read: async (...asked) => {
        const history = await shop.store.read(...asked);
        read += history.events.length;
        return history as never;
      },
    };
    const aggregates = createAggregates({
      streams: counting,
      snapshots: { cart: createSnapshots(shop.db, 'cart_snapshots', CART_VERSION) },
    });
    const { state } = await aggregates.load(cart, stream);
    await aggregates.close();
    return { state, read };
  };

  const first = await loadAnew();
  expect(first.read).toBe(10_001);
  expect(await loadAnew()).toEqual({ state: first.state, read: 1 });
});
