import { LRUCache } from 'lru-cache';

import type { LogPosition } from '#domain/event-store.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { myOrders, myOrdersIn, type MyOrdersQuery } from '#projections/orders/my-orders.ts';
import { cursorFromText } from '#projections/orders/order-rows.ts';
import { ordersDesk, ordersDeskIn, type DeskQuery } from '#projections/orders/orders-desk.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { cursorInput } from '../http/cursor-page.ts';

/** The `cursor` of a list of orders. */
export const orderCursorInput = cursorInput(cursorFromText);

/** A page as JSON in UTF-8, and the cursor of the next one. As a text it would be encoded again for each response. */
type OrderList = { readonly json: Buffer; readonly next: string | null };

/** The most requested lists of orders, as JSON. A result includes everything up to `needed` that its read model has applied. */
export type OrderLists = {
  /** `{orders}`: a page of the shopper's placed orders, newest first. */
  mine(question: MyOrdersQuery, needed: LogPosition): Promise<OrderList>;
  /** `{orders, nextCursor}`: a page of the staff's list. */
  desk(question: DeskQuery, needed: LogPosition): Promise<OrderList>;
  close(): void;
};

const mineIn =
  (read: Pick<ReadDatabase, 'pool'>) =>
  async (question: MyOrdersQuery): Promise<OrderList> => {
    const { orders, nextCursor } = await myOrdersIn(read).page(question);
    return { json: Buffer.from(`{"orders":[${orders.join(',')}]}`), next: nextCursor };
  };

const deskIn =
  (read: Pick<ReadDatabase, 'pool'>) =>
  async (question: DeskQuery): Promise<OrderList> => {
    const { orders, nextCursor } = await ordersDeskIn(read).page(question);
    return { json: Buffer.from(`{"orders":[${orders.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`), next: nextCursor };
  };

/** Size limit of all results of one kind, and the overhead of each beside its JSON, in bytes. */
const MEMORY = 4 * 2 ** 20;
const ENTRY = 512;

type Remembered<Question, Answer> = { ask(question: Question): Promise<Answer>; close(): void };

/**
 * Caches results of a read model until it advances, or until they are evicted. A call after an advance never gets a result queried before
 * it, so results are as fresh as the database. `keyOf` returns the same key for equivalent queries, `sizeOf` bytes.
 */
export const cachedQuery = <Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  model: string,
  progress: Pick<Progress, 'onAdvance'>,
  keyOf: (question: Question) => string,
  sizeOf: (answer: Answer) => number,
): Remembered<Question, Answer> => {
  const known = new LRUCache<string, Promise<Answer>>({ maxSize: MEMORY });
  const close = progress.onAdvance(model, () => known.clear());
  /** The size is known once the result is. */
  const askAnew = (key: string, question: Question): Promise<Answer> => {
    const asked = ask(question);
    known.set(key, asked, { size: ENTRY });
    const isKept = (): boolean => known.peek(key) === asked;
    asked.then(
      (answer) => isKept() && known.set(key, Promise.resolve(answer), { size: ENTRY + sizeOf(answer) }),
      () => isKept() && known.delete(key),
    );
    return asked;
  };
  return { ask: (question) => known.get(keyOf(question)) ?? askAnew(keyOf(question), question), close };
};

const keyOfMine = ({ shopper, limit, after }: MyOrdersQuery): string => JSON.stringify([shopper, limit, after]);
const keyOfDesk = ({ limit, status, text, after }: DeskQuery): string => JSON.stringify([limit, status, text, after]);
const sizeOf = ({ json }: OrderList): number => json.length;

/** Cached until an order changes, at the position of the primary. */
export const cachedOrderLists = (read: ReadDatabase, progress: Pick<Progress, 'onAdvance'>): OrderLists => {
  const mine = cachedQuery(mineIn(read), myOrders.name, progress, keyOfMine, sizeOf);
  const desk = cachedQuery(deskIn(read), ordersDesk.name, progress, keyOfDesk, sizeOf);
  return {
    mine: (question) => mine.ask(question),
    desk: (question) => desk.ask(question),
    close: () => {
      mine.close();
      desk.close();
    },
  };
};

/** From a database that has reached the position needed. Not cached: a replica's result is only as new as its caller required. */
export const orderListsFrom = (readers: ReadRouter): OrderLists => ({
  mine: (question, needed) => readers.ask(myOrders, needed, (database) => mineIn(database)(question)),
  desk: (question, needed) => readers.ask(ordersDesk, needed, (database) => deskIn(database)(question)),
  close: () => {},
});
