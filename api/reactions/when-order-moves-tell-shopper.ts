import { isLost, readUnlessCut, type Recorded } from '#domain/event-store.ts';
import type { InvoiceEvent } from '#domain/invoice/events.ts';
import { taxDocumentNumber } from '#domain/invoice/tax-document-numbers.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { isPlaced } from '#domain/order/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderIdFromStream, orderStream } from '#domain/order/order.ts';

import type { CausedMail } from '../mail/outbox.ts';
import type { OrderMailInput } from '../mail/templates/order-mails.ts';
import type { Shop } from '../shop.ts';
import { orderAt } from './following-order.ts';
import { reactionTo, type Reaction } from './reaction.ts';

type OrderMailKind = { readonly about: OrderEvent['type']; readonly kind: OrderMailInput['news'] };

/** These are the mails about orders. The kind is part of the cause in the outbox and must not change. */
const ORDER_MAILS = [
  { about: 'OrderPlaced', kind: 'order-placed' },
  { about: 'OrderShipped', kind: 'order-shipped' },
  { about: 'OrderDelivered', kind: 'order-delivered' },
  { about: 'OrderCancelled', kind: 'order-cancelled' },
] as const satisfies readonly OrderMailKind[];
export type MailedEvent = (typeof ORDER_MAILS)[number]['about'];
type MailKind = (typeof ORDER_MAILS)[number]['kind'];

const createCause = (kind: MailKind, id: OrderId): string => `${kind}:${id}`;

/** Returns the causes of all mails that an order can get, with the event types. */
export const orderMailCauses = (id: OrderId): ReadonlyMap<string, MailedEvent> =>
  new Map(ORDER_MAILS.map(({ kind, about }) => [createCause(kind, id), about]));

export type OrderMailDeps = Pick<Shop, 'store' | 'cached' | 'keys'> & { readonly publicUrl: string };

/**
 * Mails the shopper about changes of their order, as it was at that event, so that a late mail is still correct. The mail about shipping
 * follows the invoice, which it carries. Not for cancelled checkouts, and not to erased shoppers.
 */
export const whenOrderMovesTellShopper = ({ publicUrl, ...shop }: OrderMailDeps): Reaction => {
  type News = Pick<OrderMailInput, 'news' | 'invoice'>;
  const mail = async (event: Recorded<OrderEvent>, cause: MailKind, news: News = { news: cause }): Promise<readonly CausedMail[]> => {
    const order = await orderAt(shop, event);
    if (!isPlaced(order) || isLost(order.shippingAddress.email)) return [];
    const id = orderIdFromStream(event.stream);
    return [{ cause: createCause(cause, id), mail: { ...news, order: { ...order, id }, publicUrl } }];
  };

  return reactionTo<OrderEvent | InvoiceEvent>({
    name: 'order-mails',
    categories: ['order', 'invoices'],
    from: 'beginning',
    on: {
      OrderPlaced: (event) => mail(event, 'order-placed'),
      InvoiceIssued: async ({ stream, revision, position, data: { order } }) => {
        // A stream that was cut loses its mail: if this failed, the mails of all later invoices would wait.
        const { events } = await readUnlessCut<OrderEvent>(shop.store, orderStream(order));
        const shipped = events.find(({ type }) => type === 'OrderShipped');
        if (!shipped) return [];
        const invoice = { order, number: taxDocumentNumber(stream, revision), position: String(position) };
        return mail(shipped, 'order-shipped', { news: 'order-shipped', invoice });
      },
      OrderDelivered: (event) => mail(event, 'order-delivered'),
      OrderCancelled: async (event) => {
        if (event.data.because === 'erased') return [];
        // This mail replaces the other one: an order is cancelled once.
        return mail(event, 'order-cancelled', { news: event.data.because === 'unpaid' ? 'payment-over' : 'order-cancelled' });
      },
    },
  });
};
