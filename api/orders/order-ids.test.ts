import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

import { orderId } from '#domain/shared/ids.ts';
import { meera, ravi } from '#domain/testing/carts.ts';

import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { createOrderIds } from './order-ids.ts';

const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 2 });
afterAll(() => pool.end());

test('all processes make the same id for one version of a cart, and different ids for different versions', async () => {
  const [one, other] = [await createOrderIds(shopDatabase(pool)), await createOrderIds(shopDatabase(pool))];
  expect(one(meera, 3)).toBe(other(meera, 3));
  const ids = [one(meera, 3), one(meera, 4), one(ravi, 3)];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(orderId(id)).toBe(id);
});

test('order ids reveal neither time nor sequence', async () => {
  const idOf = await createOrderIds(shopDatabase(pool));
  const ids = Array.from({ length: 24 }, (_, revision) => idOf(meera, revision));
  expect(ids).not.toEqual(ids.toSorted());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(0, 4))).size).toBeGreaterThan(20);
});

test.each([
  'update shop.keys set key = sha256(key)',
  'delete from shop.keys',
  'truncate shop.keys',
  `insert into shop.keys (name, key) values ('order ids', sha256('another'))`,
  `insert into shop.keys (name, key) values ('another', 'too short')`,
])('the key of order ids never changes: %s is refused', async (change) => {
  const before = (await createOrderIds(shopDatabase(pool)))(meera, 3);
  await expect(pool.query(change)).rejects.toThrow(/only ever added|violates/);
  expect((await createOrderIds(shopDatabase(pool)))(meera, 3)).toBe(before);
});
