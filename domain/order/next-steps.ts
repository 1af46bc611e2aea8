import { dateInIndia, daysAfter, type CalendarDate, type Instant } from '../shared/time.ts';
import { estimatedDelivery, type ExistingOrder } from './rules.ts';

export const handlingLists = ['confirm', 'pay', 'pack', 'ship', 'overdue'] as const;
/** Returns to decide and to receive, and cash to be sent back, with a return or without one. */
export const returnSteps = ['decide', 'receive', 'refund'] as const;

/** Lists of orders by what staff do next. `pay` waits for the shopper; an order that is `overdue` is in another list too. */
export const nextSteps = [...handlingLists, ...returnSteps] as const;
export type NextStep = (typeof nextSteps)[number];
export type HandlingList = (typeof handlingLists)[number];
export type ReturnStep = (typeof returnSteps)[number];

/** An order that has not left so many days after it was placed hardly keeps its delivery window. */
export const DAYS_TO_SHIP = 3;

/** Returns the step to which the order itself has come, whatever its payment says. */
export const handlingStep = ({ status, packedAt }: Pick<ExistingOrder, 'status' | 'packedAt'>): 'confirm' | 'pack' | 'ship' | null => {
  if (status === 'pending') return 'confirm';
  if (status !== 'confirmed') return null;
  return packedAt === null ? 'pack' : 'ship';
};

/** Returns the day in India from which an order with this status is overdue: it should have left, or arrived, the day before; null if neither. */
export const overdueFrom = (status: ExistingOrder['status'], placedAt: Instant | null): CalendarDate | null => {
  if (placedAt === null) return null;
  if (status === 'pending' || status === 'confirmed') return dateInIndia(placedAt, DAYS_TO_SHIP + 1);
  return status === 'shipped' ? daysAfter(estimatedDelivery(placedAt).to, 1) : null;
};
