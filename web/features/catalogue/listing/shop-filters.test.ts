import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categories } from '#domain/product/events.ts';
import {
  activeFilters,
  emptyHelp,
  headingFor,
  noFilters,
  PRICE,
  priceRange,
  toQuery,
  readFilters,
  formatSearch,
  sorts,
} from './shop-filters.ts';

const read = (search: string) => readFilters(new URLSearchParams(search));

const anyFilters = fc.record({
  types: fc.subarray([...categories]),
  price: fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 })).map(([one, other]) => priceRange(one, other)),
  sort: fc.constantFrom(...sorts),
  q: fc.string().map((text) => text.trim()),
});

test('filters in the URL any combination of filters can be read back from its URL', () =>
  fc.assert(
    fc.property(anyFilters, (filters) => {
      expect(read(formatSearch(filters))).toEqual(filters);
    }),
  ));

test('filters in the URL the whole house has no query', () => expect(formatSearch(noFilters)).toBe(''));

test.each(['Oud', 'Floral', 'fresh', 'Musk', 'Attar'])('filters in the URL a link with the collection %s selects its family', (name) =>
  expect(read(`?collection=${name}`).types).toEqual([name.toLowerCase()]),
);

test("filters in the URL several families keep the shop's order, in one parameter or several, and atar means attar", () => {
  expect(read('?collection=Musk,floral').types).toEqual(['floral', 'musk']);
  expect(read('?collection=atar&collection=OUD').types).toEqual(['oud', 'attar']);
});

test('filters in the URL invalid values are ignored', () =>
  expect(read('?collection=leather&minPrice=-3&maxPrice=1e9&sort=price;--&q=++')).toEqual(noFilters));

test('filters in the URL prices in the wrong order are swapped and clamped to the slider', () => {
  expect(read('?minPrice=3000&maxPrice=500').price).toEqual({ min: 500, max: 3000 });
  expect(read('?minPrice=99999').price).toEqual({ min: PRICE.max, max: PRICE.max });
});

test('the parameters of the API call have no bound for an end of the slider, so that products above ₹5,000 are shown', () =>
  expect(toQuery(noFilters)).toEqual({ sort: 'featured' }));

test('the parameters of the API call have families as a comma list and prices in rupees', () =>
  expect(toQuery(read('?collection=oud,attar&minPrice=500&maxPrice=2800&q=ruh'))).toEqual({
    category: 'oud,attar',
    minPrice: 500,
    maxPrice: 2800,
    q: 'ruh',
    sort: 'featured',
  }));

test.each([
  ['?maxPrice=2800', 'Up to ₹2,800'],
  ['?minPrice=500', 'From ₹500'],
  ['?minPrice=500&maxPrice=2800', '₹500 to ₹2,800'],
])('the texts of a listing show the prices of %s as %s', (search, words) => expect(activeFilters(read(search))[0]?.label).toBe(words));

test('the texts of a listing allow removing every chip, which leaves no filters', () =>
  fc.assert(
    fc.property(anyFilters, (filters) => {
      let left = filters;
      for (let [chip] = activeFilters(left); chip; [chip] = activeFilters(left)) left = { ...chip.without, types: [...chip.without.types] };
      expect(left).toEqual(noFilters);
    }),
  ));

test('the texts of a listing name the families in the title, and describe a single family', () => {
  expect(headingFor(noFilters).title).toBe('All perfumes');
  expect(headingFor(read('?collection=attar'))).toEqual({ title: 'Attar', line: 'Pure oils, no alcohol. A drop on the wrist is enough.' });
  expect(headingFor(read('?collection=floral,musk'))).toEqual({ title: 'Floral, Musk' });
});

test.each([
  ['?collection=attar&maxPrice=400&q=leather', 'Nothing in this family carries that name at that price.'],
  ['?q=leather', 'Nothing in the house carries that name.'],
  ['?collection=oud,musk&maxPrice=100', 'Nothing in these families is at that price.'],
  ['?collection=oud', 'The shelf is being filled.'],
])('the texts of a listing explain why the listing %s is empty', (search, words) => expect(emptyHelp(read(search))).toContain(words));
