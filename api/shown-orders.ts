import type { LogPosition } from '#domain/event-store.ts';
import type { ShopperId } from '#domain/shared/ids.ts';
import type { ReadDatabase } from '#projections/database.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import { myOrdersIn, rememberedOrders } from '#projections/my-orders/queries.ts';
import { ordersDesk } from '#projections/orders-desk/projector.ts';
import { ordersDeskIn, rememberedDesk, type DeskPage, type DeskQuestion } from '#projections/orders-desk/queries.ts';
import type { Progress } from '#projections/progress.ts';
import type { Readers } from '#projections/replica.ts';

/** The lists of orders that are looked at all day. An answer shows everything up to `needed` that its read model has applied. */
export type ShownOrders = {
  /** The shopper's placed orders as JSON text of `OrderView`s, the newest first. */
  mine(shopper: ShopperId, needed: LogPosition): Promise<readonly string[]>;
  /** A page of the staff's. */
  desk(question: DeskQuestion, needed: LogPosition): Promise<DeskPage>;
  close(): void;
};

/** From memory until an order changes: the memory stands where the primary stands, so nobody misses anything. */
export const ordersFromMemory = (read: ReadDatabase, progress: Pick<Progress, 'onAdvance'>): ShownOrders => {
  const mine = rememberedOrders(myOrdersIn(read), progress);
  const desk = rememberedDesk(ordersDeskIn(read), progress);
  return {
    mine: (shopper) => mine.of(shopper),
    desk: (question) => desk.page(question),
    close: () => {
      mine.close();
      desk.close();
    },
  };
};

/** From whichever database has what the asker needs. Not kept: what a replica answers is only as new as its asker asked for. */
export const ordersFrom = (readers: Readers): ShownOrders => ({
  mine: (shopper, needed) => readers.ask(myOrders, needed, (database) => myOrdersIn(database).of(shopper)),
  desk: (question, needed) => readers.ask(ordersDesk, needed, (database) => ordersDeskIn(database).page(question)),
  close: () => {},
});
