import { expect, test } from 'vitest';
import { product } from '../testing/shop-data.ts';
import {
  findChanges,
  emptyForm,
  formErrors,
  parseFields,
  toForm,
  joinedList,
  movePicture,
  previewProduct,
  splitList,
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
    top: 'saffron, nutmeg',
    heart: '',
    base: 'Assam oud, leather',
    productDetails: '50 ml spray',
  }));

test('the notes of a product are three fields, with commas as one likes, and one line of its details', () => {
  const typed = { ...toForm(product()), heart: 'rose · oud, honey', top: 'Kewda, lime' };
  expect(findChanges(typed, product())).toEqual({
    productDetails: ['50 ml spray', 'Top: Kewda, lime · Heart: rose, oud, honey · Base: Assam oud, leather'],
  });
  const fallen = product({ productDetails: ['Top: Kewda', 'lime'] });
  expect(toForm(fallen)).toMatchObject({ top: 'Kewda', productDetails: 'lime' });
  expect(findChanges({ ...toForm(fallen), top: 'Kewda, lime', productDetails: '' }, fallen)).toEqual({
    productDetails: ['Top: Kewda, lime'],
  });
  const before = product({ productDetails: ['Base: oud', 'A', 'B, C'] });
  expect(findChanges({ ...toForm(before), base: '', productDetails: 'A, B, C, D' }, before)).toEqual({
    productDetails: ['A', 'B, C', 'D'],
  });
});

test.each([
  [{ productDetails: '50 ml, Top: Kewda, lime' }, { productDetails: 'Notes stand in Top, Heart and Base' }],
  [{ top: 'a'.repeat(100), base: 'b'.repeat(100) }, { base: 'Top, Heart and Base together at most 200 characters' }],
])('the product form refuses the notes %o', (typed, errors) =>
  expect(formErrors({ ...emptyForm, name: 'Ruh Khus', ...typed })).toEqual(errors),
);

test.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 1, 'abc'],
])('the picture %d of three moves to place %d: %s', (from, to, order) => expect(movePicture([...'abc'], from, to).join('')).toBe(order));

test('the preview of a product leaves out what cannot be shown yet', () =>
  expect(
    previewProduct({ ...emptyForm, name: 'R', price: '24', ratingStar: '9', productImageUrl: '/a.webp, javascript:alert(1)' }),
  ).toMatchObject({ name: 'R', price: '₹24.00', ratingStar: 0, productImageUrl: ['/a.webp'], inStock: true }));

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
