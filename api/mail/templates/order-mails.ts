import { estimatedDelivery, lastDayToReturn, returnPolicy, type PlacedOrder } from '#domain/order/rules.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import { textsFor } from '#domain/order/texts.ts';
import { formatRupees, ZERO, type Paise } from '#domain/shared/money.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { pages, verifyPath } from '#domain/site/pages.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { Attachment, Mail, MailedDocument, MailedInvoice } from '../mail.ts';
import { layout } from './layout.ts';
import {
  addressLines,
  buttonPart,
  factPart,
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

/** `publicUrl` has scheme, host and port; `page` opens the order in every browser. */
type MailLinks = { readonly publicUrl: string; readonly page: string };

type Template = (
  order: MailedOrder,
  links: MailLinks,
  more: Pick<OrderMail, 'amount' | 'reference' | 'invoice' | 'attachment'> & Recipient,
) => MailContent;

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

/** Names the sum to have ready at the door. */
const cashToHaveReady = (order: MailedOrder): readonly MailPart[] =>
  order.placement.method === 'COD'
    ? [textPart(`Please have ${formatRupees(computeTotals(order).total)} ready in cash: you pay when the parcel comes.`)]
    : [];

/** Writes what staff know of the parcel. A mail that waits since an earlier release has an order without it. */
const parcel = ({ shipment }: MailedOrder): readonly MailPart[] =>
  [
    ['Courier', shipment?.courier],
    ['Tracking number', shipment?.trackingNumber],
  ].flatMap(([name, value]) => (value ? [factPart(`${name}`, value)] : []));

const pageLink = ({ page }: MailLinks): MailPart => linkPart('Everything about your order is on', 'its page', page);

/** The button leads to the courier if staff gave its link, which is theirs and not the shopper's. */
const trackButton = (order: MailedOrder, links: MailLinks): readonly MailPart[] => {
  const link = order.shipment?.trackingUrl;
  return link ? [buttonPart('Track your order', link), pageLink(links)] : [buttonPart('View your order', links.page)];
};

/** Returns the note of staff or shopper on the order's last step. */
const lastNote = ({ history }: MailedOrder, heading: string, { isShopper }: Recipient): readonly MailPart[] => {
  const text = isShopper ? (history.at(-1)?.note.trim() ?? '') : '';
  return text === '' ? [] : [written(heading, text)];
};

/** Links to the order's page, whose button leads to the gateway. */
const payButton = (order: MailedOrder, { page }: MailLinks): MailPart =>
  buttonPart(`Pay ${formatRupees(computeTotals(order).total)}`, page);

/** An order is not confirmed before its payment has arrived. */
const NEXT: Readonly<Record<PaymentMethod, string>> = { COD: 'We look at it next', Prepaid: 'Once it is paid we look at it' };

const receiptPart = ({ publicUrl }: MailLinks): MailPart =>
  linkPart(
    'The receipt attached to this mail proves that your order stands in our log, and we cannot change it unnoticed. Anybody can verify it on',
    'our page for receipts',
    publicUrl + verifyPath,
  );

const placed: Template = (order, links, { attachment, ...to }) => ({
  subjectEnd: 'is placed',
  title: 'Thank you for your order',
  lead: `${greeting(order, to)} is with us. ${NEXT[order.placement.method]}, and its page shows when it is confirmed.`,
  parts: [
    expectedDelivery(estimatedDelivery(order.placement.placedAt)),
    orderedPerfumes(order.lines),
    summary(computeTotals(order), PAYMENT[order.placement.method]),
    ...cashToHaveReady(order),
    ...(to.isShopper ? textsFor('shopper', order).map(({ title, text, isQuoted }) => written(title, text, isQuoted)) : []),
    ...deliveryAddress(order, to),
    ...(attachment ? [receiptPart(links)] : []),
    order.placement.method === 'Prepaid' ? payButton(order, links) : buttonPart('View your order', links.page),
  ],
});

const confirmed: Template = (order, links, to) => ({
  subjectEnd: 'is confirmed',
  title: 'Your order is confirmed',
  lead: `${greeting(order, to)} is confirmed, and we are packing it. We write again when it leaves our house.`,
  parts: [
    expectedDelivery(estimatedDelivery(order.placement.placedAt)),
    ...lastNote(order, 'A word from us', to),
    orderedPerfumes(order.lines),
    summary(computeTotals(order), PAYMENT[order.placement.method]),
    ...cashToHaveReady(order),
    ...deliveryAddress(order, to),
    buttonPart('View your order', links.page),
  ],
});

const invoiceLink = ({ number }: MailedInvoice, { page }: MailLinks): MailPart =>
  linkPart('Your invoice is attached; to print it, open', number, `${page}?show=invoice`);

const shipped: Template = (order, links, { invoice, ...to }) => ({
  subjectEnd: 'is on its way',
  title: 'Your perfumes are on their way',
  lead: 'Your order has left our house.',
  parts: [
    expectedDelivery(estimatedDelivery(order.placement.placedAt)),
    ...parcel(order),
    ...lastNote(order, 'A word from us', to),
    orderedPerfumes(order.lines),
    ...cashToHaveReady(order),
    ...deliveryAddress(order, to),
    ...(invoice ? [invoiceLink(invoice, links)] : []),
    ...trackButton(order, links),
  ],
});

const shipmentCorrected: Template = (order, links) => ({
  subjectEnd: 'has new tracking details',
  title: 'Where your parcel is',
  lead:
    parcel(order).length > 0 || order.shipment?.trackingUrl
      ? 'This is how you follow your parcel. It replaces what we wrote before.'
      : 'What we told you about your parcel was wrong. There is no number by which you could follow it.',
  parts: [...parcel(order), expectedDelivery(estimatedDelivery(order.placement.placedAt)), ...trackButton(order, links)],
});

const returnDeadline = (deliveredAt: Instant): MailPart =>
  textPart(`${returnPolicy.unopened} For this order that is until ${formatWeekday(lastDayToReturn(deliveredAt))}.`);

/** The mail contains the last day to return the order. */
const delivered: Template = (order, links, to) => ({
  subjectEnd: 'was delivered',
  title: 'Your perfumes have arrived',
  lead: 'Your order was delivered. Let a new perfume rest for a day, upright and away from the sun, before you wear it.',
  parts: [
    ...lastNote(order, 'A word from us', to),
    orderedPerfumes(order.lines),
    ...(order.deliveredAt === null ? [] : [returnDeadline(order.deliveredAt)]),
    buttonPart('View your order', links.page),
  ],
});

/** The button leads to the shop; nothing is left to do on the order's page. */
const exploreButton = (links: MailLinks): readonly MailPart[] => [
  buttonPart('Explore the collection', links.publicUrl + pages.shop),
  pageLink(links),
];

const cancelled: Template = (order, links, to) => ({
  subjectEnd: 'is cancelled',
  title: 'Your order is cancelled',
  lead: 'Your order is cancelled, and nothing of it will be sent. There is nothing more for you to do.',
  parts: [
    ...(order.placement.method === 'Prepaid'
      ? [textPart('What you have paid for it goes back to you by itself, and we write when it does.')]
      : []),
    ...lastNote(order, 'The reason given', to),
    orderedPerfumes(order.lines),
    ...exploreButton(links),
  ],
});

const paymentOver: Template = (order, links) => ({
  subjectEnd: 'is cancelled',
  title: 'Your order is cancelled',
  lead: 'Your payment did not reach us in time, so the order is cancelled and nothing of it will be sent. If money should still arrive, it goes back to you by itself.',
  parts: [orderedPerfumes(order.lines), ...exploreButton(links)],
});

const paid: Template = (order, links, { amount = computeTotals(order).total }) => ({
  subjectEnd: 'is paid',
  title: 'Thank you, your payment has arrived',
  lead: `We have received ${formatRupees(amount)} for your order.`,
  parts: [orderedPerfumes(order.lines), summary(computeTotals(order), 'Paid'), buttonPart('View your order', links.page)],
});

const reminder: Template = (order, links, to) => ({
  subjectEnd: 'waits for its payment',
  title: 'Your order waits for its payment',
  lead: `${greeting(order, to)} is kept for you, but it is not paid yet.`,
  parts: [orderedPerfumes(order.lines), summary(computeTotals(order), PAYMENT.Prepaid), payButton(order, links)],
});

const refunded: Template = (order, links, { amount = computeTotals(order).total, reference: transfer }) => ({
  subjectEnd: 'has a refund',
  title: 'Your money is on its way back',
  lead: `We have refunded ${formatRupees(amount)}${transfer ? ' by bank or UPI transfer' : ''}. Depending on your bank it shows in your account within a few days.`,
  parts: [...(transfer ? [factPart('Reference of the transfer', transfer)] : []), buttonPart('View your order', links.page)],
});

/** The return is the newest of the order as it was at the event. */
const returnParts = ({ lines, returns }: MailedOrder): readonly MailPart[] => {
  const { lines: back, value } = returns.at(-1) ?? { lines: [], value: ZERO };
  const perfumes = lines.flatMap((line) => {
    const quantity = back.find(({ productId }) => productId === line.productId)?.quantity ?? 0;
    return quantity > 0 ? [{ ...line, quantity: Math.min(quantity, line.quantity) }] : [];
  });
  return [orderedPerfumes(perfumes, 'What comes back'), factPart('With its tax it comes to', formatRupees(value))];
};

const returnRequested: Template = (order, links, { isShopper }) => ({
  subjectEnd: 'has a return',
  title: 'We have your wish to return',
  lead: 'You asked to return what is listed here. We look at it and write to you; please keep the bottles closed and with you until then.',
  parts: [
    ...returnParts(order),
    ...(isShopper && order.returns.at(-1)?.reason ? [written('Your reason', order.returns.at(-1)?.reason ?? '')] : []),
    buttonPart('View your order', links.page),
  ],
});

/** Returns the note of staff on their decision; to an address that nobody has proven it says where that stands. */
const decisionNote = ({ returns }: MailedOrder, heading: string, { isShopper }: Recipient): readonly MailPart[] => {
  const note = returns.at(-1)?.note.trim() ?? '';
  if (note === '') return [];
  return [isShopper ? written(heading, note) : textPart(`${heading} stands on the page of your order.`)];
};

/** Cash does not go back the way it came. */
const askWhereTo = ({ placement }: MailedOrder): readonly MailPart[] =>
  placement.method === 'COD'
    ? [
        textPart(
          'What you paid in cash goes back by bank or UPI transfer. Please answer this mail with your UPI ID, or with the number and IFSC of your bank account.',
        ),
      ]
    : [];

const returnAccepted: Template = (order, links, to) => ({
  subjectEnd: 'may come back',
  title: 'Your return is accepted',
  lead: 'Please send back what is listed here, unopened and well wrapped. You pay the postage. What you have paid for it goes back to you once it is here.',
  parts: [
    ...decisionNote(order, 'A word from us', to),
    ...returnParts(order),
    ...askWhereTo(order),
    buttonPart('See where to send it', links.page),
  ],
});

const returnRefused: Template = (order, links, to) => ({
  subjectEnd: 'cannot come back',
  title: 'We cannot take this return',
  lead: 'We cannot take back what is listed here, and please do not send it.',
  parts: [
    ...decisionNote(order, 'Our reason', to),
    ...returnParts(order),
    textPart(returnPolicy.unopened),
    buttonPart('View your order', links.page),
  ],
});

const returnReceived: Template = (order, links) => ({
  subjectEnd: 'is back with us',
  title: 'Your return has come',
  lead: 'What you sent back is here. What you have paid for it goes back to you, and we write when it does.',
  parts: [...returnParts(order), ...askWhereTo(order), buttonPart('View your order', links.page)],
});

/** Somebody asked for it by number and address, most likely the shopper. */
const link: Template = (_, { page }) => ({
  subjectEnd: 'opens here',
  title: 'The link to your order',
  lead: 'You, or somebody who knows its number and your address, asked us for the link to your order. It opens the order on any device.',
  parts: [buttonPart('View your order', page)],
});

const TEMPLATES = {
  'order-placed': placed,
  'order-confirmed': confirmed,
  'order-shipped': shipped,
  'shipment-corrected': shipmentCorrected,
  'order-delivered': delivered,
  'order-cancelled': cancelled,
  'order-paid': paid,
  'payment-reminder': reminder,
  'payment-over': paymentOver,
  'order-refunded': refunded,
  'return-requested': returnRequested,
  'return-accepted': returnAccepted,
  'return-refused': returnRefused,
  'return-received': returnReceived,
  'order-link': link,
} as const satisfies Readonly<Record<string, Template>>;

export type OrderNews = keyof typeof TEMPLATES;
export const orderNews = Object.keys(TEMPLATES) as readonly OrderNews[];

/**
 * The order is stored as of the event, so that the mail is the same whenever it is composed. It may wait in the outbox across releases: add
 * optional fields only, never rename or retype. An older release that knows only complete mails finds no address here, and leaves it to
 * newer ones.
 */
export type OrderMailInput = {
  readonly news: OrderNews;
  readonly order: MailedOrder;
  readonly publicUrl: string;
  /** The mail is about this amount. */
  readonly amount?: Paise | undefined;
  /** The reference is that of a transfer, by which cash was refunded. */
  readonly reference?: string | undefined;
  readonly invoice?: MailedInvoice | undefined;
  readonly traceparent?: string | undefined;
};

const KEEP = 'The link opens your order without a password: please do not pass this mail on.';

/**
 * `page` is the link by which the order is opened in every browser. It is made when the mail is sent, for the address that it goes to, and so
 * is the attachment.
 */
export type OrderMail = OrderMailInput & { readonly page: string; readonly attachment?: Attachment | undefined };

/** Returns what a mail about an order has attached: the receipt when it is placed, the invoice when it ships. */
export const findAttachment = ({ news, order, invoice }: OrderMailInput): MailedDocument | undefined => {
  if (news === 'order-placed') return { receipt: { order: order.id, number: order.placement.number } };
  return invoice && { invoice };
};

/** Composes a mail to the e-mail address of the shipping address. User input is in the text, never in a header, and never a link. */
export const composeOrderMail = (
  { news, order, publicUrl, amount, reference: transfer, invoice, attachment, traceparent, page }: OrderMail,
  { isShopper }: Recipient = { isShopper: false },
): Mail => {
  const { shippingAddress, placement } = order;
  const {
    subjectEnd,
    title,
    lead,
    parts: content,
  } = TEMPLATES[news](order, { publicUrl, page }, { amount, reference: transfer, invoice, attachment, isShopper });
  const parts = [
    textPart(lead),
    reference(placement.number, placement.placedAt),
    ...content,
    textPart(KEEP),
    linkPart('If you have an account, all that you order with it is in', 'My Orders', publicUrl + pages.myOrders),
  ];
  return {
    to: shippingAddress.email,
    subject: `Your Ruhani order ${placement.number} ${subjectEnd}`,
    text: [title, ...parts.map(({ text }) => text), FOOT, 'RUHANI\n'].join('\n\n'),
    html: layout({ title, preview: lead, body: parts.map(({ html }) => html), foot: FOOT }),
    attachment,
    traceparent,
  };
};
