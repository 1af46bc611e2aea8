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

test('of the orders of a large shop none is taken for one that was added before', () => {
  const filter = new BloomFilter();
  const mistaken = texts('order', 300_000).filter((text) => {
    const isMistaken = filter.mayHave(text);
    filter.add(text);
    return isMistaken;
  });
  expect(mistaken).toEqual([]);
});

test('among very many hardly any text that was not added is taken for one that was', () => {
  const filter = new BloomFilter();
  for (const text of texts('order', 1_000_000)) filter.add(text);
  expect(texts('cart', 20_000).filter((text) => filter.mayHave(text)).length).toBeLessThan(40);
});
