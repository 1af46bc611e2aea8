import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { productId, type ProductId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { paise } from '#domain/shared/money.ts';
import { normalizeText } from '#domain/shared/text.ts';

import { jsonArray, encodeJson } from '../reading/encoded-json.ts';
import { ProductIndex, type Filter, type ListingQuery } from './product-index.ts';
import {
  formatCursor,
  parseCursor,
  allCategories,
  toIndexedProduct,
  comparators,
  sorts,
  type IndexedProduct,
  type Sort,
} from './indexed-product.ts';
import { pageAnswer } from './listing.ts';
import { bigShop, item } from './testing/indexed-products.ts';

const shopOf = (...items: readonly IndexedProduct[]): ProductIndex => {
  const index = new ProductIndex();
  index.change(items);
  return index;
};

const names = (index: ProductIndex, filter: Filter, sort: Sort = 'name'): string[] =>
  index.find({ filter, sort, limit: 100 }).items.map(({ name }) => name);

const removal = (id: ProductId): IndexedProduct => item({ product_id: id, removed: true });

const named = (name: string): IndexedProduct => item({ product_id: productId(normalizeText(name).replaceAll(/[^a-z]+/g, '-')), name });

/** The reference implementation filters and sorts all products. */
const expected = (items: Iterable<IndexedProduct>, { filter, sort }: ListingQuery): IndexedProduct[] => {
  const { categories, featured, bestseller, trending, inStock, pictured, price, name } = filter;
  return [...items]
    .filter((item) => !categories || categories.has(item.category))
    .filter((item) => featured === undefined || item.featured === featured)
    .filter((item) => bestseller === undefined || item.bestseller === bestseller)
    .filter((item) => trending === undefined || item.trending === trending)
    .filter((item) => inStock === undefined || item.inStock === inStock)
    .filter((item) => pictured === undefined || item.pictured === pictured)
    .filter((item) => !price || (item.price >= price.min && item.price <= price.max))
    .filter((item) => name === undefined || item.name.includes(normalizeText(name)))
    .sort(comparators[sort]);
};

const pagesOf = (index: ProductIndex, question: ListingQuery): IndexedProduct[][] => {
  const pages: IndexedProduct[][] = [];
  for (let after = question.after; ;) {
    const { items, more } = index.find({ ...question, after });
    pages.push([...items]);
    const last = items.at(-1);
    if (!more || !last) return pages;
    after = parseCursor(question.sort, formatCursor(question.sort, last));
  }
};

const ids = fc.integer({ min: 1, max: 40 }).map((number) => productId(`p${number}`));
const flag = fc.boolean();
const price = fc.integer({ min: 0, max: 12 }).map((hundreds) => paise(hundreds * 100_00));
const family = fc.constantFrom(...allCategories);
const name = fc
  .array(fc.constantFrom('Oud', 'Rose', 'Musk', 'Noir', 'oud'), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const day = fc.integer({ min: 10, max: 14 }).map((number) => instant(`2026-11-${number}T00:00:00.000Z`));
const items = fc
  .record({
    product_id: ids,
    name,
    price,
    category: family,
    rating: fc.constantFrom(0, 4, 4.5, 5),
    featured: flag,
    bestseller: flag,
    trending: flag,
    in_stock: flag,
    pictured: flag,
    added_at: day,
  })
  .map(item);

/** Some lists of changes are short and some are as long as a bulk load. */
const changes = fc.array(fc.record({ gone: fc.array(ids, { maxLength: 3 }), come: fc.array(items, { maxLength: 80 }) }), { maxLength: 6 });

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    categories: fc.uniqueArray(family, { minLength: 1, maxLength: 3 }).map((some) => new Set(some)),
    featured: flag,
    bestseller: flag,
    trending: flag,
    inStock: flag,
    pictured: flag,
    price: fc.tuple(price, price).map(([min, max]) => ({ min, max })),
    name: fc.constantFrom('o', 'ou', 'OUD', 'e mu', 'rose musk', ' noir'),
  },
  { requiredKeys: [] },
);
const questions: fc.Arbitrary<ListingQuery> = fc.record({
  filter: filters,
  sort: fc.constantFrom(...sorts),
  limit: fc.integer({ min: 1, max: 30 }),
});

describe('the listing', { retry: 0 }, () => {
  test('answers like a scan of all products after any changes', () =>
    fc.assert(
      fc.property(changes, questions, (changes, question) => {
        const [index, model] = [new ProductIndex(), new Map<ProductId, IndexedProduct>()];
        for (const { gone, come } of changes) {
          index.change([...gone.map(removal), ...come]);
          for (const id of gone) model.delete(id);
          for (const item of come) model.set(item.id, item);
        }
        const wanted = expected(model.values(), question);
        // Other tests cover similar names.
        fc.pre(
          question.filter.name === undefined ||
            expected(model.values(), { ...question, filter: { name: question.filter.name } }).length > 0,
        );
        expect(pagesOf(index, question).flat()).toEqual(wanted);
        expect(index.find(question).total).toBe(wanted.length);
      }),
      { numRuns: 400 },
    ));

  test('neither repeats nor skips a product on its pages while others come and go', () =>
    fc.assert(
      fc.property(fc.array(items, { minLength: 5, maxLength: 40 }), changes, questions, (first, meanwhile, asked) => {
        const question = { ...asked, filter: {}, limit: 3 };
        const index = shopOf(...first);
        const stay = [...new Map(first.map((item) => [item.id, item])).values()].filter(({ id }) =>
          meanwhile.every(({ gone, come }) => !gone.includes(id) && come.every((other) => other.id !== id)),
        );
        const seen: IndexedProduct[] = [];
        let page = index.find(question);
        for (const { gone, come } of [...meanwhile, ...Array.from({ length: 60 }, () => ({ gone: [], come: [] }))]) {
          seen.push(...page.items);
          const last = page.items.at(-1);
          if (!page.more || !last) break;
          index.change([...gone.map(removal), ...come]);
          const after = parseCursor(question.sort, formatCursor(question.sort, last));
          page = index.find({ ...question, after });
        }
        const order = comparators[question.sort];
        expect(seen).toEqual(seen.toSorted(order));
        expect(seen.filter((item) => stay.includes(item))).toEqual(stay.toSorted(order));
      }),
    ));

  test('works in a large shop as in a small one', () => {
    const all = bigShop(5_000, (name) => JSON.stringify(name)).map((row) => toIndexedProduct(row));
    const index = shopOf(...all);
    const range = { min: paise(1_000_00), max: paise(1_400_00) };
    const narrow = { min: paise(1_000_00), max: paise(1_001_00) };
    for (const sort of sorts) {
      for (const filter of [
        {},
        { price: range },
        { price: narrow },
        { name: 'oud' },
        { name: 'a', price: range },
        { name: 'oud rose', featured: true },
      ]) {
        const question = { filter, sort, limit: 20 };
        const wanted = expected(all, question);
        expect(index.find(question)).toEqual({ items: wanted.slice(0, 20), total: wanted.length, more: wanted.length > 20 });
      }
    }
  });
});

describe('a search for a name', () => {
  const shop = shopOf(...['Oud Saffron Majlis', 'Sufi Sandal Oud', 'Sandal Musk Silk', 'Café Noir', 'Ruh Gulab'].map(named));

  test.each([
    ['oud', ['oud saffron majlis', 'sufi sandal oud']],
    ['OUD SAFF', ['oud saffron majlis']],
    ['l m', ['sandal musk silk']],
    ['cafe', ['cafe noir']],
    ['  CAFÉ ', ['cafe noir']],
    ['x', []],
    ['majlis oud', ['oud saffron majlis']],
  ])('finds for %j the names that contain it', (name, found) => expect(names(shop, { name })).toEqual(found));

  test.each([
    ['sandlewood', ['sandal musk silk', 'sufi sandal oud']],
    ['safron', ['oud saffron majlis']],
    ['gulaab', ['ruh gulab']],
  ])('finds for %s the most similar names', (name, found) => expect(names(shop, { name })).toEqual(found));

  test('finds attars for "ittar", which is in no name', () => {
    const attars = shopOf(item({ category: 'attar' }), item({ product_id: productId('musk-raat'), name: 'Musk Raat', category: 'musk' }));
    expect(names(attars, { name: 'ittar' })).toEqual(['ruh gulab']);
  });

  test('a name of another category finds nothing', () => expect(names(shop, { name: 'oud', categories: new Set(['musk']) })).toEqual([]));

  test('finds a renamed product by its new name only', () => {
    const index = shopOf(item(), item({ name: 'Rose of Kannauj' }));
    expect(names(index, { name: 'gulab' })).toEqual([]);
    expect(names(index, { name: 'kannauj' })).toEqual(['rose of kannauj']);
  });
});

describe('a cursor', () => {
  test.each(sorts)('of the order %s can be read back', (sort) => {
    const cursor = parseCursor(sort, formatCursor(sort, item()));
    expect(cursor && comparators[sort](cursor, item())).toBe(0);
  });
  test('of another sort order is invalid', () => expect(parseCursor('price', formatCursor('newest', item()))).toBeUndefined());
  test.each(['', 'x', 'bnVsbA', Buffer.from('["price","a","b"]').toString('base64url'), Buffer.from('["price"]').toString('base64url')])(
    'with the text %j is invalid',
    (text) => expect(parseCursor('price', text)).toBeUndefined(),
  );
});

describe('an answer', () => {
  const question: ListingQuery = { filter: {}, sort: 'name', limit: 2 };
  const answer = (...items: readonly IndexedProduct[]) => pageAnswer(question, shopOf(...items).find(question));

  test('is an array of the products', () =>
    expect(JSON.parse(jsonArray(answer(named('B'), named('A')).products))).toMatchObject([{ name: 'A' }, { name: 'B' }]));
  test('is an empty array when there are no products', () => expect(jsonArray(answer().products)).toBe('[]'));
  test('has the same tag for the same products', () =>
    expect(answer(named('A'), named('B')).etag).toBe(answer(named('B'), named('A')).etag));
  test('has another tag when a product changes', () =>
    expect(answer(named('A')).etag).not.toBe(answer({ ...named('A'), json: encodeJson('{}') }).etag));
  test('has another tag when only the total changes', () =>
    expect(answer(named('A'), named('B'), named('C')).etag).not.toBe(answer(named('A'), named('B'), named('C'), named('D')).etag));
});
