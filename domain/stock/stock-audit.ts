import type { Revision } from '../event-store.ts';
import type { OrderId } from '../shared/ids.ts';
import type { StockEvent } from './events.ts';
import { computeAvailable, findReservation, type Stock } from './stock.ts';

type At = { readonly revision: Revision } & StockEvent;

/** One event's share of an amount, in bottles. `order` is the order for which they were reserved or shipped. */
export type StockPart = {
  readonly label: string;
  readonly amount: number;
  readonly revision: Revision;
  readonly type: StockEvent['type'];
  readonly order?: OrderId;
};

export type ExplainedAmount = {
  readonly name: 'onHand' | 'reserved' | 'available';
  readonly amount: number;
  readonly formula: string;
  readonly parts: readonly StockPart[];
};

const explainAmount = (name: ExplainedAmount['name'], formula: string, parts: readonly StockPart[]): ExplainedAmount => ({
  name,
  amount: parts.reduce((sum, part) => sum + part.amount, 0),
  formula,
  parts,
});

/** Explains the bottles of a product by their events, oldest first. Only events since the latest count matter for the bottles on hand. */
export const explainStock = (events: readonly At[]): readonly ExplainedAmount[] => {
  let onHand: StockPart[] = [];
  const reserved = new Map<OrderId, StockPart>();
  for (const { revision, type, data } of events) {
    const part = (label: string, amount: number, order?: OrderId): StockPart => ({
      label,
      amount,
      revision,
      type,
      ...(order !== undefined && { order }),
    });
    switch (type) {
      case 'StockCounted':
        onHand = [part('Counted', data.quantity)];
        break;
      case 'StockCountingEnded':
        onHand = [];
        reserved.clear();
        break;
      case 'StockReceived':
        onHand.push(part('Received', data.quantity));
        break;
      case 'StockRestocked':
        onHand.push(part('Came back', data.quantity, data.order));
        break;
      case 'StockRemoved':
        onHand.push(part(`Removed: ${data.reason}`, -data.quantity));
        break;
      case 'StockReserved':
        reserved.set(data.order, part('Reserved', data.quantity, data.order));
        break;
      case 'StockReleased':
        reserved.delete(data.order);
        break;
      case 'StockShipped':
        reserved.delete(data.order);
        onHand.push(part('Shipped', -data.quantity, data.order));
    }
  }
  const held = [...reserved.values()];
  const taken = held.map((part) => ({ ...part, amount: -part.amount }));
  return [
    explainAmount('onHand', 'counted + received + came back − removed − shipped', onHand),
    explainAmount('reserved', 'reservations of open orders', held),
    explainAmount('available', 'on hand − reserved', [...onHand, ...taken]),
  ];
};

/** Returns why no decision can lead from this state to this event; undefined if one can. */
export const impossibleStockEvent = (stock: Stock, { type, data }: StockEvent): string | undefined => {
  if ('quantity' in data && !(Number.isInteger(data.quantity) && data.quantity >= 0)) return `${data.quantity} is no number of bottles`;
  const held = 'order' in data ? findReservation(stock, data.order) : undefined;
  switch (type) {
    case 'StockCounted':
      return data.quantity < stock.reserved ? `${data.quantity} were counted while ${stock.reserved} were reserved` : undefined;
    case 'StockLowMarkSet':
      return undefined;
    case 'StockCountingEnded':
    case 'StockReceived':
    case 'StockRestocked':
      return stock.isCounted ? undefined : 'the product was not counted';
    case 'StockRemoved':
      return data.quantity > computeAvailable(stock) ? `${data.quantity} were removed of ${computeAvailable(stock)} available` : undefined;
    case 'StockReserved': {
      if (data.heldBefore !== (held?.quantity ?? 0)) return `the order held ${held?.quantity ?? 0}, not ${data.heldBefore}`;
      if (held && held.orderRevision >= data.orderRevision) return 'the order held bottles for a later placing';
      const available = computeAvailable(stock) + data.heldBefore;
      return data.quantity > available ? `${data.quantity} were reserved of ${available} available` : undefined;
    }
    case 'StockReleased':
    case 'StockShipped':
      return held?.quantity === data.quantity ? undefined : `the order held ${held?.quantity ?? 0}, not ${data.quantity}`;
    default:
      return `${String(type)} does not happen to stock`;
  }
};
