import { expect, test } from 'vitest';

import { codeHash, newCode } from './sign-up.ts';

test('one-time codes have six digits each, and repeat as often as chance predicts', () => {
  const codes = Array.from({ length: 100_000 }, newCode);
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
  // Of n codes out of a million, n − 10⁶ (1 − e^(−n/10⁶)) are expected to repeat: 4,837 of these.
  const repeated = codes.length - new Set(codes).size;
  expect(repeated).toBeGreaterThan(4_400);
  expect(repeated).toBeLessThan(5_300);
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
