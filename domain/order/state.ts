import type { ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/instant.ts';
import type { Checkout, OrderEvent } from './events.ts';
import { begun, standingAfter, type Standing } from './standing.ts';

export type ExistingOrder = Checkout &
  Standing & {
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
  ...begun(createdAt),
  cart: checkout.shopper,
  quotedAt: createdAt,
  deliveredAt: null,
});

const revised = (order: ExistingOrder, { revisedAt, ...checkout }: Checkout & { revisedAt: Instant }): ExistingOrder => ({
  ...order,
  ...checkout,
  quotedAt: revisedAt,
});

const evolveExisting = (order: ExistingOrder, event: Exclude<OrderEvent, { type: 'OrderCreated' }>): ExistingOrder => {
  switch (event.type) {
    case 'OrderRevised':
      return revised(order, event.data);
    case 'OrderClaimed':
      return { ...order, shopper: event.data.by };
    case 'OrderDelivered':
      return { ...order, ...standingAfter(order, event), deliveredAt: event.data.deliveredAt };
    default:
      return { ...order, ...standingAfter(order, event) };
  }
};

/** Events are facts and are not checked again; one before the order's creation is ignored. */
export const evolve = (order: Order, event: OrderEvent): Order => {
  if (event.type === 'OrderCreated') return created(event.data);
  return order.status === 'none' ? order : evolveExisting(order, event);
};
