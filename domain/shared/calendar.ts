import type { Brand } from './brand.ts';
import { instant, type Instant } from './instant.ts';

/** A day in the calendar, `2026-11-14`; text order is time order. */
export type CalendarDate = Brand<string, 'CalendarDate'>;

const PATTERN = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** India is 5:30 ahead of UTC all year, so a new day begins there at this time of UTC. */
const MIDNIGHT_IN_INDIA = '18:30';

/** Days before 1 March of that year. Counted from March, the leap day is the last of its year and no month needs to know of it. */
const daysBeforeYear = (year: number): number => 365 * year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);

/** Days before a month, March being 0: 31, 30, 31, 30, 31, and again. */
const daysBeforeMonth = (month: number): number => Math.floor((153 * month + 2) / 5);

const toDayNumber = (date: string): number => {
  const [, year, month, day] = PATTERN.exec(date) ?? [];
  if (!year || !month || !day) throw new Error(`Not a calendar date: ${date}`);
  const yearOfMarch = Number(month) > 2 ? Number(year) : Number(year) - 1;
  return daysBeforeYear(yearOfMarch) + daysBeforeMonth((Number(month) + 9) % 12) + Number(day) - 1;
};

const fromDayNumber = (dayNumber: number): CalendarDate => {
  // Reckoned with years of the mean length, never too many, and one too few at most.
  const atLeast = Math.floor(dayNumber / 365.2425);
  const yearOfMarch = daysBeforeYear(atLeast + 1) <= dayNumber ? atLeast + 1 : atLeast;
  const dayOfYear = dayNumber - daysBeforeYear(yearOfMarch);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((monthFromMarch + 2) % 12) + 1;
  const year = month > 2 ? yearOfMarch : yearOfMarch + 1;
  const day = dayOfYear - daysBeforeMonth(monthFromMarch) + 1;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` as CalendarDate;
};

/** The date so many whole days after another (before, when negative). */
export const daysAfter = (date: CalendarDate, days: number): CalendarDate => fromDayNumber(toDayNumber(date) + days);

/** The same time of day (UTC) so many days later: 24 hours each, for UTC has no summer time. */
export const daysLater = (moment: Instant, days: number): Instant =>
  instant(`${fromDayNumber(toDayNumber(moment.slice(0, 10)) + days)}${moment.slice(10)}`);

/** The date that the calendar in India shows at this moment, or so many days after (before, when negative). */
export const dateInIndia = (moment: Instant, later = 0): CalendarDate =>
  fromDayNumber(toDayNumber(moment.slice(0, 10)) + (moment.slice(11, 16) >= MIDNIGHT_IN_INDIA ? 1 : 0) + later);
