import { estimatedDelivery, lastDayToReturn, returnPolicy, type PlacedOrder } from '#domain/order/rules.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import { textsFor } from '#domain/order/texts.ts';
import { formatRupees, type Paise } from '#domain/shared/money.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { pages } from '#domain/site/pages.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { Mail, MailedInvoice } from '../mail.ts';
import { layout } from './layout.ts';
import {
  addressLines,
  buttonPart,
  expectedDelivery,
  written,
  orderedPerfumes,
  reference,
  linkPart,
  readsLikeLink,
  textPart,
  shippingTo,
  summary,
  formatWeekday,
  withoutLinks,
  type MailPart,
} from './order-parts.ts';

export type MailedOrder = PlacedOrder & { readonly id: OrderId };

const FOOT = 'Is anything not as it should be? Answer this mail, and one of us will see to it.';

const PAYMENT: Readonly<Record<PaymentMethod, string>> = { COD: 'Payment: Cash on Delivery (COD)', Prepaid: 'Payment: Prepaid' };

/** `parts` is the body before the closing links. */
type MailContent = { readonly subjectEnd: string; readonly title: string; readonly lead: string; readonly parts: readonly MailPart[] };

/** `publicUrl` has scheme, host and port. */
type Template = (order: MailedOrder, publicUrl: string, more: Pick<OrderMailInput, 'amount' | 'invoice'> & Recipient) => MailContent;

/**
 * `isShopper`: the shopper has proven the address. Otherwise the mail may go to a stranger, who gets no words of whoever typed the address.
 */
export type Recipient = { readonly isShopper: boolean };

/** Returns whether name and address may be in the mail. */
const mayName = ({ shippingAddress }: MailedOrder, { isShopper }: Recipient): boolean =>
  isShopper || !addressLines(shippingAddress).some(readsLikeLink);

const greeting = (order: MailedOrder, to: Recipient): string =>
  mayName(order, to) ? `Dear ${withoutLinks(order.shippingAddress.name)}, your order` : 'Your order';

const deliveryAddress = (order: MailedOrder, to: Recipient): readonly MailPart[] =>
  mayName(order, to) ? [shippingTo(order.shippingAddress)] : [];

const orderPageUrl = ({ id }: MailedOrder, publicUrl: string): string => publicUrl + pages.orderConfirmed.replace(':id', id);

/** Returns the note of staff or shopper on the order's last step. */
const lastNote = ({ history }: MailedOrder, heading: string, { isShopper }: Recipient): readonly MailPart[] => {
  const text = isShopper ? (history.at(-1)?.note.trim() ?? '') : '';
  return text === '' ? [] : [written(heading, text)];
};

/** Links to the order's page, whose button leads to the gateway. */
const payButton = (order: MailedOrder, publicUrl: string): MailPart =>
  buttonPart(`Pay ${formatRupees(computeTotals(order).total)}`, orderPageUrl(order, publicUrl));

/** An order is not confirmed before its payment has arrived. */
const NEXT: Readonly<Record<PaymentMethod, string>> = { COD: 'We look at it next', Prepaid: 'Once it is paid we look at it' };

const placed: Template = (order, publicUrl, to) => ({
  subjectEnd: 'is placed',
  title: 'Thank you for your order',
  lead: `${greeting(order, to)} is with us. ${NEXT[order.placement.method]}, and its page shows when it is confirmed.`,
  parts: [
    expectedDelivery(estimatedDelivery(order.placement.placedAt)),
    orderedPerfumes(order.lines),
    summary(computeTotals(order), PAYMENT[order.placement.method]),
    ...(to.isShopper ? textsFor('shopper', order).map(({ title, text, isQuoted }) => written(title, text, isQuoted)) : []),
    ...deliveryAddress(order, to),
    order.placement.method === 'Prepaid' ? payButton(order, publicUrl) : buttonPart('View your order', orderPageUrl(order, publicUrl)),
  ],
});

const invoiceLink = ({ order, number }: MailedInvoice, publicUrl: string): MailPart =>
  linkPart('Your invoice is attached; to print it, open', number, publicUrl + pages.invoice.replace(':id', order));

const shipped: Template = (order, publicUrl, { invoice, ...to }) => ({
  subjectEnd: 'is on its way',
  title: 'Your perfumes are on their way',
  lead: 'Your order has left our house.',
  parts: [
    expectedDelivery(estimatedDelivery(order.placement.placedAt)),
    ...lastNote(order, 'A word from us', to),
    orderedPerfumes(order.lines),
    ...deliveryAddress(order, to),
    ...(invoice ? [invoiceLink(invoice, publicUrl)] : []),
    buttonPart('Track your order', orderPageUrl(order, publicUrl)),
  ],
});

const returnDeadline = (deliveredAt: Instant): MailPart =>
  textPart(`${returnPolicy.unopened} For this order that is until ${formatWeekday(lastDayToReturn(deliveredAt))}.`);

/** The mail contains the last day to return the order. */
const delivered: Template = (order, publicUrl, to) => ({
  subjectEnd: 'was delivered',
  title: 'Your perfumes have arrived',
  lead: 'Your order was delivered. Let a new perfume rest for a day, upright and away from the sun, before you wear it.',
  parts: [
    ...lastNote(order, 'A word from us', to),
    orderedPerfumes(order.lines),
    ...(order.deliveredAt === null ? [] : [returnDeadline(order.deliveredAt)]),
    buttonPart('View your order', orderPageUrl(order, publicUrl)),
  ],
});

const cancelled: Template = (order, publicUrl, to) => ({
  subjectEnd: 'is cancelled',
  title: 'Your order is cancelled',
  lead: 'Your order is cancelled, and nothing of it will be sent. There is nothing more for you to do.',
  parts: [
    ...lastNote(order, 'The reason given', to),
    orderedPerfumes(order.lines),
    buttonPart('Explore the collection', publicUrl + pages.shop),
  ],
});

const paymentOver: Template = (order, publicUrl) => ({
  subjectEnd: 'is cancelled',
  title: 'Your order is cancelled',
  lead: 'Your payment did not reach us in time, so the order is cancelled and nothing of it will be sent. If money should still arrive, it goes back to you by itself.',
  parts: [orderedPerfumes(order.lines), buttonPart('Explore the collection', publicUrl + pages.shop)],
});

const paid: Template = (order, publicUrl, { amount = computeTotals(order).total }) => ({
  subjectEnd: 'is paid',
  title: 'Thank you, your payment has arrived',
  lead: `We have received ${formatRupees(amount)} for your order.`,
  parts: [
    orderedPerfumes(order.lines),
    summary(computeTotals(order), 'Paid'),
    buttonPart('View your order', orderPageUrl(order, publicUrl)),
  ],
});

const reminder: Template = (order, publicUrl, to) => ({
  subjectEnd: 'waits for its payment',
  title: 'Your order waits for its payment',
  lead: `${greeting(order, to)} is kept for you, but it is not paid yet.`,
  parts: [orderedPerfumes(order.lines), summary(computeTotals(order), PAYMENT.Prepaid), payButton(order, publicUrl)],
});

const refunded: Template = (order, publicUrl, { amount = computeTotals(order).total }) => ({
  subjectEnd: 'has a refund',
  title: 'Your money is on its way back',
  lead: `We have refunded ${formatRupees(amount)}. Depending on your bank it shows in your account within a few days.`,
  parts: [buttonPart('View your order', orderPageUrl(order, publicUrl))],
});

const TEMPLATES = {
  'order-placed': placed,
  'order-shipped': shipped,
  'order-delivered': delivered,
  'order-cancelled': cancelled,
  'order-paid': paid,
  'payment-reminder': reminder,
  'payment-over': paymentOver,
  'order-refunded': refunded,
} as const satisfies Readonly<Record<string, Template>>;

/**
 * The order is stored as of the event, so that the mail is the same whenever it is composed. It may wait in the outbox across releases: add
 * optional fields only, never rename or retype. An older release that knows only complete mails finds no address here, and leaves it to
 * newer ones.
 */
export type OrderMailInput = {
  readonly news: keyof typeof TEMPLATES;
  readonly order: MailedOrder;
  readonly publicUrl: string;
  /** The mail is about this amount. */
  readonly amount?: Paise | undefined;
  readonly invoice?: MailedInvoice | undefined;
  readonly traceparent?: string | undefined;
};

/** Composes a mail to the e-mail address of the shipping address. User input is in the text, never in a header, and never a link. */
export const composeOrderMail = (
  { news, order, publicUrl, amount, invoice, traceparent }: OrderMailInput,
  { isShopper }: Recipient = { isShopper: false },
): Mail => {
  const { shippingAddress, placement } = order;
  const { subjectEnd, title, lead, parts: content } = TEMPLATES[news](order, publicUrl, { amount, invoice, isShopper });
  const parts = [
    textPart(lead),
    reference(placement.number, placement.placedAt),
    ...content,
    linkPart('If you have an account, all that you order with it is in', 'My Orders', publicUrl + pages.myOrders),
  ];
  return {
    to: shippingAddress.email,
    subject: `Your Ruhani order ${placement.number} ${subjectEnd}`,
    text: [title, ...parts.map(({ text }) => text), FOOT, 'RUHANI\n'].join('\n\n'),
    html: layout({ title, preview: lead, body: parts.map(({ html }) => html), foot: FOOT }),
    invoice,
    traceparent,
  };
};
