import { instant, type Instant } from '#domain/shared/instant.ts';
import type { Paise } from '#domain/shared/money.ts';
import { projectorOf, rowsTable, streamId, sumsTable } from '#projections/projector.ts';

import { eventCodec, type EventCodec } from '../event-store/codec.ts';
import type { SchemasOf } from '../event-store/schemas.ts';
import { memorySubjectKeys } from '../event-store/subject-keys.ts';

type Line = { productId: string; name: string; unitPrice: number; quantity: number };

/** Five events in the life of an order, as large as those of a shop are: about 540 bytes each with their metadata. */
export type BenchEvent =
  | { type: 'BenchOrderCreated'; data: { shopper: string; lines: Line[]; total: Paise; createdAt: Instant } }
  | { type: 'BenchOrderPlaced'; data: { number: string; method: string; placedAt: Instant } }
  | { type: 'BenchOrderConfirmed'; data: { confirmedAt: Instant; note: string } }
  | { type: 'BenchOrderShipped'; data: { carrier: string; parcel: string; shippedAt: Instant } }
  | { type: 'BenchOrderDelivered'; data: { receivedBy: string; deliveredAt: Instant } };

const schemas = {
  BenchOrderCreated: { version: 1 },
  BenchOrderPlaced: { version: 1 },
  BenchOrderConfirmed: { version: 1 },
  BenchOrderShipped: { version: 1 },
  BenchOrderDelivered: { version: 1 },
} satisfies SchemasOf<BenchEvent>;

export const benchCodec = (): EventCodec =>
  eventCodec({ schemas, keys: memorySubjectKeys(), now: () => instant(new Date().toISOString()) });

const FIRST_DAY = Date.parse('2026-08-01T00:00:00.000Z');
/** A moment of the order: one order a minute, a step of it every two days. */
const momentOf = (order: number, step: number): Instant => instant(new Date(FIRST_DAY + order * 60_000 + step * 172_800_000).toISOString());

const linesOf = (order: number): Line[] => [
  { productId: `oud-royal-${order % 30}`, name: 'Oud Royal Extrait de Parfum', unitPrice: 2_450_00, quantity: 1 + (order % 3) },
  { productId: `rose-de-mai-${order % 17}`, name: 'Rose de Mai Eau de Parfum', unitPrice: 1_890_00, quantity: 1 },
];

/** The events of an order, in their order. */
export const STEPS: readonly ((order: number) => BenchEvent)[] = [
  (order) => {
    const lines = linesOf(order);
    const total = lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0) as Paise;
    return { type: 'BenchOrderCreated', data: { shopper: `shopper-${order % 9_000}`, lines, total, createdAt: momentOf(order, 0) } };
  },
  (order) => ({ type: 'BenchOrderPlaced', data: { number: `RH-${order}`, method: 'COD', placedAt: momentOf(order, 1) } }),
  (order) => ({
    type: 'BenchOrderConfirmed',
    data: { confirmedAt: momentOf(order, 2), note: 'Wrapped in silk paper, with a card of the house and two samples of the new season.' },
  }),
  (order) => ({ type: 'BenchOrderShipped', data: { carrier: 'Blue Dart', parcel: `BD-${order}-IN`, shippedAt: momentOf(order, 3) } }),
  (order) => ({ type: 'BenchOrderDelivered', data: { receivedBy: 'the shopper, at the door', deliveredAt: momentOf(order, 4) } }),
];

type OrderRow = {
  readonly order_id: string;
  readonly shopper_id: string;
  readonly status: string;
  readonly number: string | null;
  readonly total: Paise;
  readonly lines: string;
  readonly placed_at: Instant | null;
  readonly changed_at: Instant;
};
type SalesRow = { readonly day: string; readonly orders: number; readonly sales: Paise };

const tables = {
  bench_orders: rowsTable<OrderRow>({
    key: 'order_id',
    columns: {
      order_id: 'text',
      shopper_id: 'text',
      status: 'text',
      number: 'text',
      total: 'paise',
      lines: 'json',
      placed_at: 'instant',
      changed_at: 'instant',
    },
    indexes: ['(shopper_id, placed_at desc)'],
  }),
  bench_sales: sumsTable<SalesRow, 'day'>({ key: 'day', columns: { day: 'day', orders: 'integer', sales: 'paise' } }),
};

/** A read model of orders as an orders desk needs it: a row an order, and figures a day. */
export const benchOrders = projectorOf<BenchEvent>()({
  name: 'bench-orders',
  version: 1,
  categories: ['order'],
  tables,
  on: {
    BenchOrderCreated: ({ bench_orders }, { stream, data: { shopper, lines, total, createdAt } }) =>
      bench_orders.set({
        order_id: streamId(stream),
        shopper_id: shopper,
        status: 'created',
        number: null,
        total,
        lines: JSON.stringify(lines),
        placed_at: null,
        changed_at: createdAt,
      }),
    BenchOrderPlaced: ({ bench_orders, bench_sales }, { stream, data: { number, placedAt } }) => {
      const order = orderOf(bench_orders.get(streamId(stream)));
      bench_orders.set({ ...order, status: 'pending', number, placed_at: placedAt, changed_at: placedAt });
      bench_sales.add({ day: placedAt.slice(0, 10), orders: 1, sales: order.total });
    },
    BenchOrderConfirmed: ({ bench_orders }, { stream, data }) =>
      bench_orders.set({ ...orderOf(bench_orders.get(streamId(stream))), status: 'confirmed', changed_at: data.confirmedAt }),
    BenchOrderShipped: ({ bench_orders }, { stream, data }) =>
      bench_orders.set({ ...orderOf(bench_orders.get(streamId(stream))), status: 'shipped', changed_at: data.shippedAt }),
    BenchOrderDelivered: ({ bench_orders }, { stream, data }) =>
      bench_orders.set({ ...orderOf(bench_orders.get(streamId(stream))), status: 'delivered', changed_at: data.deliveredAt }),
  },
});

const orderOf = (row: OrderRow | undefined): OrderRow => {
  if (!row) throw new Error('An order begins with its creation');
  return row;
};
