import { describe, expect, test } from 'vitest';
import { createIdempotencyKeys } from './idempotency-keys.ts';

describe('the key of an intent', () => {
  test('is the same while no answer came', () => {
    const keys = createIdempotencyKeys();
    expect(keys.of('place order 1')).toBe(keys.of('place order 1'));
  });
  test('is another after the answer, and another for another intent', () => {
    const keys = createIdempotencyKeys();
    const first = keys.of('place order 1');
    keys.release('place order 1');
    expect(new Set([first, keys.of('place order 1'), keys.of('place order 2')]).size).toBe(3);
  });
  test('cannot be guessed', () => expect(createIdempotencyKeys().of('place order 1')).toMatch(/^[0-9a-f]{32}$/));
});
