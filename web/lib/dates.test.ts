import { describe, expect, test } from 'vitest';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { dayText, momentText, monthText, shortDayText } from './dates.ts';

/** Half past midnight on the 22nd in India. */
const lateEvening = instant('2026-11-21T19:00:00.000Z');

describe('a date on the screen', () => {
  test('is short in a delivery window', () => expect(shortDayText(dateInIndia(lateEvening))).toBe('22 Nov'));
  test('is the day in India', () => expect(dayText(lateEvening)).toBe('22 Nov 2026'));
  test('is a month where the day says too much', () => expect(monthText(lateEvening)).toBe('November 2026'));
  test('has the time of day in India where that matters', () => expect(momentText(lateEvening)).toBe('22 Nov 2026, 00:30'));
});
