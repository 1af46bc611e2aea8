import { dateInIndia, instant, type CalendarDate } from '#domain/shared/time.ts';

/** In India. */
export const today = (): CalendarDate => dateInIndia(instant(new Date().toISOString()));
