import { sql, type Kysely, type RawBuilder } from 'kysely';

import { logPosition, type LogPosition } from '#domain/event-store.ts';
import { dateInIndia, daysAfter, daysLater, type CalendarDate, type Instant } from '#domain/shared/time.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { ZERO, type Paise } from '#domain/shared/money.ts';

import { stats } from './projector.ts';
import type { ReadDatabase, ReadModels } from '../database.ts';
import { prepare, type Given } from '../storage/prepare.ts';

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

/** `sold` counts the orders whose total is in the sales. `came_back` was received on this day, whenever it was sold. */
export type DayFigures = {
  readonly day: CalendarDate;
  readonly orders: number;
  readonly sold: number;
  readonly sales: Paise;
  readonly came_back: Paise;
};

/** The bottles of a product that were sold in a period, their price without tax, and the bottles of the period before. */
export type ProductFigures = {
  readonly product_id: ProductId;
  readonly bottles: number;
  readonly sales: Paise;
  readonly bottles_before: number;
};

/** A period of days begins after `after`; the one before it, which is as long, after `before`. */
type Period = { readonly before: CalendarDate; readonly after: CalendarDate };

const MOST_BESTSELLERS = 10;

const findBestsellers = prepare((db: Kysely<ReadModels>, given: Given<Period>) => {
  const now = <Sum>(column: 'bottles' | 'sales') => sql<Sum>`(sum(${sql.ref(column)}) filter (where day > ${given('after')}))::bigint`;
  return db
    .selectFrom('stats_products')
    .select([
      'product_id',
      now<number>('bottles').as('bottles'),
      now<Paise>('sales').as('sales'),
      sql<number>`coalesce(sum(bottles) filter (where day <= ${given('after')}), 0)::bigint`.as('bottles_before'),
    ])
    .where('day', '>', given('before'))
    .groupBy('product_id')
    .having(now<number>('bottles'), '>', 0)
    .orderBy('sales', 'desc')
    .orderBy('product_id')
    .limit(sql.lit(MOST_BESTSELLERS));
});

const WEEK = 7;
const MONTH = 30;

type Periods = { readonly week: Instant; readonly month: Instant };

/** Sums all whole hours, and the single orders of the hour in which the period begins. */
const sumSince = (db: Kysely<ReadModels>, what: 'orders' | 'sales', moment: RawBuilder<Instant>, hour: RawBuilder<string>) => {
  const hours = db
    .selectFrom('stats_hours')
    .select(({ fn }) => fn.sum(what).as('sum'))
    .where('hour', '>', hour);
  const single = what === 'orders' ? sql`1` : sql`case when sold then total else 0 end`;
  const orders = db
    .selectFrom('stats_orders')
    .select(sql`sum(${single})`.as('sum'))
    .where('placed_at', '>=', moment)
    .where('placed_at', '<', sql<Instant>`date_trunc('hour', ${moment}) + interval '1 hour'`);
  return sql<number>`(coalesce(${hours}, 0) + coalesce(${orders}, 0))::bigint`;
};

const selectFigures = (db: Kysely<ReadModels>, given: Given<Periods>) => {
  const moment = (period: keyof Periods) => sql<Instant>`${given(period)}::timestamptz`;
  const sum = (what: 'orders' | 'sales', period: keyof Periods) =>
    sumSince(
      db,
      what,
      moment(period),
      given((periods) => periods[period].slice(0, 13)),
    );
  const firstSince = (period: keyof Periods) =>
    db
      .selectFrom('stats_orders')
      .select(({ fn }) => fn.min('placed_at').as('first'))
      .where('placed_at', '>=', moment(period));
  return db
    .selectFrom('stats_ever')
    .select([
      sql<number>`coalesce(sum(orders), 0)::bigint`.as('orders'),
      sql<Paise>`coalesce(sum(sales), 0)::bigint`.as('sales'),
      sum('orders', 'week').as('week_orders'),
      sum('sales', 'month').$castTo<Paise>().as('month_sales'),
      firstSince('week').as('week_first'),
      firstSince('month').as('month_first'),
    ]);
};

const findFigures = prepare(selectFigures);

/** A single statement reads both from the same snapshot. */
const findFiguresAndPosition = prepare((db: Kysely<ReadModels>, given: Given<Periods>) =>
  db
    .selectFrom([selectFigures(db, given).as('figures'), 'checkpoints'])
    .selectAll('figures')
    .select('position')
    .where('model', '=', stats.name)
    .where('version', '=', stats.version)
    .where('slot', '=', 'live')
    .where('built_at', 'is not', null),
);

const findDays = prepare((db: Kysely<ReadModels>, given: Given<{ readonly after: CalendarDate }>) =>
  db
    .selectFrom('stats_days')
    .select(['day', 'orders', 'sold', 'sales', 'came_back'])
    .where('day', '>', given('after'))
    .orderBy('day')
    .$castTo<DayFigures>(),
);

type Row = { readonly orders: number; readonly sales: Paise; readonly week_orders: number; readonly month_sales: Paise };

const earlier = (one: Instant | null, other: Instant | null): Instant | null => {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
};

/** Returns all days of a period, including those without orders. */
const everyDay = (after: CalendarDate, days: number, known: readonly DayFigures[]): readonly DayFigures[] => {
  const byDay = new Map(known.map((figures) => [figures.day, figures]));
  return Array.from({ length: days }, (_, index) => {
    const day = daysAfter(after, index + 1);
    return byDay.get(day) ?? { day, orders: 0, sold: 0, sales: ZERO, came_back: ZERO };
  });
};

const readFigures = (row: Row): SalesFigures => ({
  totalOrders: row.orders,
  lastWeekOrders: row.week_orders,
  totalSales: row.sales,
  lastMonthSales: row.month_sales,
});

const periodsUntil = (now: Instant): Periods => ({ week: daysLater(now, -WEEK), month: daysLater(now, -MONTH) });

export const statsQueries = ({ db }: Pick<ReadDatabase, 'db'>) => ({
  /** Returns the figures at this time. The cost does not depend on the number of orders, except for those of two hours. */
  at: async (now: Instant): Promise<FiguresUntil> => {
    const [row] = await findFigures(db, periodsUntil(now));
    if (!row) throw new Error('A sum is one row');
    const { week_first, month_first } = row;
    return {
      figures: readFigures(row),
      until: earlier(week_first && daysLater(week_first, WEEK), month_first && daysLater(month_first, MONTH)),
    };
  },
  /** Returns the figures and their position, for the audit; `undefined` until they are built for the first time. */
  counted: async (now: Instant): Promise<FiguresAt | undefined> => {
    const [row] = await findFiguresAndPosition(db, periodsUntil(now));
    return row && { figures: readFigures(row), position: logPosition(row.position) };
  },
  /** Returns orders and sales of each of the last days in India, oldest first, including today and days without orders. */
  daily: async (days: number, now: Instant): Promise<readonly DayFigures[]> => {
    const after = dateInIndia(now, -days);
    return everyDay(after, days, await findDays(db, { after }));
  },
  /** Returns the products with the highest sales of the last days in India, the highest first. */
  bestsellers: (days: number, now: Instant): Promise<readonly ProductFigures[]> =>
    findBestsellers(db, { after: dateInIndia(now, -days), before: dateInIndia(now, -2 * days) }),
});

export type Stats = Readonly<ReturnType<typeof statsQueries>>;
