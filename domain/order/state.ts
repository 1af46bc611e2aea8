import type { OrderNumber, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { Checkout, OrderEvent, PaymentMethod } from './events.ts';
import { afterUnknown } from '../shared/decider.ts';
import type { OrderStatus } from './rules.ts';

export type Placement = { readonly number: OrderNumber; readonly method: PaymentMethod; readonly placedAt: Instant };
/** `note` is the note or reason of staff or shopper; empty for none. */
export type HistoryEntry = { readonly status: OrderStatus; readonly at: Instant; readonly note: string };

/** The part of an order's state that does not depend on its lines and its owner. */
export type OrderProgress = {
  readonly status: OrderStatus;
  readonly createdAt: Instant;
  readonly placement: Placement | null;
  readonly history: readonly HistoryEntry[];
};

/** The state after checkout. */
export const initialProgress = (at: Instant): OrderProgress => ({
  status: 'created',
  createdAt: at,
  placement: null,
  history: [{ status: 'created', at, note: '' }],
});

const became = ({ createdAt, placement, history }: OrderProgress, status: OrderStatus, at: Instant, note = ''): OrderProgress => ({
  status,
  createdAt,
  placement,
  history: [...history, { status, at, note }],
});

/** The state after an event. Events are facts and are not checked again. */
export const progressAfter = (before: OrderProgress, { type, data }: Exclude<OrderEvent, { type: 'OrderCreated' }>): OrderProgress => {
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

export type ExistingOrder = Checkout &
  OrderProgress & {
    /** The owner of the cart it came from. It stays when the order is claimed by the user. */
    readonly cart: ShopperId;
    /** When its prices were last taken from the catalogue. */
    readonly quotedAt: Instant;
    readonly deliveredAt: Instant | null;
  };
export type Order = { readonly status: 'none' } | ExistingOrder;

/** Another shopper's order is treated as not found: "forbidden" would reveal that it exists. */
export const ownedBy = (shopper: ShopperId, order: Order): ExistingOrder | undefined =>
  order.status !== 'none' && order.shopper === shopper ? order : undefined;

const created = ({ createdAt, ...checkout }: Checkout & { createdAt: Instant }): ExistingOrder => ({
  ...checkout,
  ...initialProgress(createdAt),
  cart: checkout.shopper,
  quotedAt: createdAt,
  deliveredAt: null,
});

const revised = (order: ExistingOrder, { revisedAt, ...checkout }: Checkout & { revisedAt: Instant }): ExistingOrder => ({
  ...order,
  ...checkout,
  note: checkout.note ?? '',
  quotedAt: revisedAt,
});

const evolveExisting = (order: ExistingOrder, event: Exclude<OrderEvent, { type: 'OrderCreated' }>): ExistingOrder => {
  switch (event.type) {
    case 'OrderRevised':
      return revised(order, event.data);
    case 'OrderClaimed':
      return { ...order, shopper: event.data.by };
    case 'OrderDelivered':
      return { ...order, ...progressAfter(order, event), deliveredAt: event.data.deliveredAt };
    default:
      return { ...order, ...progressAfter(order, event) };
  }
};

/** Events are facts and are not checked again; one before the order's creation is ignored. */
export const evolve = (order: Order, event: OrderEvent): Order => {
  if (event.type === 'OrderCreated') return created(event.data);
  return order.status === 'none' ? order : evolveExisting(order, event);
};
