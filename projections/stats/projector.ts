import type { Recorded } from '#domain/event-store.ts';
import type { Checkout, OrderEvent, ReturnLine } from '#domain/order/events.ts';
import { computeTotals, lineAmount } from '#domain/order/totals.ts';
import { dateInIndia, type CalendarDate, type Instant } from '#domain/shared/time.ts';
import { orderId, type OrderId, type ProductId } from '#domain/shared/ids.ts';
import { paise, sum, ZERO, type Paise } from '#domain/shared/money.ts';

import { type Handles, defineProjector, rowsTable, streamId, sumsTable } from '../engine/define-projector.ts';

export type StatsOrder = {
  order_id: OrderId;
  total: Paise;
  /** The value is null until the order is placed; from then on it counts. */
  placed_at: Instant | null;
  /** The value is true if its total counts as sales: from placing until it is cancelled or returned. */
  sold: boolean;
  /** What came back of it: the price, with tax, of bottles that were received. */
  returned: Paise;
  /** The text is `Line[]` as JSON: the bottles that have not come back. */
  lines: string;
  /** The text is the newest return that was asked for, `Asked` as JSON. */
  asked: string | null;
};

type Asked = { readonly lines: readonly ReturnLine[]; readonly value: Paise };

/** A product of an order: its bottles, and their price without tax. */
type Line = { readonly product: ProductId; readonly bottles: number; readonly sales: Paise };

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
  /** The number of orders that count as sales. */
  sold: number;
  /** What was received back on this day, in paise, whenever it was sold. */
  came_back: number;
};
/** What was sold of a product on a day in India and has not come back. */
export type StatsProduct = { day_product: string; day: CalendarDate; product_id: ProductId; bottles: number; sales: number };
export type StatsEver = Figures & { which: 'ever' };

const statsOrdersTable = rowsTable<StatsOrder>({
  key: 'order_id',
  columns: {
    order_id: 'uuid',
    total: 'paise',
    placed_at: 'instant',
    sold: 'boolean',
    returned: 'paise',
    lines: 'json',
    asked: 'json',
  },
  indexes: ['(placed_at) include (total, sold) where placed_at is not null'],
});
const statsHoursTable = sumsTable<StatsHour, 'hour'>({ key: 'hour', columns: { hour: 'text', orders: 'integer', sales: 'paise' } });
const statsDaysTable = sumsTable<StatsDay, 'day'>({
  key: 'day',
  columns: { day: 'day', orders: 'integer', sold: 'integer', sales: 'paise', came_back: 'paise' },
});
const statsProductsTable = sumsTable<StatsProduct, 'day_product'>({
  key: 'day_product',
  columns: { day_product: 'text', day: 'day', product_id: 'text', bottles: 'integer', sales: 'paise' },
  indexes: ['(day)'],
});
const statsEverTable = sumsTable<StatsEver, 'which'>({
  key: 'which',
  columns: { which: 'text', orders: 'integer', sales: 'paise' },
});

const tables = {
  stats_orders: statsOrdersTable,
  stats_hours: statsHoursTable,
  stats_days: statsDaysTable,
  stats_products: statsProductsTable,
  stats_ever: statsEverTable,
};
type Tables = Handles<typeof tables>;

/** The cast is safe: `toLines` and `withoutReturned` write them. */
const readLines = ({ lines }: Pick<StatsOrder, 'lines'>): readonly Line[] => JSON.parse(lines) as readonly Line[];

/** Adds an order to the figures of its hour and day, or subtracts it. */
const count = ({ stats_hours, stats_days, stats_products, stats_ever }: Tables, order: StatsOrder | undefined, times: 1 | -1): void => {
  if (order === undefined || order.placed_at === null) return;
  const figures = { orders: times, sales: order.sold ? times * order.total : 0 };
  stats_hours.add({ hour: order.placed_at.slice(0, 13), ...figures });
  const day = dateInIndia(order.placed_at);
  stats_days.add({ day, sold: order.sold ? times : 0, came_back: 0, ...figures });
  stats_ever.add({ which: 'ever', ...figures });
  if (!order.sold) return;
  for (const { product, bottles, sales } of readLines(order))
    stats_products.add({ day_product: `${day} ${product}`, day, product_id: product, bottles: times * bottles, sales: times * sales });
};

const toLines = ({ lines }: Pick<Checkout, 'lines'>): string =>
  JSON.stringify(lines.map((line): Line => ({ product: line.productId, bottles: line.quantity, sales: lineAmount(line) })));

/** Replaces an order: the old one is subtracted, and the new one is added. */
const become = (tables: Tables, after: StatsOrder): void => {
  count(tables, tables.stats_orders.get(after.order_id), -1);
  tables.stats_orders.set(after);
  count(tables, after, 1);
};

const getOrder = ({ stats_orders }: Tables, { stream }: Recorded<OrderEvent>): StatsOrder => {
  const order = stats_orders.get(streamId(stream));
  if (!order) throw new Error(`${stream} was never created`);
  return order;
};

const withoutReturned = (order: StatsOrder, returned: readonly ReturnLine[]): string => {
  const left = new Map(returned.map(({ productId, quantity }) => [productId, quantity]));
  const lines = readLines(order).map(({ product, bottles, sales }): Line => {
    const back = Math.min(bottles, left.get(product) ?? 0);
    left.set(product, (left.get(product) ?? 0) - back);
    return { product, bottles: bottles - back, sales: paise(bottles === 0 ? 0 : (sales / bottles) * (bottles - back)) };
  });
  return JSON.stringify(lines);
};

const comeBack = ({ stats_days }: Tables, at: Instant, value: Paise): void =>
  stats_days.add({ day: dateInIndia(at), orders: 0, sold: 0, sales: 0, came_back: value });

/** The order is returned as far as its return was. */
const receive = (tables: Tables, event: Recorded<OrderEvent>, receivedAt: Instant): void => {
  const order = getOrder(tables, event);
  if (order.asked === null) throw new Error(`${event.stream} has no return to receive`);
  const { lines, value } = JSON.parse(order.asked) as Asked; // written by this projector
  comeBack(tables, receivedAt, value);
  become(tables, { ...order, returned: sum([order.returned, value]), lines: withoutReturned(order, lines), asked: null });
};

/** What no return accounts for came back at once: earlier releases returned whole orders. */
const returnWhole = (tables: Tables, event: Recorded<OrderEvent>, returnedAt: Instant): void => {
  const order = getOrder(tables, event);
  comeBack(tables, returnedAt, paise(order.total - order.returned));
  become(tables, { ...order, sold: false, returned: order.total });
};

const change = (tables: Tables, event: Recorded<OrderEvent>, changes: Partial<StatsOrder>): void =>
  become(tables, { ...getOrder(tables, event), ...changes });

const noSale = (tables: Tables, event: Recorded<OrderEvent>): void => change(tables, event, { sold: false });
const asBefore = (): void => {};
const CHANGES_NOTHING: ReadonlySet<string> = new Set([
  'ReturnDecided',
  'OrderConfirmed',
  'OrderShipped',
  'OrderDelivered',
  'OrderEmailCorrected',
  'OrderPacked',
  'OrderUnpacked',
  'ShipmentCorrected',
  'OrderClaimed',
  'PlacingAbandoned',
  'MoveAbandoned',
]);

/** Sums by the hour and the times of single orders give exact figures for any time, which no event knows. */
export const stats = defineProjector<OrderEvent>()({
  name: 'stats',
  version: 5,
  categories: ['order'],
  tables,
  keys: ({ type, stream }) => (CHANGES_NOTHING.has(type) ? {} : { stats_orders: [streamId(stream)] }),
  on: {
    OrderCreated: (tables, { stream, data }) =>
      become(tables, {
        order_id: orderId(streamId(stream)),
        total: computeTotals(data).total,
        placed_at: null,
        sold: false,
        returned: ZERO,
        lines: toLines(data),
        asked: null,
      }),
    OrderRevised: (tables, event) => change(tables, event, { total: computeTotals(event.data).total, lines: toLines(event.data) }),
    OrderPlaced: (tables, event) => change(tables, event, { placed_at: event.data.placedAt, sold: true }),
    OrderCancelled: noSale,
    OrderReturned: (tables, event) => returnWhole(tables, event, event.data.returnedAt),
    ReturnRequested: (tables, event) => {
      const { lines, value } = event.data;
      change(tables, event, { asked: JSON.stringify({ lines, value } satisfies Asked) });
    },
    ReturnDecided: asBefore,
    ReturnReceived: (tables, event) => receive(tables, event, event.data.receivedAt),
    OrderConfirmed: asBefore,
    OrderShipped: asBefore,
    OrderDelivered: asBefore,
    OrderEmailCorrected: asBefore,
    OrderPacked: asBefore,
    OrderUnpacked: asBefore,
    ShipmentCorrected: asBefore,
    OrderClaimed: asBefore,
    PlacingAbandoned: asBefore,
    MoveAbandoned: asBefore,
  },
});
