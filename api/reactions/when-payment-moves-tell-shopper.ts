import { isLost, readUnlessCut, type Recorded } from '#domain/event-store.ts';
import { order, orderStream } from '#domain/order/order.ts';
import { isPlaced } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { nothingToPay, payment } from '#domain/payment/payment.ts';
import { completing, isPaidFor, NO_PAYMENT, type Payment } from '#domain/payment/rules.ts';
import { isOrderId, type OrderId } from '#domain/shared/ids.ts';
import { streamId } from '#projections/engine/define-projector.ts';

import type { Shop } from '../shop.ts';
import type { CausedMail } from '../mail/outbox.ts';
import type { OrderMailInput } from '../mail/templates/order-mails.ts';
import { paymentMailCauses } from './order-mail-causes.ts';
import { reactionTo, type Reaction } from './reaction.ts';

type Deps = Pick<Shop, 'store' | 'load'> & { readonly publicUrl: string };

/**
 * Mails the shopper when an order is paid, when a payment is missing, and for each refund that has arrived. Erased shoppers get no mails.
 */
export const whenPaymentMovesTellShopper = ({ store, load, publicUrl }: Deps): Reaction => {
  const mail = async (
    event: Recorded<PaymentEvent>,
    cause: string,
    news: OrderMailInput['news'],
    facts: Pick<OrderMailInput, 'amount' | 'reference'> = {},
  ): Promise<CausedMail[]> => {
    const id = streamId(event.stream);
    if (!isOrderId(id)) return [];
    const { state } = await load(order, orderStream(id));
    if (!isPlaced(state) || isLost(state.shippingAddress.email)) return [];
    return [{ cause, mail: { news, order: { ...state, id }, publicUrl, ...facts } }];
  };

  /** Returns the payment after the event and the other events of its command, so that later events do not change it. */
  const paymentAt = async ({ stream, revision, metadata: { commandId } }: Recorded<PaymentEvent>): Promise<Payment> => {
    const { events } = await readUnlessCut<PaymentEvent>(store, stream);
    return events.filter((each) => each.revision <= revision || each.metadata.commandId === commandId).reduce(payment.evolve, NO_PAYMENT);
  };
  /** Reads the current state: a payment may have arrived since, or the order may have been cancelled. */
  const isDue = async ({ stream }: Recorded<PaymentEvent>): Promise<boolean> => {
    const { state } = await load(order, orderStream(streamId(stream) as OrderId));
    return state.status !== 'none' && !nothingToPay(computeBill(state), (await load(payment, stream)).state);
  };
  const createCauses = (event: Recorded<PaymentEvent>) => paymentMailCauses(streamId(event.stream) as OrderId);

  return reactionTo<PaymentEvent>({
    name: 'payment-mails',
    categories: ['payment'],
    from: 'beginning',
    on: {
      PaymentCaptured: async (event) => {
        const after = await paymentAt(event);
        // A payment that is refunded immediately pays nothing.
        const isCompleting = completing(after)?.payment === event.data.payment && isPaidFor(after);
        return isCompleting ? mail(event, createCauses(event).paid, 'order-paid', { amount: event.data.total }) : [];
      },
      PaymentReminded: async (event) => ((await isDue(event)) ? mail(event, createCauses(event).reminder, 'payment-reminder') : []),
      RefundSettled: async (event) => {
        const { refund, reference } = event.data;
        const amount = (await paymentAt(event)).refunds.find(({ id }) => id === refund)?.amount;
        return amount === undefined ? [] : mail(event, createCauses(event).refunded + refund, 'order-refunded', { amount, reference });
      },
    },
  });
};
