import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { paise } from '../shared/money.ts';
import { calendarDate, instant } from '../shared/time.ts';
import { expectDecision } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import type { TaxEvent } from './events.ts';
import { hsn, isHsn, isTaxRate, PERFUMES, computeTaxes, taxRate } from './rates.ts';
import { ratesOn, tax, type SetTaxRate } from './tax.ts';

/** In India this is after midnight, on the 15th. */
const now = instant('2026-11-14T19:00:00.000Z');
const day = calendarDate;
const rule = (rate: number, from: string, code = PERFUMES): TaxEvent => ({
  type: 'TaxRateSet',
  data: { hsn: code, rate: taxRate(rate), from: day(from), setAt: now },
});
const set = (rate: number, from: string): SetTaxRate => ({ type: 'SetTaxRate', hsn: PERFUMES, rate: taxRate(rate), from: day(from), now });
const open = { type: 'OpenTaxRules', rules: [{ hsn: PERFUMES, rate: taxRate(18), from: day('2017-07-01') }], now } as const;

describe('a tax rate', () => {
  test('can begin today in India or later', () => {
    expectDecision(tax, [], set(12, '2026-11-15'), [rule(12, '2026-11-15')]);
    expectDecision(tax, [], set(12, '2027-04-01'), [rule(12, '2027-04-01')]);
    expectDecision(tax, [], set(12, '2026-11-14'), { code: 'tax_rate_in_past', today: day('2026-11-15') });
  });
  test('is set once, and can be corrected until its day has ended', () => {
    expectDecision(tax, [rule(12, '2027-04-01')], set(12, '2027-04-01'), []);
    expectDecision(tax, [rule(12, '2027-04-01')], set(5, '2027-04-01'), [rule(5, '2027-04-01')]);
    expectDecision(tax, [rule(12, '2027-04-01'), rule(5, '2027-04-01')], set(12, '2027-04-01'), [rule(12, '2027-04-01')]);
  });
  test('is set although another code or another day has that rate', () => {
    expectDecision(tax, [rule(12, '2027-04-01', hsn('3401'))], set(12, '2027-04-01'), [rule(12, '2027-04-01')]);
    expectDecision(tax, [rule(12, '2027-05-01')], set(12, '2027-04-01'), [rule(12, '2027-04-01')]);
  });
  test('of the past can be set once, when the shop opens', () => {
    expectDecision(tax, [], open, [rule(18, '2017-07-01')]);
    expectDecision(tax, [rule(18, '2017-07-01'), rule(12, '2027-04-01')], open, []);
  });
  test.each([
    ['2017-06-30', undefined],
    ['2017-07-01', 18],
    ['2027-03-31', 18],
    ['2027-04-01', 5],
    ['2027-06-01', 28],
    ['2030-01-01', 28],
  ])('on %s is %s; of two with the same first day the later one applies', (on, rate) => {
    const history = [
      rule(18, '2017-07-01'),
      rule(28, '2027-06-01'),
      rule(12, '2027-04-01'),
      rule(5, '2027-04-01'),
      rule(1, '2020-01-01', hsn('3401')),
    ];
    expect(ratesOn(history.reduce(tax.evolve, tax.initial), day(on)).get(PERFUMES)).toBe(rate);
  });
  test('is between 0 and 100 with at most two decimals', () =>
    expect([0, 0.25, 12.5, 18.25, 100].every(isTaxRate) && [-1, 100.01, 1.005, Number.NaN].every((rate) => !isTaxRate(rate))).toBe(true));
});

test('a code has 4, 6 or 8 digits', () =>
  expect(['3303', '330300', '33030010', '330', '33030', '3303a', ''].map(isHsn)).toEqual([true, true, true, false, false, false, false]));

test('an event of a later release changes nothing', () => expect(tax.evolve(tax.initial, laterEvent('TaxAbolished'))).toEqual(tax.initial));

test('tax is rounded once for each rate, exactly, and the highest rate comes first', () => {
  const amount = fc.integer({ min: 1, max: 100_000_000_000 }).map(paise);
  const line = fc.record({
    unitPrice: amount,
    quantity: fc.integer({ min: 1, max: 99 }),
    rate: fc.constantFrom(0, 5, 12.5, 18, 28.25).map(taxRate),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const taxes = computeTaxes(lines);
      expect(taxes.map(({ rate }) => rate)).toEqual([...new Set(lines.map(({ rate }) => rate))].toSorted((one, other) => other - one));
      for (const { rate, taxable, tax: due } of taxes) {
        const sold = lines.filter((each) => each.rate === rate);
        const expected = sold.reduce((sum, { unitPrice, quantity }) => sum + BigInt(unitPrice) * BigInt(quantity), 0n);
        expect(BigInt(taxable)).toBe(expected);
        expect(BigInt(due)).toBe((expected * BigInt(rate * 100) + 5_000n) / 10_000n);
      }
    }),
  );
});

test('what is no HSN code or rate is named in the error', () => {
  expect(() => hsn('33')).toThrow('Not an HSN code: 33');
  expect(() => taxRate(101)).toThrow('Not a tax rate: 101');
});
