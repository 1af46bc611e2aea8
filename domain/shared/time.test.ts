import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { calendarDate, dateInIndia, daysAfter, daysLater, instant, type CalendarDate, type Instant } from './time.ts';

const at = (text: string): Instant => instant(`${text}:00.000Z`);
const date = (text: string): CalendarDate => dateInIndia(at(`${text}T00:00`));

describe('calculating with dates', () => {
  test.each([
    ['2026-11-28', 5, '2026-12-03'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2028-02-28', 2, '2028-03-01'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2100-02-28', 1, '2100-03-01'],
    ['2000-02-28', 1, '2000-02-29'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2024-02-29', 365, '2025-02-28'],
  ])('from %s by %i days gives %s', (from, days, to) => expect(daysAfter(date(from), days)).toBe(to));

  test('gives the next date for every day of four hundred years', () => {
    let day = date('1999-12-31');
    for (let walked = 0; walked < 146_097; walked++) {
      const next = daysAfter(day, 1);
      if (next <= day) expect.fail(`${next} comes after ${day}`);
      day = next;
    }
    expect(day).toBe('2399-12-31');
  });

  test('converts a date to a day number and back', () => {
    const days = fc.integer({ min: -200_000, max: 200_000 });
    fc.assert(fc.property(days, (many) => daysAfter(daysAfter(date('2026-11-14'), many), -many) === '2026-11-14'));
  });
});

describe('a day in India', () => {
  test('ends at 18:30 UTC', () => {
    expect(dateInIndia(at('2026-11-14T18:29'))).toBe('2026-11-14');
    expect(dateInIndia(at('2026-11-14T18:30'))).toBe('2026-11-15');
  });
  test('is in the next year before UTC is', () => expect(dateInIndia(at('2026-12-31T18:30'))).toBe('2027-01-01'));
});

test('some days later it is the same time of day', () => expect(daysLater(at('2028-02-28T08:33'), 2)).toBe('2028-03-01T08:33:00.000Z'));

test('what is no time is named in the error', () => {
  expect(() => instant('now')).toThrow('Not an instant: now');
  for (const none of ['2026-02-30', '0000-01-01', '2026-11-140']) expect(() => calendarDate(none)).toThrow(`Not a calendar date: ${none}`);
  expect(calendarDate('0001-01-01')).toBe('0001-01-01');
  expect(() => daysAfter('soon' as CalendarDate, 1)).toThrow('Not a calendar date: soon');
});
