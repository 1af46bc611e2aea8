import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { exactPrice, formatRupees, HIGHEST_PRICE, ZERO, parsePrice, paise, percent, rupees, sum, times } from './money.ts';

const amounts = fc.integer({ min: 0, max: HIGHEST_PRICE }).map(paise);

describe('parsing a displayed price', () => {
  test.each([
    ['₹2,30,000.00', 2_30_000_00],
    ['230', 230_00],
    ['230.00', 230_00],
    ['  ₹ 230.5 ', 230_50],
    ['₹230/-', 230_00],
    ['Rs. 450', 450_00],
    ['Rs.450.25', 450_25],
    ['.50', 50],
    ['230.', 230_00],
    ['230.004', 230_00],
    ['230.005', 230_01],
    ['230.995', 231_00],
    ['999999999.995', HIGHEST_PRICE],
    ['1000000000', HIGHEST_PRICE],
  ])('gives a price for %s', (text, expected) => expect(parsePrice(text)).toBe(expected));

  test.each([
    '',
    '   ',
    '.',
    'free',
    '₹',
    '-230',
    '₹-230',
    '−230',
    'Rs. -230',
    'Rs.-230',
    '1.2.3',
    'NaN',
    'Infinity',
    '1000000000.01',
    '9'.repeat(400),
  ])('gives 0 for %j', (text) => expect(parsePrice(text)).toBe(0));

  test('gives an amount within bounds for any text, and quickly', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        expect(paise(parsePrice(text))).toBeLessThanOrEqual(HIGHEST_PRICE);
      }),
    ));

  test('gives back a formatted price, with any text around it', () =>
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parsePrice(`Price: ${formatRupees(amount)} only`)).toBe(amount);
      }),
    ));
});

describe('parsing a price that an admin typed', () => {
  test.each([
    ['', 0],
    ['  ', 0],
    ['230', 230_00],
    [' ₹230.00 ', 230_00],
    ['₹2,30,000.00', 2_30_000_00],
    ['230,000', 2_30_000_00],
    ['Rs. 2450.5', 2450_50],
    ['INR 10', 10_00],
    ['0', 0],
  ])('gives a price for %j', (text, expected) => expect(exactPrice(text)).toBe(expected));

  test.each(['230.005', '-1', 'free', '1e9', '12,34', '1,,000', '0x10', '₹', '1000000000.01', '9'.repeat(400), '1 000', '٢٣٠'])(
    'refuses %j',
    (text) => expect(exactPrice(text)).toBeUndefined(),
  );

  test('accepts a formatted amount', () =>
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(exactPrice(formatRupees(amount))).toBe(amount);
      }),
    ));

  test('gives the same amount as parsing the displayed price', () =>
    fc.assert(
      fc.property(fc.tuple(fc.nat(), fc.stringMatching(/^(?:\.\d{1,2})?$/)), ([whole, fraction]) => {
        const text = `${whole}${fraction}`;
        expect(exactPrice(text) ?? ZERO).toBe(parsePrice(text));
      }),
    ));
});

describe('formatting an amount', () => {
  const intl = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });

  test.each([
    [0, '₹0.00'],
    [5, '₹0.05'],
    [2_450_00, '₹2,450.00'],
    [2_30_000_00, '₹2,30,000.00'],
    [1_00_00_00_000_00, '₹1,00,00,00,000.00'],
  ])('shows %i paise as %s', (amount, text) => expect(formatRupees(paise(amount))).toBe(text));

  test('gives the same text as Intl', () =>
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(formatRupees(amount)).toBe(intl.format(amount / 100));
      }),
    ));

  test('in rupees has at most two decimals', () =>
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(String(rupees(amount))).toMatch(/^\d+(?:\.\d{1,2})?$/);
      }),
    ));
});

describe('arithmetic', () => {
  test.each([
    [3_498_83, 18, 629_79],
    [25, 18, 5],
    [3, 50, 2],
    [1, 49, 0],
    [0, 18, 0],
  ])('with %i paise and %i percent gives %i paise', (amount, rate, expected) => expect(percent(paise(amount), rate)).toBe(expected));

  test('rounds percentages half up, exactly, up to the largest sums', () =>
    fc.assert(
      fc.property(fc.maxSafeInteger().map(Math.abs), fc.integer({ min: 0, max: 100 }), (amount, rate) => {
        expect(percent(paise(amount), rate)).toBe(Number((BigInt(amount) * BigInt(rate) + 50n) / 100n));
      }),
    ));

  test('is exact for a full cart at the highest price, with its tax', () => {
    const subtotal = sum(Array.from({ length: 100 }, () => times(HIGHEST_PRICE, 99)));
    expect(sum([subtotal, percent(subtotal, 18)])).toBe(1_168_200_000_000_000);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])('%d is not an amount', (value) =>
    expect(() => paise(value)).toThrow('Not an amount in paise'),
  );
});
