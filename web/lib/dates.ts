import type { CalendarDate, Instant } from '#domain/shared/time.ts';

/** Dates are shown in Indian time, wherever the shopper is. */
const timeZone = 'Asia/Kolkata';

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone });
const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone });

/** `Nov 26` */
export const shortDayText = (date: CalendarDate): string => shortDay.format(new Date(`${date}T00:00:00Z`));

/** `21 Nov 2026`, in Indian time. */
export const dayText = (moment: Instant): string => {
  const parts = new Map(fullDay.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  return `${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`;
};

/** `November 2026`, in Indian time. */
export const monthText = (moment: Instant): string => month.format(new Date(moment));

/** `21 Nov 2026, 2:05 PM`, in Indian time. */
export const momentText = (moment: Instant): string => `${dayText(moment)}, ${time.format(new Date(moment)).replaceAll('\u202f', ' ')}`;
