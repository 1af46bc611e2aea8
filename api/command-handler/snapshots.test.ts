import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

import { CART_VERSION } from '#domain/cart/cart.ts';
import { cartAfter, itemAdded, oudLine, quantityChanged } from '#domain/testing/carts.ts';

import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { createSnapshots } from './snapshots.ts';

const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 1 });
const db = shopDatabase(pool);
afterAll(() => pool.end());

const oud = oudLine().productId;
const head = { revision: 99, hash: 'f'.repeat(64) };

test('the store finds the newest snapshot', async () => {
  const snapshots = createSnapshots(db, 'cart_snapshots', CART_VERSION);
  expect(await snapshots.find('cart-ravi')).toBeUndefined();
  await snapshots.save('cart-ravi', { state: cartAfter(itemAdded()), head });
  const later = { state: cartAfter(itemAdded(), quantityChanged(oud, 7)), head: { ...head, revision: 199 } };
  await snapshots.save('cart-ravi', later);
  expect(await snapshots.find('cart-ravi')).toEqual(later);
});

test('the store ignores a snapshot of another version of the cart', async () => {
  const row = { stream: 'cart-old', version: CART_VERSION + 1, ...head, state: '{"basket":[]}' };
  await db.insertInto('cart_snapshots').values(row).execute();
  expect(await createSnapshots(db, 'cart_snapshots', CART_VERSION).find('cart-old')).toBeUndefined();
});
