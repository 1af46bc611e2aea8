import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, type Decider, type Decision } from '../shared/decider.ts';
import { orderId, type OrderId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import {
  abandonPlacing,
  createOrder,
  placeOrder,
  type AbandonPlacing,
  type CheckoutRejection,
  type CreateOrder,
  type PlaceOrder,
} from './checkout.ts';
import type { Checkout, OrderEvent } from './events.ts';
import {
  abandonMove,
  cancelErased,
  cancelOrder,
  cancelUnpaid,
  claimOrder,
  correctEmail,
  moveOrder,
  type AbandonMove,
  type CancelErased,
  type CancelOrder,
  type CancelUnpaid,
  type ClaimOrder,
  type CorrectEmail,
  type FulfilmentRejection,
  type MoveOrder,
} from './fulfilment.ts';
import { completeShipment } from './shipment-texts.ts';
import { correctShipment, markPacked, type CorrectShipment, type MarkPacked, type ShipmentRejection } from './shipment.ts';
import {
  decideReturn,
  impossibleReturn,
  receiveReturn,
  refuseErased,
  requestReturn,
  returnsAfter,
  type DecideReturn,
  type ReceiveReturn,
  type RequestReturn,
  type ReturnRejection,
} from './returns.ts';
import { NO_TEXT, personalText } from '../shared/text.ts';
import { completeCheckout } from './texts.ts';
import { canBecome, isToMove, type ExistingOrder, type Order, type OrderProgress, type OrderStatus } from './rules.ts';

export const orderStream = (id: OrderId): StreamName => `order-${id}`;

/** Returns the order id of this stream. Throws for streams of other categories. */
export const orderIdFromStream = (stream: StreamName): OrderId => orderId(stream.replace(/^order-/, ''));

const initialProgress = (at: Instant): OrderProgress => ({
  status: 'created',
  createdAt: at,
  placement: null,
  history: [{ status: 'created', at, note: NO_TEXT }],
});

/** The reasons in the history when the shop itself cancels an order. */
const REASONS = { unpaid: personalText('It was not paid in time'), erased: personalText('The shopper’s data were erased') } as const;

const became = ({ createdAt, placement, history }: OrderProgress, status: OrderStatus, at: Instant, note = NO_TEXT): OrderProgress => ({
  status,
  createdAt,
  placement,
  history: [...history, { status, at, note }],
});

/** Returns the state after an event. Events are facts and are not checked again. */
const progressAfter = (before: OrderProgress, { type, data }: Exclude<OrderEvent, { type: 'OrderCreated' }>): OrderProgress => {
  switch (type) {
    case 'OrderPlaced':
      return became({ ...before, placement: data }, 'pending', data.placedAt);
    case 'OrderConfirmed':
      return became(before, 'confirmed', data.confirmedAt, data.note);
    case 'OrderShipped':
      return became(before, 'shipped', data.shippedAt, data.note);
    case 'OrderDelivered':
      return became(before, 'delivered', data.deliveredAt, data.note);
    case 'OrderCancelled':
      return became(before, 'cancelled', data.cancelledAt, data.because === undefined ? data.reason : REASONS[data.because]);
    case 'OrderReturned':
      return became(before, 'returned', data.returnedAt, data.reason);
    case 'OrderRevised':
    case 'OrderClaimed':
    case 'OrderEmailCorrected':
    case 'OrderPacked':
    case 'OrderUnpacked':
    case 'ShipmentCorrected':
    case 'ReturnRequested':
    case 'ReturnDecided':
    case 'ReturnReceived':
    case 'PlacingAbandoned':
    case 'MoveAbandoned':
      return before;
    default:
      return afterUnknown(type, before);
  }
};

const created = ({ createdAt, ...checkout }: Checkout & { createdAt: Instant }): ExistingOrder => ({
  ...completeCheckout(checkout),
  ...initialProgress(createdAt),
  cart: checkout.shopper,
  quotedAt: createdAt,
  deliveredAt: null,
  suppliedIn: null,
  packedAt: null,
  shipment: null,
  returns: [],
});

/** Replaces every field of the checkout, so that a text which the shopper removed is gone. */
const revised = (
  { status, createdAt, placement, history, cart, deliveredAt, suppliedIn, packedAt, shipment, returns }: ExistingOrder,
  { revisedAt, ...checkout }: Checkout & { revisedAt: Instant },
): ExistingOrder => ({
  ...completeCheckout(checkout),
  status,
  createdAt,
  placement,
  history,
  cart,
  quotedAt: revisedAt,
  deliveredAt,
  suppliedIn,
  packedAt,
  shipment,
  returns,
});

const evolveExisting = (order: ExistingOrder, event: Exclude<OrderEvent, { type: 'OrderCreated' }>): ExistingOrder => {
  switch (event.type) {
    case 'OrderRevised':
      return revised(order, event.data);
    case 'OrderClaimed':
      return { ...order, shopper: event.data.by };
    case 'OrderEmailCorrected':
      return { ...order, shippingAddress: { ...order.shippingAddress, email: event.data.email } };
    case 'OrderShipped':
      return {
        ...order,
        ...progressAfter(order, event),
        suppliedIn: event.data.placeOfSupply ?? null,
        shipment: { ...completeShipment(event.data), shippedAt: event.data.shippedAt },
      };
    case 'ShipmentCorrected':
      return order.shipment === null ? order : { ...order, shipment: { ...order.shipment, ...completeShipment(event.data) } };
    case 'OrderPacked':
      return { ...order, packedAt: event.data.packedAt };
    case 'OrderUnpacked':
      return { ...order, packedAt: null };
    case 'OrderDelivered':
      return { ...order, ...progressAfter(order, event), deliveredAt: event.data.deliveredAt };
    case 'ReturnRequested':
    case 'ReturnDecided':
    case 'ReturnReceived':
      return { ...order, returns: returnsAfter(order.returns, event) };
    default:
      return { ...order, ...progressAfter(order, event) };
  }
};

/** Returns the state after an event. Events are facts and are not checked again; those before the order's creation are ignored. */
export const evolve = (order: Order, event: OrderEvent): Order => {
  if (event.type === 'OrderCreated') return created(event.data);
  return order.status === 'none' ? order : evolveExisting(order, event);
};

export type OrderCommand =
  | CreateOrder
  | PlaceOrder
  | AbandonPlacing
  | CancelOrder
  | CancelUnpaid
  | CancelErased
  | RequestReturn
  | DecideReturn
  | ReceiveReturn
  | MoveOrder
  | AbandonMove
  | CorrectEmail
  | CorrectShipment
  | MarkPacked
  | ClaimOrder;
export type OrderRejection = CheckoutRejection | FulfilmentRejection | ShipmentRejection | ReturnRejection;

const decide = (order: Order, command: OrderCommand): Decision<OrderEvent, OrderRejection> => {
  switch (command.type) {
    case 'CreateOrder':
      return createOrder(order, command);
    case 'PlaceOrder':
      return placeOrder(order, command);
    case 'AbandonPlacing':
      return abandonPlacing(order, command);
    case 'CancelOrder':
      return cancelOrder(order, command);
    case 'CancelUnpaid':
      return cancelUnpaid(order, command);
    case 'CancelErased':
      return order.status === 'delivered' ? accept(...refuseErased(order, command.now)) : cancelErased(order, command);
    case 'RequestReturn':
      return requestReturn(order, command);
    case 'DecideReturn':
      return decideReturn(order, command);
    case 'ReceiveReturn':
      return receiveReturn(order, command);
    case 'MoveOrder':
      return moveOrder(order, command);
    case 'CorrectEmail':
      return correctEmail(order, command);
    case 'CorrectShipment':
      return correctShipment(order, command);
    case 'MarkPacked':
      return markPacked(order, command);
    case 'AbandonMove':
      return abandonMove(order, command);
    case 'ClaimOrder':
      return claimOrder(order, command);
  }
};

/** The order from checkout (`checkout.ts`) to delivery and return (`fulfilment.ts`, `returns.ts`). Its stream is `order-<id>`. */
export const order: Decider<Order, OrderCommand, OrderEvent, OrderRejection> = { initial: { status: 'none' }, decide, evolve };

const statusAfter: { readonly [Type in OrderEvent['type']]?: OrderStatus } = {
  OrderPlaced: 'pending',
  OrderConfirmed: 'confirmed',
  OrderShipped: 'shipped',
  OrderDelivered: 'delivered',
  OrderCancelled: 'cancelled',
  OrderReturned: 'returned',
};

const orderEventTypes: { readonly [Type in OrderEvent['type']]: true } = {
  OrderCreated: true,
  OrderRevised: true,
  OrderPlaced: true,
  OrderConfirmed: true,
  OrderShipped: true,
  OrderDelivered: true,
  OrderCancelled: true,
  OrderReturned: true,
  ReturnRequested: true,
  ReturnDecided: true,
  ReturnReceived: true,
  OrderEmailCorrected: true,
  OrderPacked: true,
  OrderUnpacked: true,
  ShipmentCorrected: true,
  OrderClaimed: true,
  PlacingAbandoned: true,
  MoveAbandoned: true,
};

export const isOrderEventType = (type: string): type is OrderEvent['type'] => Object.hasOwn(orderEventTypes, type);

/** A checkout may start a new order, or an order that was cancelled before it was placed. */
const canBeCreated = (order: Order): boolean => order.status === 'none' || (order.status === 'cancelled' && order.placement === null);

/**
 * Returns why no decision on this order can lead to this event; undefined if one can. The audit needs it: `evolve` accepts all events as
 * facts, even those that an intruder wrote into the log.
 */
export const impossibleBecause = (order: Order, event: OrderEvent): string | undefined => {
  if (!isOrderEventType(event.type)) return `${String(event.type)} does not happen to orders`;
  if (event.type === 'OrderCreated') return canBeCreated(order) ? undefined : `an order that is ${order.status} was created again`;
  if (order.status === 'none') return `${event.type} of an order that was never created`;
  if (event.type === 'OrderRevised') return order.status === 'created' ? undefined : `an order that is ${order.status} was revised`;
  if (event.type === 'PlacingAbandoned')
    return order.status === 'created' ? undefined : `the placing of an order that is ${order.status} was given up`;
  if (event.type === 'MoveAbandoned') return isToMove(order.status) ? undefined : `a move of an order that is ${order.status} was given up`;
  if (event.type === 'OrderClaimed') return event.data.from === order.shopper ? undefined : 'an order was claimed from somebody else';
  if (event.type === 'ShipmentCorrected')
    return order.status === 'shipped' ? undefined : `the shipment of an order that is ${order.status} was corrected`;
  if (event.type === 'OrderPacked' || event.type === 'OrderUnpacked')
    return order.status === 'confirmed' ? undefined : `the mark of an order that is ${order.status} was changed`;
  if (event.type === 'OrderEmailCorrected') return order.placement === null ? 'the e-mail address of a draft was corrected' : undefined;
  if (event.type === 'ReturnRequested' || event.type === 'ReturnDecided' || event.type === 'ReturnReceived')
    return impossibleReturn(order, event);
  const next = statusAfter[event.type];
  return next !== undefined && canBecome(order.status, next) ? undefined : `an order that is ${order.status} became ${next}`;
};
