import { expect, test } from 'vitest';
import { createIdempotencyKeys } from './idempotency-keys.ts';

test('an idempotency key stays the same until the server has answered', () => {
  const keys = createIdempotencyKeys();
  expect(keys.of('place order 1')).toBe(keys.of('place order 1'));
});
test('an idempotency key changes after the answer and differs between intents', () => {
  const keys = createIdempotencyKeys();
  const first = keys.of('place order 1');
  keys.release('place order 1');
  expect(new Set([first, keys.of('place order 1'), keys.of('place order 2')]).size).toBe(3);
});
test('an idempotency key cannot be guessed', () => expect(createIdempotencyKeys().of('place order 1')).toMatch(/^[0-9a-f]{32}$/));
