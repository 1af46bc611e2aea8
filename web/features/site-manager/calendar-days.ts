import { dateInIndia, instant, type CalendarDate } from '#domain/shared/time.ts';

/** Returns the current date in India. */
export const today = (): CalendarDate => dateInIndia(instant(new Date().toISOString()));
