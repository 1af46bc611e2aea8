import type { CalendarDate } from '#domain/shared/calendar.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';

import { rowsTable, sumsTable } from '../projector.ts';

/** What of an order the figures depend on. */
export type StatsOrder = {
  order_id: OrderId;
  total: Paise;
  /** Null for a checkout under way, which is in no figure. */
  placed_at: Instant | null;
  /** Whether its total is among the sales: not before it is placed, and not once it is cancelled or returned. */
  sold: boolean;
};

/** Orders placed within a time, whatever became of them, and in paise what those of them that still are sales come to. */
type Figures = { orders: number; sales: number };
export type StatsHour = Figures & {
  /** Of UTC, `2026-11-14T08`. */
  hour: string;
};
export type StatsDay = Figures & {
  /** In India. */
  day: CalendarDate;
};
export type StatsEver = Figures & { which: 'ever' };

export const statsOrdersTable = rowsTable<StatsOrder>({
  key: 'order_id',
  columns: { order_id: 'uuid', total: 'paise', placed_at: 'instant', sold: 'boolean' },
  indexes: ['(placed_at) include (total, sold) where placed_at is not null'],
});
export const statsHoursTable = sumsTable<StatsHour, 'hour'>({ key: 'hour', columns: { hour: 'text', orders: 'integer', sales: 'paise' } });
export const statsDaysTable = sumsTable<StatsDay, 'day'>({ key: 'day', columns: { day: 'day', orders: 'integer', sales: 'paise' } });
export const statsEverTable = sumsTable<StatsEver, 'which'>({
  key: 'which',
  columns: { which: 'text', orders: 'integer', sales: 'paise' },
});
