import { expect, test } from 'vitest';

import { Weighed } from './weighed.ts';

const KEYS = ['oud', 'rose', 'musk'];
const kept = (values: Weighed<string>) => KEYS.filter((key) => values.get(key) === key);

test('what has been there for the longest goes when all together weigh too much', () => {
  const values = new Weighed<string>(10);
  for (const key of KEYS) values.set(key, key, 5);
  expect(kept(values)).toEqual(['rose', 'musk']);
  values.set('rose', 'rose', 6);
  expect(kept(values)).toEqual(['musk']);
});

test('what was taken out, replaced or cleared weighs nothing any more', () => {
  const values = new Weighed<string>(10);
  values.set('oud', 'oud', 10);
  values.set('oud', 'oud', 5);
  values.set('rose', 'rose', 5);
  expect(kept(values)).toEqual(['oud', 'rose']);
  values.delete('oud');
  values.delete('oud');
  values.set('musk', 'musk', 5);
  expect(kept(values)).toEqual(['rose', 'musk']);
  values.clear();
  values.set('oud', 'oud', 10);
  expect(kept(values)).toEqual(['oud']);
});
