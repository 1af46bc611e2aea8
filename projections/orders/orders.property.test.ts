import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { viewOrder } from '#domain/order/view.ts';
import { dateInIndia } from '#domain/shared/time.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { meera, visitor } from '#domain/testing/carts.ts';

import { myOrders } from './my-orders.ts';
import { myOrdersQueries } from './my-orders-queries.ts';
import { customerQueries, type CustomerRow } from './customer-queries.ts';
import { ordersDesk, searchText } from './orders-desk.ts';
import { ordersDeskQueries } from './orders-desk-queries.ts';
import { followProgress } from '../reading/progress.ts';
import type { Projector } from '../engine/define-projector.ts';
import { statsQueries } from '../stats/queries.ts';
import { stats } from '../stats/projector.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { histories, LAST_MINUTE, minute, type History } from '../testing/order-histories.ts';
import { startWorker } from '../testing/run-worker.ts';
import { verify } from '../storage/verify.ts';

const signal = new AbortController().signal;
const models: readonly Projector[] = [myOrders, ordersDesk, stats];
const RUNS = { numRuns: process.env['LONG_RUN'] === 'true' ? 20 : 3 };
const MINUTES = 120_000;

type Delivery = { readonly pageSize: number; readonly deliveries: number };
const delivery: fc.Arbitrary<Delivery> = fc.record({ pageSize: fc.integer({ min: 1, max: 60 }), deliveries: fc.constantFrom(1, 2) });

/** Returns the read models of orders after workers have applied this history with this delivery. */
const following = async (
  { happenings }: History,
  how: Delivery,
  look: (database: TestDatabase, log: MemoryLog) => Promise<void>,
): Promise<void> => {
  const log = Object.assign(new MemoryLog(), how);
  for (const [stream, ...events] of happenings) log.append(stream, ...events);
  const database = await openTestDatabase();
  const progress = await followProgress(database, models);
  const workers = models.map((model) => startWorker(model, log, database));
  try {
    for (const { name } of models) expect(await progress.waitFor(name, log.last, MINUTES)).toBe('fresh');
    await look(database, log);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await progress.close();
    await database.close();
  }
};

const placedIn = ({ orders }: History): [OrderId, ExistingOrder, string][] =>
  [...orders]
    .flatMap(([id, order]): [OrderId, ExistingOrder, string][] => (order.placement ? [[id, order, order.placement.placedAt]] : []))
    .toSorted(([one, , at], [other, , otherAt]) => (`${at} ${one}` < `${otherAt} ${other}` ? 1 : -1));

const minutesAt = (at: string): number => (Date.parse(at) - Date.parse(minute(0))) / 60_000;

const salesOf = (orders: readonly ExistingOrder[]): number =>
  orders
    .filter(({ status }) => status !== 'created' && status !== 'cancelled' && status !== 'returned')
    .reduce((sum, order) => sum + computeTotals(order).total, 0);

describe('after any history of orders and any delivery of its events', { retry: 0 }, () => {
  test('each read model has the rows of a rebuild, and shows the state from the domain', { timeout: 2 * MINUTES }, () =>
    fc.assert(
      fc.asyncProperty(histories, delivery, (history, how) =>
        following(history, how, async (database, log) => {
          for (const model of models) expect(await verify(model, log, database, { signal })).toMatchObject({ count: 0, differences: [] });

          const placed = placedIn(history);
          const mine = myOrdersQueries(database);
          for (const shopper of [meera, visitor]) {
            const views = placed.filter(([, order]) => order.shopper === shopper).map(([id, order]) => viewOrder(id, order));
            expect((await mine.page({ shopper, limit: 200 })).orders).toEqual(views);
            const ids = [...history.orders].filter(([, order]) => order.shopper === shopper).map(([id]) => id);
            expect(await mine.idsOf(shopper, 100)).toEqual(ids.toSorted());
          }
          const { orders } = await ordersDeskQueries(database).page({ limit: 100 });
          expect(orders).toMatchObject(placed.map(([id, order]) => viewOrder(id, order)));
        }),
      ),
      RUNS,
    ),
  );

  test(
    'customers are those of the orders, in pages of any size and by any text, however many orders match it',
    { timeout: 2 * MINUTES },
    () =>
      fc.assert(
        fc.asyncProperty(histories, delivery, (history, how) =>
          following(history, how, async (database) => {
            const placed = placedIn(history);
            const ordersOf = (customer: string) => placed.filter(([, { shopper }]) => shopper === customer);
            const customers = [...new Set(placed.map(([, { shopper }]) => shopper))];
            const show = (customer: string) => {
              const orders = ordersOf(customer);
              const [[id, { shippingAddress }, placedAt] = expect.fail('no order')] = orders;
              return {
                customer,
                guest: false,
                name: shippingAddress.name,
                orders: orders.length,
                spent: salesOf(orders.map(([, order]) => order)),
                returned: orders.filter(([, { status }]) => status === 'returned').length,
                newest: { id, placedAt },
                first: orders.at(-1)?.[0],
              };
            };
            const has = (customer: string, text: string): boolean =>
              ordersOf(customer).some(
                ([
                  ,
                  {
                    placement,
                    shippingAddress: { name, email },
                  },
                ]) => [placement?.number ?? '', name, email].some((each) => searchText(each).includes(searchText(text))),
              );
            for (const [few, limit] of [[0, 1] as const, [2_000, 1] as const, [2, 50] as const]) {
              const queries = customerQueries(database, few);
              for (const text of ['', 'Meera N', 'ZOE', 'rh-', 'erased', 'nobody', '_'])
                for (const account of [undefined, visitor]) {
                  const found: CustomerRow[] = [];
                  for (let after: CustomerRow['newest'] | undefined; ;) {
                    const { rows, isLast } = await queries.page({ text, account, limit, after });
                    found.push(...rows);
                    if (isLast) break;
                    after = rows.at(-1)?.newest;
                  }
                  expect(found).toMatchObject(customers.filter((each) => has(each, text) || each === account).map(show));
                }
            }
            for (const customer of customers) {
              const { first, orders } = show(customer);
              expect(await customerQueries(database).sum(customer)).toMatchObject({ first, orders });
            }
          }),
        ),
        RUNS,
      ),
  );

  test('the sales figures at any time are the sums of the orders', { timeout: 2 * MINUTES }, () =>
    fc.assert(
      fc.asyncProperty(
        histories,
        delivery,
        fc.array(fc.integer({ min: 0, max: LAST_MINUTE + 60 * 24 * 60 }), { minLength: 20, maxLength: 20 }),
        (history, how, minutes) =>
          following(history, how, async (database) => {
            const figures = statsQueries(database);
            const placed = placedIn(history);
            const since = (now: number, days: number) =>
              placed.filter(([, , at]) => at >= minute(now - days * 24 * 60)).map(([, order]) => order);
            // At exactly the end of a period an order still counts, and a moment later it does not.
            const edges = placed.flatMap(([, , at]) => [7, 30].map((days) => minutesAt(at) + days * 24 * 60));
            for (const now of [...minutes, ...edges, ...edges.map((edge) => edge + 1)].slice(0, 150)) {
              expect((await figures.at(minute(now))).figures).toEqual({
                totalOrders: placed.length,
                lastWeekOrders: since(now, 7).length,
                totalSales: salesOf(placed.map(([, order]) => order)),
                lastMonthSales: salesOf(since(now, 30)),
              });
            }
            const today = minute(LAST_MINUTE + 7 * 24 * 60);
            const daily = await figures.daily(365, today);
            expect(daily.at(-1)?.day).toBe(dateInIndia(today));
            for (const { day, orders, sales } of daily) {
              const ofDay = placed.filter(([, , at]) => dateInIndia(minute(minutesAt(at))) === day).map(([, order]) => order);
              expect({ day, orders, sales }).toEqual({ day, orders: ofDay.length, sales: salesOf(ofDay) });
            }
          }),
      ),
      RUNS,
    ),
  );
});
