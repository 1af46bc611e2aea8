import { estimatedDelivery } from '#domain/order/delivery.ts';
import type { CalendarDate } from '#domain/shared/calendar.ts';
import { instant } from '#domain/shared/instant.ts';

const calendar = new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', day: 'numeric', month: 'short' });

const dayOf = (date: CalendarDate): { readonly day: string; readonly month: string } => {
  const parts = calendar.formatToParts(new Date(`${date}T00:00:00Z`));
  const part = (type: 'day' | 'month') => parts.find((each) => each.type === type)?.value ?? '';
  return { day: part('day'), month: part('month') };
};

/** When an order made at `now` (ms since 1970) arrives, by the calendar of India: `26 to 28 Nov`, `29 Nov to 1 Dec`. */
export const arrivalWindow = (now: number): string => {
  const expected = estimatedDelivery(instant(new Date(now).toISOString()));
  const [from, to] = [dayOf(expected.from), dayOf(expected.to)];
  const first = from.month === to.month ? from.day : `${from.day} ${from.month}`;
  return `${first} to ${to.day} ${to.month}`;
};
