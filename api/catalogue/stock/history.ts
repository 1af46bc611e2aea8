import type { Actor, Recorded } from '#domain/event-store.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { StockEvent } from '#domain/stock/events.ts';

/** `reason` says why bottles were removed. */
type StockChange = {
  readonly at: Instant;
  readonly kind: 'counted' | 'received' | 'removed' | 'reserved' | 'released' | 'shipped' | 'restocked';
  readonly quantity: number;
  readonly reason?: string;
  readonly by: Actor;
  readonly orderId?: OrderId;
};

/** Shoppers are not named: the order stands for its shopper. */
const ofShopper = (by: Actor, order: OrderId): Actor => (by.kind === 'system' ? { kind: 'visitor', id: order } : by);

/** Lists changes, newest first. The end of counting and the low mark are left out. */
export const stockHistory = (events: readonly Recorded<StockEvent>[]): readonly StockChange[] =>
  events
    .flatMap(({ type, data, metadata: { actor: by } }): readonly StockChange[] => {
      switch (type) {
        case 'StockCounted':
          return [{ at: data.countedAt, kind: 'counted', quantity: data.quantity, by }];
        case 'StockReceived':
          return [{ at: data.receivedAt, kind: 'received', quantity: data.quantity, by }];
        case 'StockRemoved':
          return [{ at: data.removedAt, kind: 'removed', quantity: data.quantity, reason: data.reason, by }];
        case 'StockReserved':
          // The log names the shop as the actor of reservations that were appended together.
          return [{ at: data.reservedAt, kind: 'reserved', quantity: data.quantity, by: ofShopper(by, data.order), orderId: data.order }];
        case 'StockReleased':
          return [{ at: data.releasedAt, kind: 'released', quantity: data.quantity, by, orderId: data.order }];
        case 'StockShipped':
          return [{ at: data.shippedAt, kind: 'shipped', quantity: data.quantity, by, orderId: data.order }];
        case 'StockRestocked':
          return [{ at: data.restockedAt, kind: 'restocked', quantity: data.quantity, by, orderId: data.order }];
        default:
          return [];
      }
    })
    .reverse();
