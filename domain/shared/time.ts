import type { Brand } from './ids.ts';

/** A time in UTC is ISO 8601 text with milliseconds, such as `2026-11-14T08:33:00.000Z`. Text order is time order. */
export type Instant = Brand<string, 'Instant'>;

const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Accepts the text that `Date.prototype.toISOString` writes. Throws on anything else. */
export const instant = (text: string): Instant => {
  if (!INSTANT.test(text)) throw new Error(`Not an instant: ${text}`);
  return text as Instant;
};

/** A calendar date is a text such as `2026-11-14`. Text order is time order. */
export type CalendarDate = Brand<string, 'CalendarDate'>;

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** India is 5:30 ahead of UTC all year, so a new day begins there at this time of UTC. */
const MIDNIGHT_IN_INDIA = '18:30';

/** Counts the days before 1 March of a year. Counted from March, the leap day is the last day of its year and needs no special case. */
const daysBeforeYear = (year: number): number => 365 * year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);

/** Counts the days before a month, where March is 0: the months have 31, 30, 31, 30, 31 days, and again. */
const daysBeforeMonth = (month: number): number => Math.floor((153 * month + 2) / 5);

const toDayNumber = (date: string): number => {
  const [, year, month, day] = DATE.exec(date) ?? [];
  if (!year || !month || !day) throw new Error(`Not a calendar date: ${date}`);
  const yearOfMarch = Number(month) > 2 ? Number(year) : Number(year) - 1;
  return daysBeforeYear(yearOfMarch) + daysBeforeMonth((Number(month) + 9) % 12) + Number(day) - 1;
};

const fromDayNumber = (dayNumber: number): CalendarDate => {
  // Dividing by the mean length of a year gives at most one year too few and never too many.
  const atLeast = Math.floor(dayNumber / 365.2425);
  const yearOfMarch = daysBeforeYear(atLeast + 1) <= dayNumber ? atLeast + 1 : atLeast;
  const dayOfYear = dayNumber - daysBeforeYear(yearOfMarch);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((monthFromMarch + 2) % 12) + 1;
  const year = month > 2 ? yearOfMarch : yearOfMarch + 1;
  const day = dayOfYear - daysBeforeMonth(monthFromMarch) + 1;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` as CalendarDate;
};

/** Returns undefined when there is no such day, such as `2026-02-30` or one of the year 0. */
export const parseDate = (text: string): CalendarDate | undefined => {
  if (!DATE.test(text) || text.startsWith('0000')) return undefined;
  const date = fromDayNumber(toDayNumber(text));
  return date === text ? date : undefined;
};

/** Accepts a day of the calendar, such as `2026-11-14`. Throws on anything else. */
export const calendarDate = (text: string): CalendarDate => {
  const date = parseDate(text);
  if (date === undefined) throw new Error(`Not a calendar date: ${text}`);
  return date;
};

/** Returns the date this many days later, or earlier if `days` is negative. */
export const daysAfter = (date: CalendarDate, days: number): CalendarDate => fromDayNumber(toDayNumber(date) + days);

/** Returns the same time of day (UTC) this many days later. Each day has 24 hours, because UTC has no daylight saving time. */
export const daysLater = (moment: Instant, days: number): Instant =>
  instant(`${fromDayNumber(toDayNumber(moment.slice(0, 10)) + days)}${moment.slice(10)}`);

/** Returns the time when this day begins in India. */
export const beginningInIndia = (day: CalendarDate): Instant => instant(`${daysAfter(day, -1)}T${MIDNIGHT_IN_INDIA}:00.000Z`);

/** Returns the date in India at this time, or this many days later (earlier if negative). */
export const dateInIndia = (moment: Instant, later = 0): CalendarDate =>
  fromDayNumber(toDayNumber(moment.slice(0, 10)) + (moment.slice(11, 16) >= MIDNIGHT_IN_INDIA ? 1 : 0) + later);
