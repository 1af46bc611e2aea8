import type { ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/instant.ts';
import type { Checkout, OrderEvent, PaymentMethod } from './events.ts';
import type { OrderNumber } from './order-number.ts';
import type { OrderStatus } from './status.ts';

export type Placement = { readonly number: OrderNumber; readonly method: PaymentMethod; readonly placedAt: Instant };
/** `note` is what staff or shopper gave as a word or reason; empty for none. */
export type HistoryEntry = { readonly status: OrderStatus; readonly at: Instant; readonly note: string };

export type ExistingOrder = Checkout & {
  readonly status: OrderStatus;
  /** Whose cart it came from. Stays when the order goes over to the user that the visitor became. */
  readonly cart: ShopperId;
  readonly createdAt: Instant;
  /** When its prices were last taken from the catalogue. */
  readonly quotedAt: Instant;
  readonly placement: Placement | null;
  readonly deliveredAt: Instant | null;
  readonly history: readonly HistoryEntry[];
};
export type Order = { readonly status: 'none' } | ExistingOrder;

/** Another shopper's order does not exist: "forbidden" would tell them that it does. */
export const ownedBy = (shopper: ShopperId, order: Order): ExistingOrder | undefined =>
  order.status !== 'none' && order.shopper === shopper ? order : undefined;

const became = (order: ExistingOrder, status: OrderStatus, at: Instant, note = ''): ExistingOrder => ({
  ...order,
  status,
  history: [...order.history, { status, at, note }],
});

const created = ({ createdAt, ...checkout }: Checkout & { createdAt: Instant }): ExistingOrder => ({
  ...checkout,
  status: 'created',
  cart: checkout.shopper,
  createdAt,
  quotedAt: createdAt,
  placement: null,
  deliveredAt: null,
  history: [{ status: 'created', at: createdAt, note: '' }],
});

const revised = (order: ExistingOrder, { revisedAt, ...checkout }: Checkout & { revisedAt: Instant }): ExistingOrder => ({
  ...order,
  ...checkout,
  quotedAt: revisedAt,
});

const evolveExisting = (order: ExistingOrder, { type, data }: Exclude<OrderEvent, { type: 'OrderCreated' }>): ExistingOrder => {
  switch (type) {
    case 'OrderRevised':
      return revised(order, data);
    case 'OrderPlaced': {
      const { number, method, placedAt } = data;
      return { ...became(order, 'pending', placedAt), placement: { number, method, placedAt } };
    }
    case 'OrderConfirmed':
      return became(order, 'confirmed', data.confirmedAt, data.note);
    case 'OrderShipped':
      return became(order, 'shipped', data.shippedAt, data.note);
    case 'OrderDelivered':
      return { ...became(order, 'delivered', data.deliveredAt, data.note), deliveredAt: data.deliveredAt };
    case 'OrderCancelled':
      return became(order, 'cancelled', data.cancelledAt, data.reason);
    case 'OrderReturned':
      return became(order, 'returned', data.returnedAt, data.reason);
    case 'OrderClaimed':
      return { ...order, shopper: data.by };
  }
};

/** Events are facts and are not judged again; one that comes before the order was created tells nothing. */
export const evolve = (order: Order, event: OrderEvent): Order => {
  if (event.type === 'OrderCreated') return created(event.data);
  return order.status === 'none' ? order : evolveExisting(order, event);
};
