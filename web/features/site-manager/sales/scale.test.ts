import { describe, expect, test } from 'vitest';
import { axisText, ticksUpTo } from './scale.ts';

describe('the axis of the chart', () => {
  test.each([
    [45_814, [0, 10_000, 20_000, 30_000, 40_000, 50_000]],
    [50_000, [0, 10_000, 20_000, 30_000, 40_000, 50_000]],
    [7, [0, 2, 4, 6, 8]],
    [1, [0, 1]],
    [0, [0, 1]],
  ])('has round tick values up to %d', (largest, ticks) => expect(ticksUpTo(largest)).toEqual(ticks));
  test.each([
    [0, '0'],
    [500, '₹500'],
    [2500, '₹2.5k'],
    [200_000, '₹2L'],
    [15_000_000, '₹1.5Cr'],
  ])('writes %d as %s', (rupees, text) => expect(axisText(rupees)).toBe(text));
});
