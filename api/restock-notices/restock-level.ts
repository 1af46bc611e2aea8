import type { Recorded } from '#domain/event-store.ts';
import type { ProductEvent } from '#domain/product/events.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { afterUnknown } from '#domain/shared/decider.ts';
import type { StockEvent } from '#domain/stock/events.ts';

/** Requests were answered up to this stock of a product. It is plain JSON, stored beside the requests. */
export type RestockLevel = {
  readonly productRevision: number;
  readonly stockRevision: number;
  /** Staff set it; it counts while the product is not counted. */
  readonly inStock: boolean;
  /** The field is missing in levels of an earlier release. */
  readonly isPriced?: boolean;
  readonly isCounted: boolean;
  readonly onHand: number;
  readonly reserved: number;
  /** No mail has offered these available bottles yet. While the product is not counted it is any number, or 0 once everybody got a mail. */
  readonly untold: number;
  /** Orders have reserved these untold bottles, which are untold again when they are released. */
  readonly reservedUntold?: Readonly<Record<OrderId, number>>;
};

export type LevelEvent = Recorded<ProductEvent | StockEvent>;

type Amounts = Pick<RestockLevel, 'inStock' | 'isCounted' | 'onHand' | 'reserved'> & { readonly isPriced: boolean };

/** Returns the bottles that can be bought: Infinity when the product is in stock and not counted; none while it has no price. */
export const availableAt = ({
  isPriced = true,
  isCounted,
  onHand,
  reserved,
  inStock,
}: Partial<Amounts> & Omit<Amounts, 'isPriced'>): number => (!isPriced ? 0 : isCounted ? onHand - reserved : inStock ? Infinity : 0);

/** Infinity is not JSON, so this number stands for it. */
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

/** Returns how many people may get a mail. */
export const notifiableAt = (level: RestockLevel): number => (level.isCounted ? level.untold : availableAt(level));

const amountsAfter = ({ inStock, isPriced = true, isCounted, onHand, reserved }: RestockLevel, { type, data }: LevelEvent): Amounts => {
  const before = { inStock, isPriced, isCounted, onHand, reserved };
  switch (type) {
    case 'ProductSoldOut':
      return { ...before, inStock: false };
    case 'ProductRestocked':
      return { ...before, inStock: true };
    case 'ProductPriceChanged':
      return { ...before, isPriced: data.to > 0 };
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
    case 'ProductRemoved':
    case 'StockLowMarkSet':
      return before;
    default:
      return afterUnknown(type, before);
  }
};

/** Returns the untold bottles that the event returns first of all. */
export const reservedUntoldBy = ({ reservedUntold = {} }: RestockLevel, { type, data }: LevelEvent): number =>
  type === 'StockReserved' || type === 'StockReleased' ? (reservedUntold[data.order] ?? 0) : 0;

const reservedUntoldAfter = ({ reservedUntold = {} }: RestockLevel, { type, data }: LevelEvent, taken: number) => {
  if (type === 'StockCountingEnded') return {};
  if (type !== 'StockReserved' && type !== 'StockReleased' && type !== 'StockShipped') return reservedUntold;
  const { [data.order]: _, ...others } = reservedUntold;
  return type === 'StockReserved' && taken > 0 ? { ...others, [data.order]: taken } : others;
};

/**
 * `wasHeld` means that the event returns bottles that an order held without being placed. Bottles that were already offered are not offered
 * again.
 */
export const levelAfter = (level: RestockLevel, event: LevelEvent, wasHeld: boolean): RestockLevel => {
  const amounts = amountsAfter(level, event);
  const available = availableAt(amounts);
  const came = Math.max(wasHeld ? 0 : available - availableAt(level), reservedUntoldBy(level, event));
  const untold = Math.min(level.untold + came, available, ANY_NUMBER);
  return {
    ...amounts,
    untold,
    reservedUntold: reservedUntoldAfter(level, event, level.untold + came - untold),
    productRevision: event.stream.startsWith('product-') ? event.revision : level.productRevision,
    stockRevision: event.stream.startsWith('stock-') ? event.revision : level.stockRevision,
  };
};
