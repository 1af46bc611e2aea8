import { isTooLateToReturn, lastDayToReturn, canBecome, type OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { CalendarDate, Instant } from '#domain/shared/time.ts';

/** Returns when the order last entered this status, or undefined if it never did. */
export const reachedAt = ({ history }: OrderView, status: OrderStatus): Instant | undefined =>
  history.findLast((entry) => entry.status === status)?.at;

export const mayBeCancelled = ({ status }: OrderView): boolean => canBecome(status, 'cancelled');

/** Returns the last day for a return and whether it has passed, or undefined before delivery. */
export const findReturnWindow = (
  order: OrderView,
  now: Instant,
): { readonly lastDay: CalendarDate; readonly tooLate: boolean } | undefined => {
  const deliveredAt = reachedAt(order, 'delivered');
  if (deliveredAt === undefined || !canBecome(order.status, 'returned')) return undefined;
  return { lastDay: lastDayToReturn(deliveredAt), tooLate: isTooLateToReturn(deliveredAt, now) };
};
