import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { orderNumber } from '#domain/shared/ids.ts';

import { freshDatabase } from '../testing/database-per-test.ts';
import { orderNumbersIn } from './order-numbers.ts';

let pool: pg.Pool;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await freshDatabase(), max: 4 });
});
afterAll(() => pool.end());

const take = (numbers: ReturnType<typeof orderNumbersIn>, count: number) =>
  Promise.all(Array.from({ length: count }, () => numbers.take()));

/** Numbers that repeat after `count`. */
const drawingAmong = (count: number) => {
  const symbols = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  let drawn = 0;
  return () => {
    const at = drawn++ % count;
    return orderNumber(`RH-AAAAAA${symbols.charAt(Math.floor(at / 31))}${symbols.charAt(at % 31)}`);
  };
};

test('two processes never take the same number', async () => {
  const [one, other] = [orderNumbersIn({ pool }), orderNumbersIn({ pool })];
  const numbers = (await Promise.all([take(one, 120), take(other, 120)])).flat();
  expect(new Set(numbers).size).toBe(240);
});

test('a number drawn before is skipped', async () => {
  const first = await take(orderNumbersIn({ pool, draw: drawingAmong(60) }), 50);
  const second = await take(orderNumbersIn({ pool, draw: drawingAmong(60) }), 10);
  expect(new Set([...first, ...second]).size).toBe(60);
});

test('one query reserves many numbers', async () => {
  let asked = 0;
  const counting: Pick<pg.Pool, 'query'> = Object.create(pool, {
    query: { value: (query: pg.QueryConfig) => (asked++, pool.query(query)) },
  });
  const numbers = orderNumbersIn({ pool: counting });
  await take(numbers, 50);
  expect(asked).toBe(1);
  await numbers.take();
  expect(asked).toBe(2);
});

test('a returned number is used again', async () => {
  const numbers = orderNumbersIn({ pool });
  const unused = await numbers.take();
  numbers.giveBack(unused);
  expect(await numbers.take()).toBe(unused);
});

test('after a database outage the next call gets a number', async () => {
  let isAway = true;
  const moody: Pick<pg.Pool, 'query'> = Object.create(pool, {
    query: { value: (query: pg.QueryConfig) => (isAway ? Promise.reject(new Error('away')) : pool.query(query)) },
  });
  const numbers = orderNumbersIn({ pool: moody });
  await expect(take(numbers, 3)).rejects.toThrow('away');
  isAway = false;
  expect(await numbers.take()).toMatch(/^RH-/);
});
