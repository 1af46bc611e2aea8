import { dateInIndia, type CalendarDate } from '../shared/calendar.ts';
import type { Instant } from '../shared/instant.ts';

/** From delivery (specification, section 9). */
export const RETURN_DAYS = 14;

/** The policy's own words, for its page and for whoever is refused. */
export const returnPolicy = {
  unopened: `You may return an unopened bottle within ${RETURN_DAYS} days of delivery.`,
} as const;

/** Whole days of the calendar in India: what was delivered on the 14th may go back until the end of the 28th. */
export const lastDayToReturn = (deliveredAt: Instant): CalendarDate => dateInIndia(deliveredAt, RETURN_DAYS);

export const isTooLateToReturn = (deliveredAt: Instant, now: Instant): boolean => dateInIndia(now) > lastDayToReturn(deliveredAt);
