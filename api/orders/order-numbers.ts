import { randomInt } from 'node:crypto';
import type pg from 'pg';

import { drawOrderNumber, orderNumber, type OrderNumber } from '#domain/shared/ids.ts';

export type OrderNumbers = {
  /** A number that no order has and no other call got. */
  take(): Promise<OrderNumber>;
  /** Returns an unused number for the next order; no event may contain it. */
  giveBack(number: OrderNumber): void;
};

/** Numbers reserved at a time: only one order in 50 waits for this query. */
const AT_A_TIME = 50;

/** Numbers drawn before, by any process, are not returned. */
const RESERVE = {
  name: 'reserve-order-numbers',
  text: 'insert into shop.order_numbers (number) select unnest($1::text[]) on conflict do nothing returning number',
};

/** Reserves these numbers for this process, and returns those that were free. */
export type Reserve = (drawn: readonly OrderNumber[]) => Promise<readonly OrderNumber[]>;

const draw = (): OrderNumber => drawOrderNumber(randomInt);

/** Order numbers, reserved in batches. Those left when a process ends are never used. */
export const orderNumbersOf = (reserveAll: Reserve, drawOne: () => OrderNumber = draw): OrderNumbers => {
  const reserved: OrderNumber[] = [];
  let reserving: Promise<void> | undefined;

  const reserve = async (): Promise<void> => {
    reserved.push(...(await reserveAll(Array.from({ length: AT_A_TIME }, drawOne))));
  };

  return {
    take: async () => {
      for (;;) {
        const number = reserved.pop();
        if (number !== undefined) return number;
        reserving ??= reserve().finally(() => {
          reserving = undefined;
        });
        await reserving;
      }
    },
    giveBack: (number) => {
      reserved.push(number);
    },
  };
};

export const reserveIn =
  (pool: Pick<pg.Pool, 'query'>): Reserve =>
  async (drawn) => {
    const { rows } = await pool.query<{ number: string }>({ ...RESERVE, values: [drawn] });
    return rows.map(({ number }) => orderNumber(number));
  };

type Parts = { readonly pool: Pick<pg.Pool, 'query'>; readonly draw?: () => OrderNumber };

/** Order numbers reserved in Postgres. */
export const orderNumbersIn = ({ pool, draw }: Parts): OrderNumbers => orderNumbersOf(reserveIn(pool), draw);
