import { afterUnknown } from '../shared/decider.ts';
import type { Instant } from '../shared/instant.ts';
import type { OrderEvent, PaymentMethod } from './events.ts';
import type { OrderNumber } from './order-number.ts';
import type { OrderStatus } from './rules.ts';

export type Placement = { readonly number: OrderNumber; readonly method: PaymentMethod; readonly placedAt: Instant };
/** `note` is the note or reason of staff or shopper; empty for none. */
export type HistoryEntry = { readonly status: OrderStatus; readonly at: Instant; readonly note: string };

/** The part of an order's state that does not depend on its lines and its owner. */
export type Standing = {
  readonly status: OrderStatus;
  readonly createdAt: Instant;
  readonly placement: Placement | null;
  readonly history: readonly HistoryEntry[];
};

/** The state after checkout. */
export const begun = (at: Instant): Standing => ({
  status: 'created',
  createdAt: at,
  placement: null,
  history: [{ status: 'created', at, note: '' }],
});

const became = ({ createdAt, placement, history }: Standing, status: OrderStatus, at: Instant, note = ''): Standing => ({
  status,
  createdAt,
  placement,
  history: [...history, { status, at, note }],
});

/** The state after an event. Events are facts and are not checked again. */
export const standingAfter = (before: Standing, { type, data }: Exclude<OrderEvent, { type: 'OrderCreated' }>): Standing => {
  switch (type) {
    case 'OrderPlaced': {
      const { number, method, placedAt } = data;
      return became({ ...before, placement: { number, method, placedAt } }, 'pending', placedAt);
    }
    case 'OrderConfirmed':
      return became(before, 'confirmed', data.confirmedAt, data.note);
    case 'OrderShipped':
      return became(before, 'shipped', data.shippedAt, data.note);
    case 'OrderDelivered':
      return became(before, 'delivered', data.deliveredAt, data.note);
    case 'OrderCancelled':
      return became(before, 'cancelled', data.cancelledAt, data.reason);
    case 'OrderReturned':
      return became(before, 'returned', data.returnedAt, data.reason);
    case 'OrderRevised':
    case 'OrderClaimed':
      return before;
    default:
      return afterUnknown(type, before);
  }
};
