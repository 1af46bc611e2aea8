import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';

import { orderNumber } from '#domain/shared/ids.ts';

import { shopDatabase } from '../platform/postgres/shop-tables.ts';
import { freshDatabase } from '../testing/database-per-test.ts';
import { openOrderNumbers } from './order-numbers.ts';

const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 4 });
const db = shopDatabase(pool);
afterAll(() => pool.end());

const take = (numbers: ReturnType<typeof openOrderNumbers>, count: number) =>
  Promise.all(Array.from({ length: count }, () => numbers.take()));

/** Draws numbers that repeat after `count`. */
const drawingAmong = (count: number) => {
  const symbols = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  let drawn = 0;
  return () => {
    const at = drawn++ % count;
    return orderNumber(`RH-AAAAAA${symbols.charAt(Math.floor(at / 31))}${symbols.charAt(at % 31)}`);
  };
};

test('two processes never take the same number', async () => {
  const [one, other] = [openOrderNumbers({ db }), openOrderNumbers({ db })];
  const numbers = (await Promise.all([take(one, 120), take(other, 120)])).flat();
  expect(new Set(numbers).size).toBe(240);
});

test('a number drawn before is skipped', async () => {
  const first = await take(openOrderNumbers({ db, draw: drawingAmong(60) }), 50);
  const second = await take(openOrderNumbers({ db, draw: drawingAmong(60) }), 10);
  expect(new Set([...first, ...second]).size).toBe(60);
});

test('one query reserves many numbers', async () => {
  const connections = vi.spyOn(pool, 'connect');
  const numbers = openOrderNumbers({ db });
  await take(numbers, 50);
  expect(connections).toHaveBeenCalledTimes(1);
  await numbers.take();
  expect(connections).toHaveBeenCalledTimes(2);
  connections.mockRestore();
});

test('a returned number is used again', async () => {
  const numbers = openOrderNumbers({ db });
  const unused = await numbers.take();
  numbers.giveBack(unused);
  expect(await numbers.take()).toBe(unused);
});

test('after a database outage the next call gets a number', async () => {
  const numbers = openOrderNumbers({ db });
  vi.spyOn(pool, 'connect').mockImplementationOnce(() => Promise.reject(new Error('away')));
  await expect(take(numbers, 3)).rejects.toThrow('away');
  expect(await numbers.take()).toMatch(/^RH-/);
});
