import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { daysLater, instant, type Instant } from '../shared/time.ts';
import { paise, ZERO } from '../shared/money.ts';
import { openingDay } from '../testing/products.ts';
import { priceAt, type PriceSince } from './offer.ts';
import { afterPriceChange, announcedUntil, noEarlierPrices, viewReduction, type Reduction } from './reduction.ts';

/** Parses prices by day: `0: 100, 9: 80` means ₹100 from the first day and ₹80 from the tenth. */
const inForce = (prices: string) =>
  prices.split(', ').map((each) => {
    const [day, rupees] = each.split(': ');
    return { price: paise(Number(rupees) * 100), since: daysLater(openingDay, Number(day)) };
  });

const reductionAfter = (history: readonly Pick<PriceSince, 'price' | 'since'>[]): Reduction | undefined => {
  let prices = noEarlierPrices;
  for (const [index, { price: to, since: changedAt }] of history.entries()) {
    const before = history[index - 1];
    if (before) prices = afterPriceChange(prices, { from: before.price, to, changedAt });
  }
  return prices.reduction;
};

const reduced = (day: number, rupees: number): Reduction => ({ reducedAt: daysLater(openingDay, day), lowestBefore: paise(rupees * 100) });

describe('a price counts as reduced', () => {
  test.each([
    ['when it is lower than the one before', '0: 100, 9: 80', reduced(9, 100)],
    ['against the lowest of the 30 days, not the last', '0: 100, 9: 120, 20: 90', reduced(20, 100)],
    ['by the last of several reductions', '0: 100, 5: 90, 9: 80', reduced(9, 90)],
    ['though it was as low more than 30 days ago', '0: 100, 1: 50, 2: 100, 33: 60', reduced(33, 100)],
    ['though it was as low until exactly 30 days ago', '0: 50, 2: 100, 32: 60', reduced(32, 100)],
    ['when it was away and returns lower', '0: 100, 5: 0, 9: 80', reduced(9, 100)],
  ])('%s', (_, prices, reduction) => expect(reductionAfter(inForce(prices))).toEqual(reduction));
});

describe('a price does not count as reduced', () => {
  test.each([
    ['when it is the first', '0: 100'],
    ['when it is higher', '0: 100, 9: 120'],
    ['any more once it was raised', '0: 100, 5: 80, 9: 90'],
    ['when it was put up before', '0: 100, 8: 150, 9: 100'],
    ['when it was as low a moment less than 30 days ago', '0: 50, 2: 100, 31: 60'],
    ['when it is taken away', '0: 100, 9: 0'],
    ['when it was away and returns the same', '0: 100, 5: 80, 7: 0, 9: 80'],
    ['when there was none for 30 days', '0: 100, 5: 0, 35: 80'],
    ['when the one before lasted for no time at all, and was lower', '0: 100, 9: 50, 9: 80'],
  ])('%s', (_, prices) => expect(reductionAfter(inForce(prices))).toBeUndefined());
});

test('a reduction is announced for 30 days, with the price as a text', () => {
  const reduction = reduced(9, 3_200);
  expect(announcedUntil(reduction)).toBe(daysLater(openingDay, 39));
  expect(viewReduction(reduction)).toEqual({ lowestPrice: '₹3,200.00', reducedAt: reduction.reducedAt });
});

/** Returns the time this many hours after the opening day began. */
const hoursLater = (hours: number): Instant =>
  instant(`${daysLater(openingDay, Math.floor(hours / 24)).slice(0, 10)}T${String(hours % 24).padStart(2, '0')}:00:00.000Z`);

const PERIOD = 30 * 24;

/** Finds the lowest price by checking each hour of the 30 days, and the prices that began and ended within an hour. */
const naiveReduction = (history: readonly PriceSince[], hours: readonly number[]): Reduction | undefined => {
  const [last, hour] = [history.at(-1), hours.at(-1)];
  if (!last || hour === undefined || last.price === 0) return undefined;
  const before = history.slice(0, -1);
  const seen = before.flatMap(({ price }, index) =>
    hours[index] === hours[index + 1] && Number(hours[index]) > hour - PERIOD ? [price] : [],
  );
  for (let back = 1; back <= PERIOD; back++) seen.push(priceAt(before, hoursLater(hour - back))?.price ?? ZERO);
  const lowest = Math.min(...seen.filter((price) => price > 0));
  return last.price < lowest && lowest < Infinity ? { reducedAt: last.since, lowestBefore: paise(lowest) } : undefined;
};

/** There are few prices, so that they recur, and pauses of no time, of hours, of exactly 30 days, and longer. */
const changes = fc.array(
  fc.record({
    pause: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(0, 1, 24, PERIOD - 1, PERIOD, PERIOD + 1, 1_500)),
    price: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }) }, { weight: 1, arbitrary: fc.constant(0) }).map(paise),
  }),
  { minLength: 1, maxLength: 60 },
);

test('the lowest earlier price equals the one found by checking each hour of the 30 days before', () =>
  fc.assert(
    fc.property(changes, (all) => {
      const hours: number[] = [];
      for (const { pause } of all) hours.push((hours.at(-1) ?? PERIOD) + pause);
      const by = { kind: 'admin', id: 'meera' } as const;
      const history = all.map(({ price }, index) => ({ price, since: hoursLater(hours[index] ?? 0), by }));
      expect(reductionAfter(history)).toEqual(naiveReduction(history, hours));
    }),
    { numRuns: 300 },
  ));
