import { logPosition, type LogPosition } from '#domain/event-store.ts';
import { dateInIndia, daysAfter, daysLater, type CalendarDate, type Instant } from '#domain/shared/time.ts';
import { ZERO, type Paise } from '#domain/shared/money.ts';

import { nameTable } from '../engine/table-set.ts';
import { stats } from './projector.ts';
import type { ReadDatabase } from '../database.ts';

/** Sales are in paise. Periods end now: the last week is 7 × 24 hours, the last month 30 × 24. */
export type SalesFigures = {
  readonly totalOrders: number;
  readonly lastWeekOrders: number;
  readonly totalSales: Paise;
  readonly lastMonthSales: Paise;
};

/** The figures include all events up to the position and no later ones. */
export type FiguresAt = { readonly figures: SalesFigures; readonly position: LogPosition };

/** The figures stay the same until this time if no order changes: then an order leaves one of the periods. */
export type FiguresUntil = { readonly figures: SalesFigures; readonly until: Instant | null };

export type DayFigures = { readonly day: CalendarDate; readonly orders: number; readonly sales: Paise };

const WEEK = 7;
const MONTH = 30;

/** Returns SQL for the sums of all whole hours, plus the single orders of the hour in which the period begins. */
const since = (what: 'orders' | 'sales', moment: string, hour: string): string =>
  `((select coalesce(sum(${what}), 0) from ${nameTable(stats, 'stats_hours')} where hour > ${hour})
    + (select coalesce(sum(${what === 'orders' ? '1' : 'case when sold then total else 0 end'}), 0) from ${nameTable(stats, 'stats_orders')}
       where placed_at >= ${moment} and placed_at < date_trunc('hour', ${moment}) + interval '1 hour'))::bigint`;

const firstSince = (moment: string): string =>
  `(select min(placed_at) from ${nameTable(stats, 'stats_orders')} where placed_at >= ${moment})`;

const FIGURES = `select coalesce(sum(orders), 0)::bigint as orders, coalesce(sum(sales), 0)::bigint as sales,
    ${since('orders', '$1::timestamptz', '$2')} as week_orders, ${since('sales', '$3::timestamptz', '$4')} as month_sales,
    ${firstSince('$1::timestamptz')} as week_first, ${firstSince('$3::timestamptz')} as month_first
  from ${nameTable(stats, 'stats_ever')}`;

/** A single statement reads both from the same snapshot. */
const FIGURES_AND_POSITION = `select figures.*, position from (${FIGURES}) figures, read.checkpoints
  where (model, version, slot) = ('${stats.name}', ${stats.version}, 'live') and built_at is not null`;

type Row = {
  orders: number;
  sales: Paise;
  week_orders: number;
  month_sales: Paise;
  week_first: Instant | null;
  month_first: Instant | null;
};

const earlier = (one: Instant | null, other: Instant | null): Instant | null => {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
};

const DAYS = `select day, orders, sales from ${nameTable(stats, 'stats_days')} where day > $1 order by day`;

/** Returns all days of a period, including those without orders. */
const everyDay = (after: CalendarDate, days: number, known: readonly DayFigures[]): readonly DayFigures[] => {
  const byDay = new Map(known.map((figures) => [figures.day, figures]));
  return Array.from({ length: days }, (_, index) => {
    const day = daysAfter(after, index + 1);
    return byDay.get(day) ?? { day, orders: 0, sales: ZERO };
  });
};

const readFigures = (row: Row): SalesFigures => ({
  totalOrders: row.orders,
  lastWeekOrders: row.week_orders,
  totalSales: row.sales,
  lastMonthSales: row.month_sales,
});

export type Stats = {
  /** Returns the figures at this time. The cost does not depend on the number of orders, except for those of two hours. */
  at(now: Instant): Promise<FiguresUntil>;
  /** Returns the figures and their position, for the audit; `undefined` until they are built for the first time. */
  counted(now: Instant): Promise<FiguresAt | undefined>;
  /** Returns orders and sales of each of the last days in India, oldest first, including today and days without orders. */
  daily(days: number, now: Instant): Promise<readonly DayFigures[]>;
};

const spansUntil = (now: Instant): string[] => {
  const [week, month] = [daysLater(now, -WEEK), daysLater(now, -MONTH)];
  return [week, week.slice(0, 13), month, month.slice(0, 13)];
};

export const statsQueries = ({ pool }: Pick<ReadDatabase, 'pool'>): Stats => ({
  at: async (now) => {
    const { rows } = await pool.query<Row>({ name: 'stats-at', text: FIGURES, values: spansUntil(now) });
    const [row] = rows;
    if (!row) throw new Error('A sum is one row');
    const { week_first, month_first } = row;
    return {
      figures: readFigures(row),
      until: earlier(week_first && daysLater(week_first, WEEK), month_first && daysLater(month_first, MONTH)),
    };
  },
  counted: async (now) => {
    const { rows } = await pool.query<Row & { position: bigint }>({ text: FIGURES_AND_POSITION, values: spansUntil(now) });
    const [row] = rows;
    return row && { figures: readFigures(row), position: logPosition(row.position) };
  },
  daily: async (days, now) => {
    const after = dateInIndia(now, -days);
    const { rows } = await pool.query<DayFigures>({ name: 'stats-daily', text: DAYS, values: [after] });
    return everyDay(after, days, rows);
  },
});
