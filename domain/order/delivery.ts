import { dateInIndia, type CalendarDate } from '../shared/time.ts';
import type { Instant } from '../shared/instant.ts';

/** Days from placing to delivery. */
const DAYS = { from: 5, to: 7 } as const;

export type DeliveryWindow = { readonly from: CalendarDate; readonly to: CalendarDate };

/** Counted from the day in India on which the order was placed, so it is the same whenever it is viewed. */
export const estimatedDelivery = (placedAt: Instant): DeliveryWindow => ({
  from: dateInIndia(placedAt, DAYS.from),
  to: dateInIndia(placedAt, DAYS.to),
});
