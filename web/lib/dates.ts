import type { DeliveryWindow } from '#domain/order/rules.ts';
import type { CalendarDate, Instant } from '#domain/shared/time.ts';

/** Dates are shown in Indian time, wherever the shopper is. */
const timeZone = 'Asia/Kolkata';

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const calendarDay = new Intl.DateTimeFormat('en-US', { ...day, timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat('en-US', { ...day, timeZone });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone });
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });

/** Day, month and year are joined here, because the short months of en-IN and en-GB differ between browsers and Node (`Sep`, `Sept`). */
const formatParts = (format: Intl.DateTimeFormat, moment: string) => {
  const parts = new Map(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  return { short: `${parts.get('day')} ${parts.get('month')}`, year: parts.get('year') };
};

/** Returns `26 Nov`. */
export const shortDayText = (date: CalendarDate): string => formatParts(calendarDay, `${date}T00:00:00Z`).short;

/** Returns `26 Nov 2026`. */
export const dateText = (date: CalendarDate): string => {
  const { short, year } = formatParts(calendarDay, `${date}T00:00:00Z`);
  return `${short} ${year}`;
};

/** Returns `26 Nov – 28 Nov`. */
export const windowText = ({ from, to }: DeliveryWindow): string => `${shortDayText(from)} – ${shortDayText(to)}`;

/** Returns `21 Nov 2026`, the date in India. */
export const dayText = (moment: Instant): string => {
  const { short, year } = formatParts(fullDay, moment);
  return `${short} ${year}`;
};

/** Returns `21 Nov, 14:05`, the date and time in India. */
export const shortMomentText = (moment: Instant): string => `${formatParts(fullDay, moment).short}, ${time.format(new Date(moment))}`;

/** Returns `November 2026`, the month in India. */
export const monthText = (moment: Instant): string => month.format(new Date(moment));

/** Returns `21 Nov 2026, 14:05`, the date and time in India. */
export const momentText = (moment: Instant): string => `${dayText(moment)}, ${time.format(new Date(moment))}`;
