import type { LogPosition } from '#domain/event-store.ts';
import type { ShopperId } from '#domain/shared/ids.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import { myOrdersIn } from '#projections/my-orders/queries.ts';
import { ordersDesk } from '#projections/orders-desk/projector.ts';
import { ordersDeskIn, type DeskQuestion } from '#projections/orders-desk/queries.ts';
import type { Progress } from '#projections/progress.ts';
import { remembered } from '#projections/remembered.ts';
import type { Readers } from '#projections/replica.ts';
import { toWire, type Wire } from '#projections/wire.ts';

/** The lists of orders that are looked at all day, as JSON. An answer shows everything up to `needed` that its read model has applied. */
export type ShownOrders = {
  /** `{orders}`: the shopper's placed ones, the newest first. */
  mine(shopper: ShopperId, needed: LogPosition): Promise<Wire>;
  /** `{orders, nextCursor}`: a page of the staff's. */
  desk(question: DeskQuestion, needed: LogPosition): Promise<Wire>;
  close(): void;
};

const mineIn =
  (read: Pick<ReadDatabase, 'pool'>) =>
  async (shopper: ShopperId): Promise<Wire> =>
    toWire(`{"orders":[${(await myOrdersIn(read).of(shopper)).join(',')}]}`);

const deskIn =
  (read: Pick<ReadDatabase, 'pool'>) =>
  async (question: DeskQuestion): Promise<Wire> => {
    const { orders, nextCursor } = await ordersDeskIn(read).page(question);
    return toWire(`{"orders":[${orders.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`);
  };

const weightOf = ({ length }: Wire): number => length;

/** From memory until an order changes: the memory stands where the primary stands, so nobody misses anything. */
export const ordersFromMemory = (read: ReadDatabase, progress: Pick<Progress, 'onAdvance'>): ShownOrders => {
  const mine = remembered(mineIn(read), { model: myOrders.name, progress, keyOf: (shopper) => shopper, weightOf });
  const keyOf = ({ limit, status, text, after }: DeskQuestion): string => JSON.stringify([limit, status, text, after]);
  const desk = remembered(deskIn(read), { model: ordersDesk.name, progress, keyOf, weightOf });
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
export const ordersFrom = (readers: Readers): ShownOrders => ({
  mine: (shopper, needed) => readers.ask(myOrders, needed, (database) => mineIn(database)(shopper)),
  desk: (question, needed) => readers.ask(ordersDesk, needed, (database) => deskIn(database)(question)),
  close: () => {},
});
