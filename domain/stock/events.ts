import type { Revision } from '../event-store.ts';
import type { OrderId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';

/**
 * Quantities are bottles, whole numbers. No personal data: `reason` is the desk's note about bottles.
 *
 * Stored for ever: a field may be added as optional, never renamed or retyped.
 */
export type StockEvent =
  /** So many are on the shelf, those of open reservations included. The first one begins counting, which is also begun anew by it. */
  | { type: 'StockCounted'; data: { quantity: number; countedAt: Instant } }
  /** From now on the product is not counted; open reservations are forgotten. */
  | { type: 'StockCountingEnded'; data: { endedAt: Instant } }
  | { type: 'StockReceived'; data: { quantity: number; receivedAt: Instant } }
  | { type: 'StockRemoved'; data: { quantity: number; reason: string; removedAt: Instant } }
  /** From so few available on, the product is listed as low; null: never. */
  | { type: 'StockLowMarkSet'; data: { lowAt: number | null; setAt: Instant } }
  /** The order holds `quantity` in all, and held `heldBefore`. `orderRevision` is that of the order when its placing was decided. */
  | {
      type: 'StockReserved';
      data: { order: OrderId; quantity: number; heldBefore: number; orderRevision: Revision; reservedAt: Instant };
    }
  | { type: 'StockReleased'; data: { order: OrderId; quantity: number; releasedAt: Instant } }
  | { type: 'StockShipped'; data: { order: OrderId; quantity: number; shippedAt: Instant } }
  /** Came back with a return of the order, and can be sold again. */
  | { type: 'StockRestocked'; data: { order: OrderId; quantity: number; restockedAt: Instant } };
