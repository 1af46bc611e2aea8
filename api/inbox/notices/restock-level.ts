import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import { afterUnknown } from '#domain/shared/decider.ts';
import type { StockEvent } from '#domain/stock/events.ts';

/** What is in stock of a product, up to which its requests were told: plain JSON, kept beside them. */
export type RestockLevel = {
  readonly productRevision: number;
  readonly stockRevision: number;
  /** As staff have set it; it counts while the product is not counted. */
  readonly inStock: boolean;
  readonly isCounted: boolean;
  readonly onHand: number;
  readonly reserved: number;
  /** Of the bottles available, those that nobody was told of. */
  readonly untold: number;
};

export type LevelEvent = Recorded<ProductEvent | StockEvent>;

type Amounts = Pick<RestockLevel, 'inStock' | 'isCounted' | 'onHand' | 'reserved'>;

/** Bottles that can be bought: any number when the product is in stock and not counted. */
export const availableAt = ({ isCounted, onHand, reserved, inStock }: Amounts): number =>
  isCounted ? onHand - reserved : inStock ? Infinity : 0;

/** How many may be told. */
export const tellableAt = (level: RestockLevel): number => (level.isCounted ? level.untold : availableAt(level));

const amountsAfter = ({ inStock, isCounted, onHand, reserved }: RestockLevel, { type, data }: LevelEvent): Amounts => {
  const before = { inStock, isCounted, onHand, reserved };
  switch (type) {
    case 'ProductSoldOut':
      return { ...before, inStock: false };
    case 'ProductRestocked':
      return { ...before, inStock: true };
    case 'StockCounted':
      return { ...before, isCounted: true, onHand: data.quantity };
    case 'StockCountingEnded':
      return { ...before, isCounted: false, onHand: 0, reserved: 0 };
    case 'StockReceived':
    case 'StockRestocked':
      return { ...before, onHand: onHand + data.quantity };
    case 'StockRemoved':
      return { ...before, onHand: onHand - data.quantity };
    case 'StockReserved':
      return { ...before, reserved: reserved + data.quantity - data.heldBefore };
    case 'StockReleased':
      return { ...before, reserved: reserved - data.quantity };
    case 'StockShipped':
      return { ...before, onHand: onHand - data.quantity, reserved: reserved - data.quantity };
    case 'ProductAdded':
    case 'ProductDetailsRevised':
    case 'ProductPriceChanged':
    case 'ProductRemoved':
    case 'StockLowMarkSet':
      return before;
    default:
      return afterUnknown(type, before);
  }
};

/** `wasHeld`: the event gives back bottles that an order held without being placed, so that they are none to tell of. */
export const levelAfter = (level: RestockLevel, event: LevelEvent, wasHeld: boolean): RestockLevel => {
  const amounts = amountsAfter(level, event);
  const available = availableAt(amounts);
  const came = wasHeld ? 0 : Math.max(available - availableAt(level), 0);
  return {
    ...amounts,
    untold: amounts.isCounted ? Math.min(level.untold + came, available) : 0,
    productRevision: event.stream.startsWith('product-') ? event.revision : level.productRevision,
    stockRevision: event.stream.startsWith('stock-') ? event.revision : level.stockRevision,
  };
};
