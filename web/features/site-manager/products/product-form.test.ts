import { describe, expect, test } from 'vitest';
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

describe('the product form', () => {
  test('begins empty, in stock and with the other flags off', () => {
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

  test('requires only a name', () => {
    expect(formErrors({ ...emptyForm, name: '   ' })).toEqual({ name: 'Required' });
    expect(formErrors({ ...emptyForm, name: 'Ruh Khus' })).toEqual({});
  });

  test.each([
    ['ratingStar', 'abc'],
    ['ratingStar', '4.3'],
    ['reviewsCount', '1.5'],
    ['price', '12.345'],
    ['price', 'cheap'],
    ['productImageUrl', 'http://example.com/a.webp'],
  ] as const)('refuses %s %s', (field, text) =>
    expect(Object.keys(formErrors({ ...emptyForm, name: 'Ruh Khus', [field]: text }))).toEqual([field]),
  );

  test.each(['₹2,450.00', '230.00', '2450', ' Rs. 99.5 ', ''])('accepts the price %j', (price) =>
    expect(formErrors({ ...emptyForm, name: 'Ruh Khus', price })).toEqual({}),
  );

  test('shows a product with its lists joined by commas', () =>
    expect(toForm(product())).toMatchObject({
      name: 'Oud Saffron Majlis',
      ratingStar: '4.5',
      reviewsCount: '412',
      productImageUrl: '/pictures/products/oud-saffron-majlis.webp, /pictures/products/oud-saffron-majlis-2.webp',
      productDetails: '50 ml spray, Top: saffron, nutmeg · Base: Assam oud, leather',
    }));

  test('appends a picture to its pictures', () => {
    const first = withPicture('', '/pictures/uploads/a.webp');
    expect(withPicture(first, '/pictures/uploads/b.webp')).toBe('/pictures/uploads/a.webp, /pictures/uploads/b.webp');
  });

  test.each([
    [' /pictures/a.webp, /pictures/b.webp', '/pictures/a.webp'],
    ['http://example.com/a.webp', undefined],
    ['javascript:alert(1)', undefined],
    ['', undefined],
  ])('with the pictures %j shows %s', (productImageUrl, shown) => expect(findPicture({ ...emptyForm, productImageUrl })).toBe(shown));

  test('that was not edited has no changes', () => expect(findChanges(toForm(product()), product())).toEqual({}));

  test('sends only the changed fields', () =>
    expect(findChanges({ ...toForm(product()), price: ' ₹99.00 ', inStock: false }, product())).toEqual({
      price: '₹99.00',
      inStock: false,
    }));

  test('does not send `inStock` for a product that is now counted', () => {
    const stock = { onHand: 3, reserved: 0, available: 3, lowAt: null };
    expect(findChanges({ ...toForm(product()), tag: 'New', inStock: false }, product({ stock }))).toEqual({ tag: 'New' });
  });
});

const notes = 'Top: saffron, nutmeg · Heart: rose absolute · Base: Assam oud, leather';

describe('a comma-separated list', () => {
  test('is split on commas and trimmed, and empty entries are dropped', () =>
    expect(splitList(' one ,, two,three , ')).toEqual(['one', 'two', 'three']));
  test('is empty without entries', () => expect(splitList(' , ')).toEqual([]));
  test('keeps entries that contain commas', () => {
    const entries = ['50 ml spray, refillable', notes, 'Lasts 10–12 hours'];
    expect(splitList(joinedList(entries), entries)).toEqual(entries);
  });
  test('accepts new entries before, between and after those with commas', () =>
    expect(splitList(`New, ${notes}, Boxed, Lasts long`, [notes, 'Lasts long'])).toEqual(['New', notes, 'Boxed', 'Lasts long']));
  test('splits a changed entry that contains commas', () =>
    expect(splitList('Top: saffron, clove', ['Top: saffron, nutmeg'])).toEqual(['Top: saffron', 'clove']));
});
