import { LRUCache } from 'lru-cache';

import type { LogPosition } from '#domain/event-store.ts';
import type { CalendarDate } from '#domain/shared/time.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { myOrdersQueries, type MyOrdersQuery } from '#projections/orders/my-orders-queries.ts';
import { parseCursor } from '#projections/orders/order-rows.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { ordersDeskQueries, type DeskQuery, type NextCounts } from '#projections/orders/orders-desk-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { ReadRouter } from '#projections/reading/replica.ts';

import { cursorInput } from '../http/cursor-page.ts';

export const orderCursorInput = cursorInput(parseCursor);

/** A page is JSON encoded once as UTF-8, with the cursor of the next page. A string would be encoded again for each response. */
type OrderList = { readonly json: Buffer; readonly next: string | null };

/** Returns the most requested lists of orders as JSON. A result includes everything up to `needed` that its read model has applied. */
export type OrderLists = {
  /** Returns `{orders}`: a page of the shopper's placed orders, newest first. */
  mine(question: MyOrdersQuery, needed: LogPosition): Promise<OrderList>;
  /** Returns `{orders, nextCursor}`: a page of the staff's list. */
  desk(question: DeskQuery, needed: LogPosition): Promise<OrderList>;
  /** Counts the staff's lists of what is next. */
  countNext(today: CalendarDate, needed: LogPosition): Promise<NextCounts>;
  close(): void;
};

const createMyOrdersList =
  (read: Pick<ReadDatabase, 'db'>) =>
  async (question: MyOrdersQuery): Promise<OrderList> => {
    const { orders, nextCursor } = await myOrdersQueries(read).page(question);
    return { json: Buffer.from(JSON.stringify({ orders })), next: nextCursor };
  };

const createDeskList =
  (read: Pick<ReadDatabase, 'db'>) =>
  async (question: DeskQuery): Promise<OrderList> => {
    const page = await ordersDeskQueries(read).page(question);
    return { json: Buffer.from(JSON.stringify(page)), next: page.nextCursor };
  };

/** `MEMORY` limits all results of one kind, in bytes; `ENTRY` is the overhead of each result besides its JSON. */
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
  /** The size of the entry is known only once the result has arrived. */
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
const keyOfDesk = ({ today, ...question }: DeskQuery): string => JSON.stringify([question, question.next && today]);
const measureList = ({ json }: OrderList): number => json.length;

/** Caches the lists of the primary database until an order changes. */
export const cachedOrderLists = (read: ReadDatabase, progress: Pick<Progress, 'onAdvance'>): OrderLists => {
  const mine = cachedQuery(createMyOrdersList(read), myOrders.name, progress, keyOfMine, measureList);
  const desk = cachedQuery(createDeskList(read), ordersDesk.name, progress, keyOfDesk, measureList);
  const next = cachedQuery(
    ordersDeskQueries(read).count,
    ordersDesk.name,
    progress,
    (today) => today,
    () => 0,
  );
  return {
    mine: (question) => mine.ask(question),
    desk: (question) => desk.ask(question),
    countNext: (today) => next.ask(today),
    close: () => {
      mine.close();
      desk.close();
      next.close();
    },
  };
};

/**
 * Queries a database that has reached the position needed. Results are not cached: a replica's result is only as new as its caller
 * required.
 */
export const orderListsFrom = (readers: ReadRouter): OrderLists => ({
  mine: (question, needed) => readers.ask(myOrders, needed, (database) => createMyOrdersList(database)(question)),
  desk: (question, needed) => readers.ask(ordersDesk, needed, (database) => createDeskList(database)(question)),
  countNext: (today, needed) => readers.ask(ordersDesk, needed, (database) => ordersDeskQueries(database).count(today)),
  close: () => {},
});
