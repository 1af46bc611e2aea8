import { ERASED, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { isPlaced } from '#domain/order/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderIdFromStream } from '#domain/order/order-stream.ts';

import type { MailedInvoice } from '../mail/mail.ts';
import type { CausedMail } from '../mail/outbox.ts';
import type { OrderMailInput, MailedOrder } from '../mail/templates/order-mails.ts';
import type { Shop } from '../shop.ts';
import { orderAt } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

type OrderMailKind = { readonly about: OrderEvent['type']; readonly kind: OrderMailInput['news'] };

/** The mails about orders. The kind is part of the cause in the outbox and must not change. */
const ORDER_MAILS = [
  { about: 'OrderPlaced', kind: 'order-placed' },
  { about: 'OrderShipped', kind: 'order-shipped' },
  { about: 'OrderDelivered', kind: 'order-delivered' },
  { about: 'OrderCancelled', kind: 'order-cancelled' },
] as const satisfies readonly OrderMailKind[];
/** The type of an event that causes a mail. */
export type MailedEvent = (typeof ORDER_MAILS)[number]['about'];

const causeOf = (kind: string, id: OrderId): string => `${kind}:${id}`;

/** The causes of all mails that an order can get, with the event types. */
export const orderMailCauses = (id: OrderId): ReadonlyMap<string, MailedEvent> =>
  new Map(ORDER_MAILS.map(({ kind, about }) => [causeOf(kind, id), about]));

export type OrderShipped = Recorded<Extract<OrderEvent, { type: 'OrderShipped' }>>;

export type OrderMailDeps = Pick<Shop, 'store' | 'cached' | 'keys'> & {
  readonly publicUrl: string;
  /** Issues the invoice of an order that ships, unless it has one: its mail never waits for another reaction. Undefined: it gets none. */
  readonly invoiceOf?: (event: OrderShipped, order: MailedOrder) => Promise<MailedInvoice | undefined>;
};

/**
 * Mails the shopper about changes of their order, as it was at that event, so that a late mail is still correct. Not for cancelled
 * checkouts, and not to erased shoppers.
 */
export const whenOrderMovesTellShopper = ({ publicUrl, invoiceOf, ...shop }: OrderMailDeps): Reaction => {
  const mailsFor =
    ({ kind: usual }: OrderMailKind) =>
    async (event: Recorded<OrderEvent>): Promise<readonly CausedMail[]> => {
      const order = await orderAt(shop, event);
      if (!isPlaced(order) || order.shippingAddress.email === ERASED) return [];
      const placed = { ...order, id: orderIdFromStream(event.stream) };
      const invoice = event.type === 'OrderShipped' ? await invoiceOf?.(event, placed) : undefined;
      // Stands in for the other: one order is cancelled once.
      const kind = event.type === 'OrderCancelled' && event.data.because === 'unpaid' ? 'payment-over' : usual;
      return [{ cause: causeOf(usual, placed.id), mail: { news: kind, order: placed, publicUrl, ...(invoice && { invoice }) } }];
    };

  return reactionTo<OrderEvent>({
    name: 'order-mails',
    categories: ['order'],
    from: 'beginning',
    on: Object.fromEntries(ORDER_MAILS.map((each) => [each.about, mailsFor(each)])),
  });
};
