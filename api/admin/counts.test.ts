import { expect, test } from 'vitest';

import { START, type LogPosition } from '#domain/event-store.ts';
import { ZERO } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import { cachedFigures } from './counts.ts';

const [before, noon, end, after] = [11, 12, 13, 14].map((hour) => instant(`2026-11-14T${hour}:00:00.000Z`)) as [
  Instant,
  Instant,
  Instant,
  Instant,
];

/** `totalOrders` counts the queries; an order leaves the week at `end`. */
const setUp = () => {
  const listeners = new Set<(position: LogPosition) => void>();
  const onAdvance = (_: string, listener: (position: LogPosition) => void) => (listeners.add(listener), () => listeners.delete(listener));
  let totalOrders = 0;
  const at = async (now: Instant) => ({
    figures: { totalOrders: (totalOrders += 1), lastWeekOrders: 0, totalSales: ZERO, lastMonthSales: ZERO },
    until: now <= end ? end : null,
  });
  const figures = cachedFigures({ at }, { onAdvance });
  return {
    figures,
    queriesAt: async (now: Instant) => (await figures.at(now)).totalOrders,
    advance: () => listeners.forEach((each) => each(START)),
  };
};

test('figures are queried once, until an order changes', async () => {
  const { queriesAt, advance } = setUp();
  expect([await queriesAt(noon), await queriesAt(noon), await queriesAt(end)]).toEqual([1, 1, 1]);
  advance();
  expect(await queriesAt(noon)).toBe(2);
});

test('figures are queried again once an order has left one of the periods', async () => {
  const { queriesAt } = setUp();
  expect([await queriesAt(noon), await queriesAt(after)]).toEqual([1, 2]);
});

test('figures are queried again after the clock was set back', async () => {
  const { queriesAt } = setUp();
  expect([await queriesAt(noon), await queriesAt(before)]).toEqual([1, 2]);
});
