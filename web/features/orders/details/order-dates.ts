import type { DeliveryWindow } from '#domain/order/delivery.ts';
import { isTooLateToReturn, lastDayToReturn } from '#domain/order/return-policy.ts';
import { mayBecome, type OrderStatus } from '#domain/order/status.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { CalendarDate } from '#domain/shared/calendar.ts';
import type { Instant } from '#domain/shared/instant.ts';
import { shortDayText } from '../../../lib/dates.ts';

/** When it came to this state last; undefined when it never did. */
export const reached = ({ history }: OrderView, status: OrderStatus): Instant | undefined =>
  history.findLast((entry) => entry.status === status)?.at;

/** `Nov 26 – Nov 28`. */
export const windowText = ({ from, to }: DeliveryWindow): string => `${shortDayText(from)} – ${shortDayText(to)}`;

/** Of an order that nothing stops, from its placing on. */
const THE_WAY: readonly OrderStatus[] = ['pending', 'confirmed', 'shipped', 'delivered'];

/** What is still to come of it; nothing of one that has left the way. */
export const stepsAhead = (status: OrderStatus): readonly OrderStatus[] => {
  const here = THE_WAY.indexOf(status);
  return here < 0 ? [] : THE_WAY.slice(here + 1);
};

/** Until it ships. */
export const mayBeCancelled = ({ status }: OrderView): boolean => mayBecome(status, 'cancelled');

/** What the return policy says of an order now: until which day it may go back, or could have. Nothing before it was delivered. */
export const returnOf = (order: OrderView, now: Instant): { readonly lastDay: CalendarDate; readonly tooLate: boolean } | undefined => {
  const deliveredAt = reached(order, 'delivered');
  if (deliveredAt === undefined || !mayBecome(order.status, 'returned')) return undefined;
  return { lastDay: lastDayToReturn(deliveredAt), tooLate: isTooLateToReturn(deliveredAt, now) };
};
