import { dateInIndia, instant, type CalendarDate } from '#domain/shared/time.ts';
import { dayText } from '../../lib/dates.ts';

/** In India. */
export const today = (): CalendarDate => dateInIndia(instant(new Date().toISOString()));

/** `21 Nov 2026` */
export const dateText = (date: CalendarDate): string => dayText(instant(`${date}T00:00:00.000Z`));
