import { dateInIndia, type CalendarDate } from '../shared/time.ts';
import type { Instant } from '../shared/instant.ts';

/** Days from delivery. */
export const RETURN_DAYS = 14;

/** The text of the policy, for its page and for refusals. */
export const returnPolicy = {
  unopened: `You may return an unopened bottle within ${RETURN_DAYS} days of delivery.`,
} as const;

/** Calendar days in India: an order delivered on the 14th may be returned until the end of the 28th. */
export const lastDayToReturn = (deliveredAt: Instant): CalendarDate => dateInIndia(deliveredAt, RETURN_DAYS);

export const isTooLateToReturn = (deliveredAt: Instant, now: Instant): boolean => dateInIndia(now) > lastDayToReturn(deliveredAt);
