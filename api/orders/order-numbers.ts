import { randomInt } from 'node:crypto';

import { drawOrderNumber, orderNumber, type OrderNumber } from '#domain/shared/ids.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

export type OrderNumbers = {
  /** Reserves a number that no order has and no other call got. */
  take(): Promise<OrderNumber>;
  /** Returns an unused number for the next order; no event may contain it. */
  giveBack(number: OrderNumber): void;
};

/** Numbers are reserved in batches: only one order in 50 waits for the query. */
const AT_A_TIME = 50;

/** Reserves these numbers for this process, and returns those that were free. */
export type Reserve = (drawn: readonly OrderNumber[]) => Promise<readonly OrderNumber[]>;

const draw = (): OrderNumber => drawOrderNumber(randomInt);

/** Reserves order numbers in batches. Numbers left over when a process ends are never used. */
export const createOrderNumbers = (reserveAll: Reserve, drawOne: () => OrderNumber = draw): OrderNumbers => {
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

/** Reserves numbers in Postgres: numbers that any process drew before are not returned. */
export const createReserve =
  (db: ShopDatabase): Reserve =>
  async (drawn) => {
    const numbers = drawn.map((number) => ({ number }));
    const rows = await db
      .insertInto('order_numbers')
      .values(numbers)
      .onConflict((conflict) => conflict.doNothing())
      .returning('number')
      .execute();
    return rows.map(({ number }) => orderNumber(number));
  };

type Parts = { readonly db: ShopDatabase; readonly draw?: () => OrderNumber };

export const openOrderNumbers = ({ db, draw }: Parts): OrderNumbers => createOrderNumbers(createReserve(db), draw);
