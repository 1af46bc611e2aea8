import { expect, test } from 'vitest';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { dayText, momentText, monthText, shortDayText } from './dates.ts';

/** This moment is 00:30 on 22 November in India. */
const lateEvening = instant('2026-11-21T19:00:00.000Z');

test('a date on the screen is shown without the year in a delivery window', () =>
  expect(shortDayText(dateInIndia(lateEvening))).toBe('22 Nov'));
test('a date on the screen is the date in India, not in UTC', () => expect(dayText(lateEvening)).toBe('22 Nov 2026'));
test('a date on the screen can be shown as month and year', () => expect(monthText(lateEvening)).toBe('November 2026'));
test('a date on the screen can be shown with the time of day in India', () => expect(momentText(lateEvening)).toBe('22 Nov 2026, 00:30'));
