import { beforeEach, expect, test } from 'vitest';

import { TtlCache } from './ttl-cache.ts';

let at: number;
let known: TtlCache<string>;
beforeEach(() => {
  at = 0;
  known = new TtlCache({ lasts: 500, most: 2, now: () => at });
});

test('something is known for its time, which begins when it was asked for', () => {
  known.set('alice', 'admin');
  at = 400;
  known.set('ravi', 'nobody', 300);
  expect([known.get('alice'), known.get('ravi')]).toEqual(['admin', 'nobody']);
  at = 500;
  expect([known.get('alice'), known.get('ravi')]).toEqual([undefined, 'nobody']);
  at = 800;
  expect(known.get('ravi')).toBeUndefined();
});

test('of too much the first goes, and what was asked for again is the newest', () => {
  for (const name of ['alice', 'ravi', 'alice', 'meera']) known.set(name, name);
  expect([known.get('alice'), known.get('ravi'), known.get('meera')]).toEqual(['alice', undefined, 'meera']);
});

test('one is forgotten by its name, or by what is known of it', () => {
  known.set('alice', 'admin');
  known.set('ravi', 'nobody');
  known.delete('alice');
  expect([known.get('alice'), known.get('ravi')]).toEqual([undefined, 'nobody']);
  known.deleteWhere((what) => what === 'nobody');
  expect(known.get('ravi')).toBeUndefined();
});

test('of very many the newest stay, nearly as many as may', () => {
  const many = new TtlCache<number>({ lasts: 500, most: 800, now: () => at });
  for (let each = 0; each < 5_000; each++) many.set(`${each}`, each);
  const left = Array.from({ length: 5_000 }, (_, each) => each).filter((each) => many.get(`${each}`) !== undefined);
  expect(left.length).toBeGreaterThanOrEqual(700);
  expect(left.length).toBeLessThanOrEqual(800);
  expect(left.at(0)).toBe(5_000 - left.length);
});
