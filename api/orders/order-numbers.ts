import { randomInt } from 'node:crypto';
import type pg from 'pg';

import { drawOrderNumber, orderNumber, type OrderNumber } from '#domain/order/order-number.ts';

export type OrderNumbers = {
  /** A number that no order has and nobody else was given. */
  take(): Promise<OrderNumber>;
  /** For the next order: one that certainly stands in no event. */
  giveBack(number: OrderNumber): void;
};

/** So many are reserved at a time: placing an order then asks the database for its number once in so many orders. */
const AT_A_TIME = 50;

/** What was drawn before, here or elsewhere, does not come back. */
const RESERVE = {
  name: 'reserve-order-numbers',
  text: 'insert into shop.order_numbers (number) select unnest($1::text[]) on conflict do nothing returning number',
};

/** Makes these numbers this process's own, and answers with those of them that were nobody's before. */
export type Reserve = (drawn: readonly OrderNumber[]) => Promise<readonly OrderNumber[]>;

const draw = (): OrderNumber => drawOrderNumber(randomInt);

/** Order numbers, reserved before they are given out. Those that a process has left when it ends are never used. */
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

/** Order numbers that are reserved in Postgres. */
export const orderNumbersIn = ({ pool, draw }: Parts): OrderNumbers => orderNumbersOf(reserveIn(pool), draw);
