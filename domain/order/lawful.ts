import type { OrderEvent } from './events.ts';
import type { Order } from './state.ts';
import { mayBecome, type OrderStatus } from './rules.ts';

const becomes: { readonly [Type in OrderEvent['type']]?: OrderStatus } = {
  OrderPlaced: 'pending',
  OrderConfirmed: 'confirmed',
  OrderShipped: 'shipped',
  OrderDelivered: 'delivered',
  OrderCancelled: 'cancelled',
  OrderReturned: 'returned',
};

const known: { readonly [Type in OrderEvent['type']]: true } = {
  OrderCreated: true,
  OrderRevised: true,
  OrderPlaced: true,
  OrderConfirmed: true,
  OrderShipped: true,
  OrderDelivered: true,
  OrderCancelled: true,
  OrderReturned: true,
  OrderClaimed: true,
};

/** Whether orders have events of this type. */
export const isOfOrders = (type: string): type is OrderEvent['type'] => Object.hasOwn(known, type);

/** A checkout may start a new order, or one that was cancelled before it was placed. */
const mayBegin = (order: Order): boolean => order.status === 'none' || (order.status === 'cancelled' && order.placement === null);

/**
 * Why this event cannot be the result of a decision on this order; undefined when it can. For the audit: `evolve` accepts all events as
 * facts, also those written into the log by an intruder.
 */
export const unlawful = (order: Order, event: OrderEvent): string | undefined => {
  if (!isOfOrders(event.type)) return `${String(event.type)} does not happen to orders`;
  if (event.type === 'OrderCreated') return mayBegin(order) ? undefined : `an order that is ${order.status} was created again`;
  if (order.status === 'none') return `${event.type} of an order that was never created`;
  if (event.type === 'OrderRevised') return order.status === 'created' ? undefined : `an order that is ${order.status} was revised`;
  if (event.type === 'OrderClaimed') return event.data.from === order.shopper ? undefined : 'an order was claimed from somebody else';
  const next = becomes[event.type];
  return next !== undefined && mayBecome(order.status, next) ? undefined : `an order that is ${order.status} became ${next}`;
};
