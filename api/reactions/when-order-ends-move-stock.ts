import { readUnlessCut, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, orderIdFromStream } from '#domain/order/order.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { stock, type StockCommand, stockStream } from '#domain/stock/stock.ts';

import type { Shop } from '../shop.ts';
import { causedBy } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

/**
 * Ships an order's reserved bottles with it, releases those of a cancelled order, and puts those of a return back that can be sold again. An
 * order without reservations moves no stock.
 */
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
  /** Bottles that were not counted when they were shipped do not count when they come back. */
  const isToRestock = async (product: ProductId, id: OrderId, number: number): Promise<boolean> => {
    const { events } = await store.read<StockEvent>(stockStream(product));
    const ofOrder = events.filter(({ data }) => 'order' in data && data.order === id);
    const isBack = ofOrder.some((event) => event.type === 'StockRestocked' && event.data.return === number);
    return !isBack && ofOrder.some(({ type }) => type === 'StockShipped');
  };
  const restock = async (event: Recorded<Extract<OrderEvent, { type: 'ReturnReceived' }>>): Promise<readonly never[]> => {
    const { return: number, restock } = event.data;
    const { events } = await readUnlessCut<OrderEvent>(store, event.stream);
    const state = events.reduce(order.evolve, order.initial);
    const received = state.status === 'none' ? undefined : state.returns.find(({ id }) => id === number);
    if (!received || !restock) return [];
    const id = orderIdFromStream(event.stream);
    for (const { productId, quantity } of received.lines)
      if (await isToRestock(productId, id, number)) {
        const command = { type: 'RestockStock', order: id, quantity, return: number, now: now() } as const;
        await execute(stock, stockStream(productId), command, causedBy(event, name));
      }
    return [];
  };
  return reactionTo<OrderEvent>({
    name,
    categories: ['order'],
    on: {
      OrderShipped: (event) => move(event, { type: 'ShipStock', order: orderIdFromStream(event.stream), now: now() }),
      OrderCancelled: (event) =>
        move(event, { type: 'ReleaseStock', order: orderIdFromStream(event.stream), before: event.revision, now: now() }),
      ReturnReceived: restock,
    },
  });
};
