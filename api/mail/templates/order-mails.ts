import { estimatedDelivery } from '#domain/order/delivery.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import { lastDayToReturn, returnPolicy } from '#domain/order/return-policy.ts';
import type { Placement } from '#domain/order/standing.ts';
import type { ExistingOrder } from '#domain/order/state.ts';
import { totalsOf } from '#domain/order/totals.ts';
import { pages } from '#domain/pages.ts';
import type { OrderId } from '#domain/shared/ids.ts';

import type { Mail } from '../mail.ts';
import { layout } from './layout.ts';
import {
  asks,
  expectedDelivery,
  giftMessage,
  note,
  perfumes,
  reference,
  refers,
  says,
  shippingTo,
  summary,
  weekdayOf,
  type Part,
} from './order-parts.ts';

/** An order that its shopper has placed. */
export type PlacedOrder = ExistingOrder & { readonly id: OrderId; readonly placement: Placement };

/** `publicUrl` is where the shop is found: scheme, host and port. */
type OrderMail = (order: PlacedOrder, publicUrl: string) => Mail;

const FOOT = 'Is anything not as it should be? Answer this mail, and one of us will see to it.';

const PAYMENT: Readonly<Record<PaymentMethod, string>> = { COD: 'Payment: Cash on Delivery (COD)', Prepaid: 'Payment: Prepaid' };

type Letter = { readonly subject: string; readonly title: string; readonly lead: string; readonly parts: readonly Part[] };

/** The parts as a mail to where the order is shipped. What people typed stands in it as text, and in no header. */
const letter = ({ shippingAddress, placement }: PlacedOrder, { subject, title, lead, parts: others }: Letter): Mail => {
  const parts = [says(lead), reference(placement.number, placement.placedAt), ...others];
  return {
    to: shippingAddress.email,
    subject,
    text: [title, ...parts.map(({ text }) => text), FOOT, 'RUHANI\n'].join('\n\n'),
    html: layout({ title, preview: lead, body: parts.map(({ html }) => html), foot: FOOT }),
  };
};

const pageOf = ({ id }: PlacedOrder, publicUrl: string): string => publicUrl + pages.orderConfirmed.replace(':id', id);
const myOrders = (publicUrl: string): Part => refers('All that you have ordered is in', 'My Orders', publicUrl + pages.myOrders);

/** What the staff or the shopper said to the last step of the order, if anything. */
const lastWord = ({ history }: PlacedOrder, heading: string): readonly Part[] => {
  const word = history.at(-1)?.note.trim() ?? '';
  return word === '' ? [] : [note(heading, word)];
};

/** The receipt: everything that was ordered, what it comes to, and when it will be there. */
const orderPlacedMail: OrderMail = (order, publicUrl) => {
  const { placement, lines, shippingAddress } = order;
  const { number, method, placedAt } = placement;
  return letter(order, {
    subject: `Your Ruhani order ${number} is confirmed`,
    title: 'Thank you for your order',
    lead: `Dear ${shippingAddress.name}, your order is with us, and we are packing it by hand.`,
    parts: [
      expectedDelivery(estimatedDelivery(placedAt)),
      perfumes(lines),
      summary(totalsOf(order), PAYMENT[method]),
      ...(order.giftMessage === '' ? [] : [giftMessage(order.giftMessage)]),
      shippingTo(shippingAddress),
      asks('View your order', pageOf(order, publicUrl)),
      myOrders(publicUrl),
    ],
  });
};

/** It has left the house. */
const orderShippedMail: OrderMail = (order, publicUrl) =>
  letter(order, {
    subject: `Your Ruhani order ${order.placement.number} is on its way`,
    title: 'Your perfumes are on their way',
    lead: 'Your order has left our house.',
    parts: [
      expectedDelivery(estimatedDelivery(order.placement.placedAt)),
      ...lastWord(order, 'A word from us'),
      perfumes(order.lines),
      shippingTo(order.shippingAddress),
      asks('Track your order', pageOf(order, publicUrl)),
      myOrders(publicUrl),
    ],
  });

/** It is there, and until when it may come back. */
const orderDeliveredMail: OrderMail = (order, publicUrl) =>
  letter(order, {
    subject: `Your Ruhani order ${order.placement.number} was delivered`,
    title: 'Your perfumes have arrived',
    lead: 'Your order was delivered. Let a new perfume rest for a day, upright and away from the sun, before you wear it.',
    parts: [
      ...lastWord(order, 'A word from us'),
      perfumes(order.lines),
      ...(order.deliveredAt === null
        ? []
        : [says(`${returnPolicy.unopened} For this order that is until ${weekdayOf(lastDayToReturn(order.deliveredAt))}.`)]),
      asks('View your order', pageOf(order, publicUrl)),
      myOrders(publicUrl),
    ],
  });

/** It will not come, whoever cancelled it. */
const orderCancelledMail: OrderMail = (order, publicUrl) =>
  letter(order, {
    subject: `Your Ruhani order ${order.placement.number} is cancelled`,
    title: 'Your order is cancelled',
    lead: 'Your order is cancelled, and nothing of it will be sent. There is nothing more for you to do.',
    parts: [
      ...lastWord(order, 'The reason given'),
      perfumes(order.lines),
      asks('Explore the collection', publicUrl + pages.shop),
      myOrders(publicUrl),
    ],
  });

const ORDER_MAILS = {
  'order-placed': orderPlacedMail,
  'order-shipped': orderShippedMail,
  'order-delivered': orderDeliveredMail,
  'order-cancelled': orderCancelledMail,
} as const satisfies Readonly<Record<string, OrderMail>>;

/**
 * What an order mail is composed from: the order as it was at what it tells of, so that it says the same whenever it is composed. It waits in
 * the outbox across releases: a field may be added as optional, never renamed or retyped. A release that knows only finished mails finds no
 * address here, and leaves it to this one.
 */
export type OrderNews = {
  readonly news: keyof typeof ORDER_MAILS;
  readonly order: PlacedOrder;
  readonly publicUrl: string;
  readonly traceparent?: string | undefined;
};

export const composeNews = ({ news, order, publicUrl, traceparent }: OrderNews): Mail => ({
  ...ORDER_MAILS[news](order, publicUrl),
  traceparent,
});
