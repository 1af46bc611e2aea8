import { describe, expect, test } from 'vitest';

import { LruCache } from './lru-cache.ts';

const among = (known: LruCache<number>, keys: readonly string[]): string => keys.filter((key) => known.get(key) !== undefined).join('');

describe('what was used lately', () => {
  test('is at least the half of its capacity, and never more than all of it', () => {
    const known = new LruCache<number>(4);
    for (const [at, key] of [...'abcdefg'].entries()) known.set(key, at);
    expect(among(known, ['f', 'g'])).toBe('fg');
    expect(among(known, [...'abc'])).toBe('');
  });

  test('stays when it is used again', () => {
    const known = new LruCache<number>(4);
    known.set('a', 1);
    for (const key of 'bcdefghi') {
      known.set(key, 2);
      expect(known.get('a')).toBe(1);
    }
  });

  test('is what was set last, also when it was not looked at for a while', () => {
    const known = new LruCache<number>(4);
    known.set('a', 1);
    known.set('b', 2);
    known.set('c', 3);
    known.set('a', 4);
    expect(known.get('a')).toBe(4);
    known.delete('a');
    expect(known.get('a')).toBeUndefined();
  });

  test('is nothing after it was cleared', () => {
    const known = new LruCache<number>(2);
    known.set('a', 1);
    known.set('b', 2);
    known.clear();
    expect(among(known, ['a', 'b'])).toBe('');
  });
});
