import { expect, test } from 'vitest';

import { BloomFilter } from './bloom-filter.ts';

const texts = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(12, '0')}`);

test('a text that was added is never taken for a new one', () => {
  const filter = new BloomFilter();
  const added = texts('order', 20_000);
  for (const text of added) filter.add(text);
  expect(added.filter((text) => !filter.mayHave(text))).toEqual([]);
});

test('hardly any text that was not added is taken for one that was', () => {
  const filter = new BloomFilter();
  for (const text of texts('order', 500_000)) filter.add(text);
  expect(texts('cart', 20_000).filter((text) => filter.mayHave(text)).length).toBeLessThan(200);
});
