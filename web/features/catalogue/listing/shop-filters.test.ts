import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categories } from '#domain/product/events.ts';
import {
  activeFilters,
  emptyHelp,
  headingOf,
  noFilters,
  PRICE,
  priceRange,
  queryOf,
  readFilters,
  searchOf,
  sorts,
} from './shop-filters.ts';

const read = (search: string) => readFilters(new URLSearchParams(search));

const anyFilters = fc.record({
  types: fc.subarray([...categories]),
  price: fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 })).map(([one, other]) => priceRange(one, other)),
  sort: fc.constantFrom(...sorts),
  q: fc.string().map((text) => text.trim()),
});

describe('filters in the address', () => {
  test('whatever is filtered, its address opens the same listing', () =>
    fc.assert(
      fc.property(anyFilters, (filters) => {
        expect(read(searchOf(filters))).toEqual(filters);
      }),
    ));

  test('the whole house has no query', () => expect(searchOf(noFilters)).toBe(''));

  test('an address reads like what it asks for', () =>
    expect(searchOf({ types: ['floral', 'musk'], price: { min: 0, max: 2800 }, sort: 'price', q: 'rose oud' })).toBe(
      '?collection=floral,musk&maxPrice=2800&sort=price&q=rose+oud',
    ));

  test.each(['Oud', 'Floral', 'fresh', 'Musk', 'Attar'])('the collection %s of a link preselects its family', (name) =>
    expect(read(`?collection=${name}`).types).toEqual([name.toLowerCase()]),
  );

  test('several families come in the order of the house, written together or apart, and atar is attar', () => {
    expect(read('?collection=Musk,floral').types).toEqual(['floral', 'musk']);
    expect(read('?collection=atar&collection=OUD').types).toEqual(['oud', 'attar']);
  });

  test('what is not understood is left out', () =>
    expect(read('?collection=leather&minPrice=-3&maxPrice=1e9&sort=price;--&q=++')).toEqual(noFilters));

  test('prices in the wrong order are put right, and no price leaves the slider', () => {
    expect(read('?minPrice=3000&maxPrice=500').price).toEqual({ min: 500, max: 3000 });
    expect(read('?minPrice=99999').price).toEqual({ min: PRICE.max, max: PRICE.max });
  });
});

describe('what the API is asked for', () => {
  test('no bound is sent for an end of the slider: what costs more than ₹5,000 is not hidden', () =>
    expect(queryOf(noFilters)).toEqual({ sort: 'featured' }));

  test('families as a comma list, prices in rupees', () =>
    expect(queryOf(read('?collection=oud,attar&minPrice=500&maxPrice=2800&q=ruh'))).toEqual({
      category: 'oud,attar',
      minPrice: 500,
      maxPrice: 2800,
      q: 'ruh',
      sort: 'featured',
    }));
});

describe('filters in words', () => {
  test('each filter in force has a chip', () =>
    expect(activeFilters(read('?collection=floral,musk&maxPrice=2800&q=rose&sort=price')).map(({ label }) => label)).toEqual([
      'Floral',
      'Musk',
      'Up to ₹2,800',
      '“rose”',
      'Price, low to high',
    ]));

  test.each([
    ['?maxPrice=2800', 'Up to ₹2,800'],
    ['?minPrice=500', 'From ₹500'],
    ['?minPrice=500&maxPrice=2800', '₹500 to ₹2,800'],
  ])('the prices of %s read %s', (search, words) => expect(activeFilters(read(search))[0]?.label).toBe(words));

  test('taking every chip off, one after the other, leaves the whole house', () =>
    fc.assert(
      fc.property(anyFilters, (filters) => {
        let left = filters;
        for (let [chip] = activeFilters(left); chip; [chip] = activeFilters(left))
          left = { ...chip.without, types: [...chip.without.types] };
        expect(left).toEqual(noFilters);
      }),
    ));

  test('the title is the families, and one family has its sentence', () => {
    expect(headingOf(noFilters).title).toBe('All perfumes');
    expect(headingOf(read('?collection=attar'))).toEqual({
      title: 'Attar',
      line: 'Pure oils, no alcohol. A drop on the wrist is enough.',
    });
    expect(headingOf(read('?collection=floral,musk'))).toEqual({ title: 'Floral, Musk' });
  });

  test.each([
    ['?collection=attar&maxPrice=400&q=leather', 'Nothing in this family carries that name at that price.'],
    ['?q=leather', 'Nothing in the house carries that name.'],
    ['?collection=oud,musk&maxPrice=100', 'Nothing in these families is at that price.'],
    ['?collection=oud', 'The shelf is being filled.'],
  ])('an empty listing %s says why', (search, words) => expect(emptyHelp(read(search))).toContain(words));
});
