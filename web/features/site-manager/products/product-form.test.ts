import { expect, test } from 'vitest';
import { product } from '../testing/shop-data.ts';
import {
  findChanges,
  emptyForm,
  formErrors,
  parseFields,
  toForm,
  joinedList,
  findPicture,
  splitList,
  withPicture,
} from './product-form.ts';

test('the product form begins empty, in stock and with the other flags off', () => {
  expect(parseFields({ ...emptyForm, name: ' Ruh Khus ' })).toEqual({
    name: 'Ruh Khus',
    details: '',
    category: '',
    price: '',
    ratingStar: 0,
    reviewsCount: 0,
    productImageUrl: [],
    productDescription: '',
    description: '',
    productDetails: [],
    tag: '',
    inStock: true,
    bestsellers: false,
    isFeatured: false,
    isTrending: false,
  });
});

test.each([
  ['ratingStar', 'abc'],
  ['ratingStar', '4.3'],
  ['reviewsCount', '1.5'],
  ['price', '12.345'],
  ['price', 'cheap'],
  ['productImageUrl', 'http://example.com/a.webp'],
] as const)('the product form refuses %s %s', (field, text) =>
  expect(Object.keys(formErrors({ ...emptyForm, name: 'Ruh Khus', [field]: text }))).toEqual([field]),
);

test.each(['₹2,450.00', '230.00', '2450', ' Rs. 99.5 ', ''])('the product form accepts the price %j', (price) =>
  expect(formErrors({ ...emptyForm, name: 'Ruh Khus', price })).toEqual({}),
);

test('the product form shows a product with its lists joined by commas', () =>
  expect(toForm(product())).toMatchObject({
    name: 'Oud Saffron Majlis',
    ratingStar: '4.5',
    reviewsCount: '412',
    productImageUrl: '/pictures/products/oud-saffron-majlis.webp, /pictures/products/oud-saffron-majlis-2.webp',
    productDetails: '50 ml spray, Top: saffron, nutmeg · Base: Assam oud, leather',
  }));

test('the product form appends a picture to its pictures', () => {
  const first = withPicture('', '/pictures/uploads/a.webp');
  expect(withPicture(first, '/pictures/uploads/b.webp')).toBe('/pictures/uploads/a.webp, /pictures/uploads/b.webp');
});

test.each([
  [' /pictures/a.webp, /pictures/b.webp', '/pictures/a.webp'],
  ['http://example.com/a.webp', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('the product form with the pictures %j shows %s', (productImageUrl, shown) =>
  expect(findPicture({ ...emptyForm, productImageUrl })).toBe(shown),
);

test('the product form that was not edited has no changes', () => expect(findChanges(toForm(product()), product())).toEqual({}));

const notes = 'Top: saffron, nutmeg · Heart: rose absolute · Base: Assam oud, leather';

test('a comma-separated list is split on commas and trimmed, and empty entries are dropped', () =>
  expect(splitList(' one ,, two,three , ')).toEqual(['one', 'two', 'three']));
test('a comma-separated list is empty without entries', () => expect(splitList(' , ')).toEqual([]));
test('a comma-separated list keeps entries that contain commas', () => {
  const entries = ['50 ml spray, refillable', notes, 'Lasts 10–12 hours'];
  expect(splitList(joinedList(entries), entries)).toEqual(entries);
});
test('a comma-separated list accepts new entries before, between and after those with commas', () =>
  expect(splitList(`New, ${notes}, Boxed, Lasts long`, [notes, 'Lasts long'])).toEqual(['New', notes, 'Boxed', 'Lasts long']));
test('a comma-separated list splits a changed entry that contains commas', () =>
  expect(splitList('Top: saffron, clove', ['Top: saffron, nutmeg'])).toEqual(['Top: saffron', 'clove']));
