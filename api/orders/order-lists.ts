import { LRUCache } from 'lru-cache';

import type { LogPosition } from '#domain/event-store.ts';
import type { ShopperId } from '#domain/shared/ids.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { myOrdersIn } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { ordersDeskIn, type DeskQuery } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

/** The most requested lists of orders, as JSON. A result includes everything up to `needed` that its read model has applied. */
export type OrderLists = {
  /** `{orders}`: the shopper's placed orders, newest first. */
  mine(shopper: ShopperId, needed: LogPosition): Promise<string>;
  /** `{orders, nextCursor}`: a page of the staff's list. */
  desk(question: DeskQuery, needed: LogPosition): Promise<string>;
  close(): void;
};

const mineIn =
  (read: Pick<ReadDatabase, 'pool'>) =>
  async (shopper: ShopperId): Promise<string> =>
    `{"orders":[${(await myOrdersIn(read).of(shopper)).join(',')}]}`;

const deskIn =
  (read: Pick<ReadDatabase, 'pool'>) =>
  async (question: DeskQuery): Promise<string> => {
    const { orders, nextCursor } = await ordersDeskIn(read).page(question);
    return `{"orders":[${orders.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
  };

/** Size limit of all results of one kind, and the overhead of each beside its text, in characters. */
const MEMORY = 4 * 2 ** 20;
const ENTRY = 512;

type Remembered<Question> = { ask(question: Question): Promise<string>; close(): void };

/**
 * Caches results of a read model until it advances, or until they are evicted. A call after an advance never gets a result queried before
 * it, so results are as fresh as the database. `keyOf` returns the same key for equivalent queries.
 */
export const cachedQuery = <Question>(
  ask: (question: Question) => Promise<string>,
  model: string,
  progress: Pick<Progress, 'onAdvance'>,
  keyOf: (question: Question) => string,
): Remembered<Question> => {
  const known = new LRUCache<string, Promise<string>>({ maxSize: MEMORY });
  const close = progress.onAdvance(model, () => known.clear());
  /** The size is known once the result is. */
  const askAnew = (key: string, question: Question): Promise<string> => {
    const asked = ask(question);
    known.set(key, asked, { size: ENTRY });
    const isKept = (): boolean => known.peek(key) === asked;
    asked.then(
      (answer) => isKept() && known.set(key, Promise.resolve(answer), { size: ENTRY + answer.length }),
      () => isKept() && known.delete(key),
    );
    return asked;
  };
  return { ask: (question) => known.get(keyOf(question)) ?? askAnew(keyOf(question), question), close };
};

/** Cached until an order changes, at the position of the primary. */
export const cachedOrderLists = (read: ReadDatabase, progress: Pick<Progress, 'onAdvance'>): OrderLists => {
  const mine = cachedQuery(mineIn(read), myOrders.name, progress, (shopper) => shopper);
  const keyOf = ({ limit, status, text, after }: DeskQuery): string => JSON.stringify([limit, status, text, after]);
  const desk = cachedQuery(deskIn(read), ordersDesk.name, progress, keyOf);
  return {
    mine: (shopper) => mine.ask(shopper),
    desk: (question) => desk.ask(question),
    close: () => {
      mine.close();
      desk.close();
    },
  };
};

/** From a database that has reached the position needed. Not cached: a replica's result is only as new as its caller required. */
export const orderListsFrom = (readers: ReadRouter): OrderLists => ({
  mine: (shopper, needed) => readers.ask(myOrders, needed, (database) => mineIn(database)(shopper)),
  desk: (question, needed) => readers.ask(ordersDesk, needed, (database) => deskIn(database)(question)),
  close: () => {},
});
