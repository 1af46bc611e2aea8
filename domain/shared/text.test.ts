import { describe, expect, test } from 'vitest';

import { anOrder } from '../testing/carts.ts';
import { orderId, productId, shopperId } from './ids.ts';
import { latinDigits, normalizeText, withoutInvisible } from './text.ts';

describe('typed text', () => {
  test.each([
    ['turned around', 'Eve\u202egnp.exe', 'Evegnp.exe'],
    ['embedded, as a copied phone number is', '\u202a+91 98200 55501\u202c', '+91 98200 55501'],
    ['isolated', 'to \u2067the left\u2069', 'to the left'],
    ['a word in two', 'As\u200bha \u2060Me\u00adhta\ufeff', 'Asha Mehta'],
    ['nothing but that', '\u200b\u2060\u3164', ''],
  ])('is stored without invisible characters: %s', (_, typed, seen) => expect(withoutInvisible(typed)).toBe(seen));

  test.each([
    ['joined letters of Indian scripts', 'क्\u200dष, क्\u200cष'],
    ['Urdu with its marks', 'خوشبو (عطر)\u200f!'],
    ['joined emoji, variants and flags', '👩\u200d👧 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['lines', 'For Asha\n\twith love\u2028always'],
  ])('is stored unchanged: %s', (_, typed) => expect(withoutInvisible(typed)).toBe(typed));
});

test.each([
  ['Oud Royal', 'oud royal'],
  ['  Café   ROYAL ', 'cafe royal'],
  ['Phở\u0301\tﬁne', 'pho fine'],
  ['İ', 'i'],
])('searches compare %j as %j', (typed, compared) => expect(normalizeText(typed)).toBe(compared));

test.each([
  ['१२३४५६', '123456'],
  ['١٢٣ ٤٥٦', '123 456'],
  ['۰۹', '09'],
  ['１２３４５６', '123456'],
  ['12a', '12a'],
  ['²', '²'],
])('digits of %j are read as %j', (typed, read) => expect(latinDigits(typed)).toBe(read));

test('an id of another form is named in the error', () => {
  for (const id of ['Oud Royal', 'oud royal']) expect(() => productId(id)).toThrow(`Not a product id: ${id}`);
  expect(() => shopperId('-')).toThrow('Not a shopper id: -');
  for (const id of ['1', `1${anOrder}`, `${anOrder}1`]) expect(() => orderId(id)).toThrow(`Not an order id: ${id}`);
});
