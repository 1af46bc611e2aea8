import type { Revision } from '../event-store.ts';
import type { OrderId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';

/**
 * Quantities are whole numbers of bottles. The events have no personal data: `reason` is the desk's note about bottles.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type StockEvent =
  /**
   * This event is recorded when bottles on the shelf were counted, including those reserved. It starts or restarts the counting of the
   * product.
   */
  | { type: 'StockCounted'; data: { quantity: number; countedAt: Instant } }
  /** This event is recorded when the product is no longer counted; open reservations are forgotten. */
  | { type: 'StockCountingEnded'; data: { endedAt: Instant } }
  | { type: 'StockReceived'; data: { quantity: number; receivedAt: Instant } }
  | { type: 'StockRemoved'; data: { quantity: number; reason: string; removedAt: Instant } }
  /** Once this many or fewer bottles are available, the product is listed as low; null means never. */
  | { type: 'StockLowMarkSet'; data: { lowAt: number | null; setAt: Instant } }
  /** The order now holds `quantity` in all, and held `heldBefore`. `orderRevision` is that of the order when its placing was decided. */
  | {
      type: 'StockReserved';
      data: { order: OrderId; quantity: number; heldBefore: number; orderRevision: Revision; reservedAt: Instant };
    }
  | { type: 'StockReleased'; data: { order: OrderId; quantity: number; releasedAt: Instant } }
  | { type: 'StockShipped'; data: { order: OrderId; quantity: number; shippedAt: Instant } }
  /** This event is recorded when returned bottles can be sold again. `return` counts the returns of the order. */
  | { type: 'StockRestocked'; data: { order: OrderId; quantity: number; restockedAt: Instant; return?: number } };
