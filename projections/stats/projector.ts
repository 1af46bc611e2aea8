import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { totalsOf } from '#domain/order/totals.ts';
import { dateInIndia } from '#domain/shared/calendar.ts';
import { orderId } from '#domain/shared/ids.ts';

import { projectorOf, streamId, type Handles } from '../projector.ts';
import { statsDaysTable, statsEverTable, statsHoursTable, statsOrdersTable, type StatsOrder } from './table.ts';

const tables = { stats_orders: statsOrdersTable, stats_hours: statsHoursTable, stats_days: statsDaysTable, stats_ever: statsEverTable };
type Tables = Handles<typeof tables>;

/** Adds an order to the figures of the time at which it was placed, or takes it out of them. */
const count = ({ stats_hours, stats_days, stats_ever }: Tables, order: StatsOrder | undefined, times: 1 | -1): void => {
  if (order === undefined || order.placed_at === null) return;
  const figures = { orders: times, sales: order.sold ? times * order.total : 0 };
  stats_hours.add({ hour: order.placed_at.slice(0, 13), ...figures });
  stats_days.add({ day: dateInIndia(order.placed_at), ...figures });
  stats_ever.add({ which: 'ever', ...figures });
};

/** The order is now this: what it was leaves the figures, what it is enters them. */
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
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['OrderConfirmed', 'OrderShipped', 'OrderDelivered', 'OrderClaimed']);

/**
 * The figures of what is sold (decisions, sections 3 and 7). Those of the last so many days depend on the clock, which no event
 * brings: sums by the hour and each order's own moment give them exactly for any moment, however many orders there are.
 */
export const stats = projectorOf<OrderEvent>()({
  name: 'stats',
  version: 2,
  categories: ['order'],
  tables,
  keys: ({ type, stream }) => (CHANGES_NOTHING.has(type) ? {} : { stats_orders: [streamId(stream)] }),
  on: {
    OrderCreated: (tables, { stream, data }) =>
      become(tables, { order_id: orderId(streamId(stream)), total: totalsOf(data).total, placed_at: null, sold: false }),
    OrderRevised: (tables, event) => change(tables, event, { total: totalsOf(event.data).total }),
    OrderPlaced: (tables, event) => change(tables, event, { placed_at: event.data.placedAt, sold: true }),
    OrderCancelled: noSale,
    OrderReturned: noSale,
    OrderConfirmed: asBefore,
    OrderShipped: asBefore,
    OrderDelivered: asBefore,
    OrderClaimed: asBefore,
  },
});
