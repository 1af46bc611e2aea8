import { describe, expect, test } from 'vitest';

import { codeHash, newCode } from './sign-up.ts';

const SAMPLES = 100_000;
const CELLS = 1_000;
const samples = Array.from({ length: SAMPLES }, newCode);

/** For equal expected counts. */
const chiSquare = (counts: readonly number[]): number => {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

/** χ² with `cells` − 1 degrees of freedom is outside of it in one of ten million cases. */
const bounds = (cells: number): [number, number] => {
  const spread = 5.4 * Math.sqrt(2 * (cells - 1));
  return [cells - 1 - spread, cells - 1 + spread];
};

const counted = (values: Iterable<number>, cells: number): number[] => {
  const counts = Array<number>(cells).fill(0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

const expectUniform = (values: Iterable<number>, cells: number): void => {
  const value = chiSquare(counted(values, cells));
  const [least, most] = bounds(cells);
  expect(value).toBeGreaterThan(least);
  expect(value).toBeLessThan(most);
};

describe('100,000 one-time codes', () => {
  test('have six digits each', () => expect(samples.filter((code) => !/^\d{6}$/.test(code))).toEqual([]));

  test('are spread evenly over 000000 to 999999', () => {
    expectUniform(
      samples.map((code) => Math.floor(Number(code) / (1_000_000 / CELLS))),
      CELLS,
    );
    for (let place = 0; place < 6; place++)
      expectUniform(
        samples.map((code) => Number(code[place])),
        10,
      );
  });

  test('do not follow from the one before', () =>
    expectUniform(
      samples.slice(1).map((code, index) => ((Number(code) - Number(samples[index]) + 1_000_000) % 1_000_000) % CELLS),
      CELLS,
    ));

  test('repeat as often as chance predicts', () => {
    // Of n codes out of a million, n − 10⁶ (1 − e^(−n/10⁶)) are expected to repeat: 4,837 of these.
    const repeated = SAMPLES - new Set(samples).size;
    expect(repeated).toBeGreaterThan(4_400);
    expect(repeated).toBeLessThan(5_300);
  });
});

test('the stored hash depends on key, user and code', () => {
  const key = Buffer.alloc(32, 1);
  const hashes = [
    codeHash(key, 'alice', '123456'),
    codeHash(Buffer.alloc(32, 2), 'alice', '123456'),
    codeHash(key, 'bob', '123456'),
    codeHash(key, 'alice', '123457'),
  ];
  expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4);
});
