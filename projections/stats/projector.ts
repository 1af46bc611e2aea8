import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { dateInIndia, type CalendarDate, type Instant } from '#domain/shared/time.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';
import type { Paise } from '#domain/shared/money.ts';

import { type Handles, defineProjector, rowsTable, streamId, sumsTable } from '../engine/define-projector.ts';

export type StatsOrder = {
  order_id: OrderId;
  total: Paise;
  /** The value is null until the order is placed; from then on it counts. */
  placed_at: Instant | null;
  /** The value is true if its total counts as sales: from placing until it is cancelled or returned. */
  sold: boolean;
};

/**
 * The figures are the number of orders placed in a period, including cancelled ones, and the total in paise of those that count as sales.
 */
type Figures = { orders: number; sales: number };
export type StatsHour = Figures & {
  /** The hour is in UTC, such as `2026-11-14T08`. */
  hour: string;
};
export type StatsDay = Figures & {
  /** The day is a day in India. */
  day: CalendarDate;
};
export type StatsEver = Figures & { which: 'ever' };

const statsOrdersTable = rowsTable<StatsOrder>({
  key: 'order_id',
  columns: { order_id: 'uuid', total: 'paise', placed_at: 'instant', sold: 'boolean' },
  indexes: ['(placed_at) include (total, sold) where placed_at is not null'],
});
const statsHoursTable = sumsTable<StatsHour, 'hour'>({ key: 'hour', columns: { hour: 'text', orders: 'integer', sales: 'paise' } });
const statsDaysTable = sumsTable<StatsDay, 'day'>({ key: 'day', columns: { day: 'day', orders: 'integer', sales: 'paise' } });
const statsEverTable = sumsTable<StatsEver, 'which'>({
  key: 'which',
  columns: { which: 'text', orders: 'integer', sales: 'paise' },
});

const tables = { stats_orders: statsOrdersTable, stats_hours: statsHoursTable, stats_days: statsDaysTable, stats_ever: statsEverTable };
type Tables = Handles<typeof tables>;

/** Adds an order to the figures of its hour and day, or subtracts it. */
const count = ({ stats_hours, stats_days, stats_ever }: Tables, order: StatsOrder | undefined, times: 1 | -1): void => {
  if (order === undefined || order.placed_at === null) return;
  const figures = { orders: times, sales: order.sold ? times * order.total : 0 };
  stats_hours.add({ hour: order.placed_at.slice(0, 13), ...figures });
  stats_days.add({ day: dateInIndia(order.placed_at), ...figures });
  stats_ever.add({ which: 'ever', ...figures });
};

/** Replaces an order: the old one is subtracted, and the new one is added. */
const become = (tables: Tables, after: StatsOrder): void => {
  count(tables, tables.stats_orders.get(after.order_id), -1);
  tables.stats_orders.set(after);
  count(tables, after, 1);
};

const change = (tables: Tables, { stream }: Recorded<OrderEvent>, changes: Partial<StatsOrder>): void => {
  const order = tables.stats_orders.get(streamId(stream));
  if (!order) throw new Error(`${stream} was never created`);
  become(tables, { ...order, ...changes });
};

const noSale = (tables: Tables, event: Recorded<OrderEvent>): void => change(tables, event, { sold: false });
const asBefore = (): void => {};
const CHANGES_NOTHING: ReadonlySet<string> = new Set([
  'OrderConfirmed',
  'OrderShipped',
  'OrderDelivered',
  'OrderEmailCorrected',
  'OrderClaimed',
  'PlacingAbandoned',
  'MoveAbandoned',
]);

/** Sums by the hour and the times of single orders give exact figures for any time, which no event knows. */
export const stats = defineProjector<OrderEvent>()({
  name: 'stats',
  version: 3,
  categories: ['order'],
  tables,
  keys: ({ type, stream }) => (CHANGES_NOTHING.has(type) ? {} : { stats_orders: [streamId(stream)] }),
  on: {
    OrderCreated: (tables, { stream, data }) =>
      become(tables, { order_id: orderId(streamId(stream)), total: computeTotals(data).total, placed_at: null, sold: false }),
    OrderRevised: (tables, event) => change(tables, event, { total: computeTotals(event.data).total }),
    OrderPlaced: (tables, event) => change(tables, event, { placed_at: event.data.placedAt, sold: true }),
    OrderCancelled: noSale,
    OrderReturned: noSale,
    OrderConfirmed: asBefore,
    OrderShipped: asBefore,
    OrderDelivered: asBefore,
    OrderEmailCorrected: asBefore,
    OrderClaimed: asBefore,
    PlacingAbandoned: asBefore,
    MoveAbandoned: asBefore,
  },
});
