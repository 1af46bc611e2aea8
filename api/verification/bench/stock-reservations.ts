import { randomBytes, randomUUID } from 'node:crypto';

import { NO_STREAM } from '#domain/event-store.ts';
import { orderId, productId } from '#domain/shared/ids.ts';
import { MOST_BOTTLES, stock } from '#domain/stock/stock.ts';

import { openShop } from '../../composition/open-shop.ts';
import { openLogger } from '../../platform/logger.ts';
import { orderStream } from '../../orders/order-stream.ts';
import { Resources } from '../../platform/resources.ts';
import { reserve } from '../../stock/reserve.ts';
import { stockStream } from '../../stock/stock-stream.ts';
import { insertInto, openBareTable, callsPerSecond } from './measuring/bare-inserts.ts';
import { compareWithLimit, type Comparison, type MeasuringTime } from './measuring/compare-with-limit.ts';
import { onNewDatabase } from './measuring/new-database.ts';
import { now, sampleCommand } from './samples/sample-event.ts';

/** Reservations of one perfume, each for another order, beside bare INSERT commits. `p99` in ms. */
export type ReservationsBench = Comparison & { readonly p99: number };

const CALLERS = 16;
const PERFUME = productId('assam-oud-noir');

type Place = { readonly connectionString: string; readonly dataDir: string };

/** Through the command handler as placing an order does it, without HTTP and without the order. */
export const measureReservations = ({ connectionString, dataDir }: Place, { rounds, seconds }: MeasuringTime) =>
  onNewDatabase(connectionString, async (databaseUrl): Promise<ReservationsBench> => {
    const opened = new Resources();
    try {
      const pool = await openBareTable(databaseUrl, CALLERS, opened);
      const where = { dataDir, databaseUrl, eventStoreUrl: undefined, keyEncryptionKey: randomBytes(32) };
      const shop = opened.with(await openShop(where, openLogger('silent')), (each) => each.close());
      await shop.execute(stock, stockStream(PERFUME), { type: 'CountStock', quantity: MOST_BOTTLES, now: now() }, sampleCommand());
      let took: number[] = [];
      const reserveOne = async (): Promise<void> => {
        const id = orderId(randomUUID());
        const began = performance.now();
        await reserve(
          shop,
          { id, stream: orderStream(id), head: NO_STREAM, lines: [{ productId: PERFUME, quantity: 1 }] },
          sampleCommand(),
        );
        took.push(performance.now() - began);
      };
      const times: number[] = [];
      const [comparison] = await compareWithLimit({ rounds }, [
        {
          limit: () => callsPerSecond(CALLERS, seconds * 1_000, insertInto(pool)),
          rate: async () => {
            took = [];
            const rate = await callsPerSecond(CALLERS, seconds * 1_000, reserveOne);
            times.push(took.toSorted((one, other) => one - other)[Math.floor(took.length * 0.99)] ?? Number.NaN);
            return rate;
          },
        },
      ]);
      if (!comparison) throw new Error('Nothing was measured');
      return { ...comparison, p99: Math.max(...times.slice(-rounds)) };
    } finally {
      await opened.close();
    }
  });

export const benchStock = async (place: Place): Promise<ReservationsBench> => {
  const measured = await measureReservations(place, { rounds: 5, seconds: 2 });
  const { rate, limit, ratio, p99 } = measured;
  const perSecond = (figure: number): string => `${Math.round(figure).toLocaleString('en-US')}/s`;
  console.log(`bare single-row INSERT from ${CALLERS} connections   ${perSecond(limit)}`);
  console.log(`reservations of one perfume, ${CALLERS} callers      ${perSecond(rate)}, ${ratio.toFixed(2)} × (to reach 0.30)`);
  console.log(`the slowest round\u2019s p99                        ${p99.toFixed(1)} ms (to reach 150)`);
  return measured;
};
