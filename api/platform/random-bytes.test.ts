import { describe, expect, test } from 'vitest';

import { pooledRandomBytes } from './random-bytes.ts';

describe('random bytes', () => {
  test('have the requested number, and never repeat', () => {
    const drawn = Array.from({ length: 1_000 }, () => pooledRandomBytes(32));
    expect(drawn.every(({ length }) => length === 32)).toBe(true);
    expect(new Set(drawn.map((bytes) => bytes.toString('hex'))).size).toBe(1_000);
  });

  test('do not change when more are drawn', () => {
    const first = pooledRandomBytes(12);
    const before = first.toString('hex');
    for (let drawn = 0; drawn < 1_000; drawn++) pooledRandomBytes(12);
    expect(first.toString('hex')).toBe(before);
    expect(before).not.toBe('00'.repeat(12));
  });

  test('may be more than are drawn at a time', () => {
    const bytes = pooledRandomBytes(10_000);
    expect(bytes).toHaveLength(10_000);
    expect(bytes.subarray(-32).equals(Buffer.alloc(32))).toBe(false);
  });
});
