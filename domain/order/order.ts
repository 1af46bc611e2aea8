import type { Decider, Decision } from '../shared/decider.ts';
import { createOrder, placeOrder, type CheckoutRejection, type CreateOrder, type PlaceOrder } from './checkout.ts';
import type { OrderEvent } from './events.ts';
import {
  cancelOrder,
  claimOrder,
  moveOrder,
  returnOrder,
  type CancelOrder,
  type ClaimOrder,
  type FulfilmentRejection,
  type MoveOrder,
  type ReturnOrder,
} from './fulfilment.ts';
import { evolve, type Order } from './state.ts';

export type OrderCommand = CreateOrder | PlaceOrder | CancelOrder | ReturnOrder | MoveOrder | ClaimOrder;
export type OrderRejection = CheckoutRejection | FulfilmentRejection;

const decide = (order: Order, command: OrderCommand): Decision<OrderEvent, OrderRejection> => {
  switch (command.type) {
    case 'CreateOrder':
      return createOrder(order, command);
    case 'PlaceOrder':
      return placeOrder(order, command);
    case 'CancelOrder':
      return cancelOrder(order, command);
    case 'ReturnOrder':
      return returnOrder(order, command);
    case 'MoveOrder':
      return moveOrder(order, command);
    case 'ClaimOrder':
      return claimOrder(order, command);
  }
};

/** From checkout (`checkout.ts`) to delivery and return (`fulfilment.ts`). Stream: `order-<id>`. */
export const order: Decider<Order, OrderCommand, OrderEvent, OrderRejection> = { initial: { status: 'none' }, decide, evolve };
