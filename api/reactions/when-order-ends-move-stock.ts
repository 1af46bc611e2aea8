import { readUnlessCut, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderIdFromStream } from '#domain/order/order.ts';
import { stock, type StockCommand, stockStream } from '#domain/stock/stock.ts';

import type { Shop } from '../shop.ts';
import { causedBy } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

/** Ships an order's reserved bottles with it, and releases those of a cancelled order. An order without reservations moves no stock. */
export const whenOrderEndsMoveStock = ({ store, execute, now }: Pick<Shop, 'store' | 'execute' | 'now'>): Reaction => {
  const name = 'move-stock';
  const move = async (event: Recorded<OrderEvent>, command: StockCommand): Promise<readonly never[]> => {
    const { events } = await readUnlessCut<OrderEvent>(store, event.stream);
    // The state is that after the event: a draft that was cancelled may have been checked out again with other lines.
    const state = events.filter(({ revision }) => revision <= event.revision).reduce(order.evolve, order.initial);
    if (state.status === 'none') return [];
    for (const { productId } of state.lines) await execute(stock, stockStream(productId), command, causedBy(event, name));
    return [];
  };
  return reactionTo<OrderEvent>({
    name,
    categories: ['order'],
    on: {
      OrderShipped: (event) => move(event, { type: 'ShipStock', order: orderIdFromStream(event.stream), now: now() }),
      OrderCancelled: (event) =>
        move(event, { type: 'ReleaseStock', order: orderIdFromStream(event.stream), before: event.revision, now: now() }),
    },
  });
};
