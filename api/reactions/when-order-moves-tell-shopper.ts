import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import type { OrderId } from '#domain/shared/ids.ts';

import { ERASED } from '../event-store/personal-fields.ts';
import {
  orderCancelledMail,
  orderDeliveredMail,
  orderPlacedMail,
  orderShippedMail,
  type OrderMail,
} from '../mail/templates/order-mails.ts';
import type { CausedMail } from '../mail/outbox.ts';
import type { Shop } from '../open-shop.ts';
import { orderIn } from '../orders/stream.ts';
import { orderAt } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

const KINDS = ['order-placed', 'order-shipped', 'order-delivered', 'order-cancelled'] as const;
type Kind = (typeof KINDS)[number];
const causeOf = (kind: Kind, id: OrderId): string => `${kind}:${id}`;

/** The causes of all the mails that an order may ever bring about. */
export const orderMailCauses = (id: OrderId): readonly string[] => KINDS.map((kind) => causeOf(kind, id));

type Deps = Pick<Shop, 'store'> & { readonly publicUrl: string };

/**
 * Tells the shopper by mail what became of their order: as it was with that event, so that a mail which goes out late still says what
 * happened. Not of a checkout that came to nothing, and not to who was erased meanwhile.
 */
export const whenOrderMovesTellShopper = ({ store, publicUrl }: Deps): Reaction => {
  const tell =
    (kind: Kind, mailOf: OrderMail) =>
    async (event: Recorded<OrderEvent>): Promise<readonly CausedMail[]> => {
      const order = await orderAt(store, event);
      const { placement, shippingAddress } = order;
      if (placement === null || shippingAddress.email === ERASED) return [];
      const id = orderIn(event.stream);
      return [{ cause: causeOf(kind, id), mail: mailOf({ ...order, id, placement }, publicUrl) }];
    };

  return reactionTo<OrderEvent>({
    name: 'order-mails',
    categories: ['order'],
    on: {
      OrderPlaced: tell('order-placed', orderPlacedMail),
      OrderShipped: tell('order-shipped', orderShippedMail),
      OrderDelivered: tell('order-delivered', orderDeliveredMail),
      OrderCancelled: tell('order-cancelled', orderCancelledMail),
    },
  });
};
