import { isLost, readUnlessCut, type Recorded } from '#domain/event-store.ts';
import type { InvoiceEvent } from '#domain/invoice/events.ts';
import { taxDocumentNumber } from '#domain/invoice/tax-document-numbers.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { isPlaced } from '#domain/order/rules.ts';
import { orderIdFromStream, orderStream } from '#domain/order/order.ts';

import type { CausedMail } from '../mail/outbox.ts';
import type { OrderMailInput } from '../mail/templates/order-mails.ts';
import type { Shop } from '../shop.ts';
import { orderAt } from './following-order.ts';
import { orderMailCause, type OrderMailKind } from './order-mail-causes.ts';
import { reactionTo, type Reaction } from './reaction.ts';

export type OrderMailDeps = Pick<Shop, 'store' | 'cached' | 'keys'> & { readonly publicUrl: string };

type News = Pick<OrderMailInput, 'news' | 'invoice'>;

/** Makes the mail about an event: the order as it was then, so that a late mail is still true. None for drafts, and none to erased shoppers. */
const mailAbout =
  ({ publicUrl, ...shop }: OrderMailDeps) =>
  async (event: Recorded<OrderEvent>, kind: OrderMailKind, news: News = { news: kind }): Promise<readonly CausedMail[]> => {
    const order = await orderAt(shop, event);
    if (!isPlaced(order) || isLost(order.shippingAddress.email)) return [];
    const id = orderIdFromStream(event.stream);
    return [{ cause: orderMailCause(kind, id, event.revision), mail: { ...news, order: { ...order, id }, publicUrl } }];
  };

/** Mails the shopper about changes of their order. The mail about shipping follows the invoice, which it carries. */
export const whenOrderMovesTellShopper = (deps: OrderMailDeps): Reaction => {
  const mail = mailAbout(deps);
  return reactionTo<OrderEvent | InvoiceEvent>({
    name: 'order-mails',
    categories: ['order', 'invoices'],
    from: 'beginning',
    on: {
      OrderPlaced: (event) => mail(event, 'order-placed'),
      InvoiceIssued: async ({ stream, revision, position, data: { order } }) => {
        // A stream that was cut loses its mail: if this failed, the mails of all later invoices would wait.
        const { events } = await readUnlessCut<OrderEvent>(deps.store, orderStream(order));
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

/**
 * Mails the shopper about the other steps. This reaction began later and starts at the end of the log, so that shoppers get no mails about
 * what happened before.
 */
export const whenOrderProgressesTellShopper = (deps: OrderMailDeps): Reaction => {
  const mail = mailAbout(deps);
  return reactionTo<OrderEvent>({
    name: 'progress-mails',
    categories: ['order'],
    on: {
      OrderConfirmed: (event) => mail(event, 'order-confirmed'),
      ShipmentCorrected: (event) => mail(event, 'shipment-corrected'),
      ReturnRequested: (event) => mail(event, 'return-requested'),
      ReturnDecided: async (event) => (event.data.because === 'erased' ? [] : mail(event, `return-${event.data.decision}`)),
      ReturnReceived: (event) => mail(event, 'return-received'),
    },
  });
};
