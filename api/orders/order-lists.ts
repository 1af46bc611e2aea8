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

/** The lists of orders that are looked at all day, as JSON. An answer shows everything up to `needed` that its read model has applied. */
export type OrderLists = {
  /** `{orders}`: the shopper's placed ones, the newest first. */
  mine(shopper: ShopperId, needed: LogPosition): Promise<string>;
  /** `{orders, nextCursor}`: a page of the staff's. */
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

/** The size limit of all answers of one kind together, and the overhead of each beside its text, in characters. */
const MEMORY = 4 * 2 ** 20;
const ENTRY = 512;

type Remembered<Question> = { ask(question: Question): Promise<string>; close(): void };

/**
 * Answers of a read model, each worked out once and kept until the model moves or others push it out. Whoever asks after a move is never
 * given what was asked for before it, so an answer is exactly as fresh as the database's own. `keyOf`: the same for questions that have the
 * same answer.
 */
export const cachedQuery = <Question>(
  ask: (question: Question) => Promise<string>,
  model: string,
  progress: Pick<Progress, 'onAdvance'>,
  keyOf: (question: Question) => string,
): Remembered<Question> => {
  const known = new LRUCache<string, Promise<string>>({ maxSize: MEMORY });
  const close = progress.onAdvance(model, () => known.clear());
  /** The size of an answer is known once it is there. */
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

/** From memory until an order changes, at the position of the primary. */
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

/** From whichever database has what the asker needs. Not kept: what a replica answers is only as new as its asker asked for. */
export const orderListsFrom = (readers: ReadRouter): OrderLists => ({
  mine: (shopper, needed) => readers.ask(myOrders, needed, (database) => mineIn(database)(shopper)),
  desk: (question, needed) => readers.ask(ordersDesk, needed, (database) => deskIn(database)(question)),
  close: () => {},
});
