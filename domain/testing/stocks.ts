import type { StockEvent } from '../stock/events.ts';
import { stock, type ReleaseStock, type ReserveStock, type Stock } from '../stock/stock.ts';
import { anOrder, morning, noon } from './carts.ts';

export const counted = (quantity = 3): StockEvent => ({ type: 'StockCounted', data: { quantity, countedAt: morning } });
export const countingEnded = (): StockEvent => ({ type: 'StockCountingEnded', data: { endedAt: noon } });
export const received = (quantity: number): StockEvent => ({ type: 'StockReceived', data: { quantity, receivedAt: noon } });
export const reserved = (quantity = 1, order = anOrder, orderRevision = 0, heldBefore = 0): StockEvent => ({
  type: 'StockReserved',
  data: { order, quantity, heldBefore, orderRevision, reservedAt: noon },
});
export const released = (quantity = 1, order = anOrder): StockEvent => ({
  type: 'StockReleased',
  data: { order, quantity, releasedAt: noon },
});
export const shipped = (quantity = 1, order = anOrder): StockEvent => ({
  type: 'StockShipped',
  data: { order, quantity, shippedAt: noon },
});

export const restocked = (quantity = 1, order = anOrder): StockEvent => ({
  type: 'StockRestocked',
  data: { order, quantity, restockedAt: noon, return: 1 },
});

export const reserve = (quantity = 1, order = anOrder, orderRevision = 0): ReserveStock => ({
  type: 'ReserveStock',
  order,
  quantity,
  orderRevision,
  now: noon,
});
export const release = (before: number, order = anOrder): ReleaseStock => ({ type: 'ReleaseStock', order, before, now: noon });

export const stockAfter = (...events: readonly StockEvent[]): Stock => events.reduce(stock.evolve, stock.initial);
