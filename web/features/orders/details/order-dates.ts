import { isTooLateToReturn, lastDayToReturn, canBecome, type OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { CalendarDate, Instant } from '#domain/shared/time.ts';

/** The last time the order entered this status; undefined when it never did. */
export const reachedAt = ({ history }: OrderView, status: OrderStatus): Instant | undefined =>
  history.findLast((entry) => entry.status === status)?.at;

/** The statuses of an order without cancellation or return, from its placing on. */
const THE_WAY: readonly OrderStatus[] = ['pending', 'confirmed', 'shipped', 'delivered'];

/** The statuses still to come; none after a cancellation or return. */
export const stepsAhead = (status: OrderStatus): readonly OrderStatus[] => {
  const here = THE_WAY.indexOf(status);
  return here < 0 ? [] : THE_WAY.slice(here + 1);
};

export const mayBeCancelled = ({ status }: OrderView): boolean => canBecome(status, 'cancelled');

/** The last day for a return, and whether it has passed. Undefined before delivery. */
export const returnOf = (order: OrderView, now: Instant): { readonly lastDay: CalendarDate; readonly tooLate: boolean } | undefined => {
  const deliveredAt = reachedAt(order, 'delivered');
  if (deliveredAt === undefined || !canBecome(order.status, 'returned')) return undefined;
  return { lastDay: lastDayToReturn(deliveredAt), tooLate: isTooLateToReturn(deliveredAt, now) };
};
