import type { OrderEvent, ReturnDecision, ShippingAddress } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import { isPlaced } from '#domain/order/rules.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { orderId, orderNumber, productId, shopperId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { NO_TEXT, personalText } from '#domain/shared/text.ts';
import { instant } from '#domain/shared/time.ts';
import { pages } from '#domain/site/pages.ts';
import { roleTitles } from '#domain/staff/duties.ts';
import { PERFUMES, STANDARD_RATE } from '#domain/tax/rates.ts';

import type { Mail } from './mail.ts';
import {
  codeMail,
  emailChangedMail,
  identityLinkedMail,
  invitationMail,
  passwordChangedMail,
  passwordResetMail,
  recoveryCodeMail,
  secondFactorMail,
} from './templates/account-mails.ts';
import { answerMail } from './templates/contact-mails.ts';
import { restockMail, welcomeMail } from './templates/newsletter-mails.ts';
import { composeOrderMail, orderNews, type OrderMailInput, type OrderNews, type Recipient } from './templates/order-mails.ts';

/* One mail of each kind, made of sample events as those of the shop are. A new kind compiles only once it has a sample here. */

const shopper = shopperId('7c9e6679-7425-40de-944b-e07fc1f90ae7');
const id = orderId('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4');
const at = (day: number) => instant(new Date(Date.UTC(2026, 10, day, 8, 36)).toISOString());
const bottle = { hsn: PERFUMES, rate: STANDARD_RATE, picture: '' };

const shippingAddress: ShippingAddress = {
  name: personalText('Ananya Mehta'),
  address1: personalText('12 Carter Road, Flat 4B'),
  address2: personalText('Bandra West'),
  city: personalText('Mumbai'),
  state: personalText('Maharashtra'),
  postalCode: personalText('400050'),
  country: personalText('India'),
  phone: personalText('+91 98200 55501'),
  email: personalText('ananya@example.com'),
};

const created: OrderEvent = {
  type: 'OrderCreated',
  data: {
    shopper,
    lines: [
      {
        ...bottle,
        productId: productId('oud-saffron-majlis'),
        name: 'Oud Saffron Majlis',
        details: 'Smoked oud · Kashmiri saffron · rose absolute',
        unitPrice: paise(3_450_00),
        quantity: 1,
      },
      {
        ...bottle,
        productId: productId('mogra-at-dusk'),
        name: 'Mogra at Dusk',
        details: 'Sambac jasmine · green tea · white musk',
        unitPrice: paise(2_150_00),
        quantity: 2,
      },
    ],
    shippingAddress,
    giftWrap: true,
    giftMessage: personalText('For Amma,\nwho taught me what rain smells like.'),
    note: personalText('Please ring twice, the bell is shy.'),
    createdAt: at(21),
  },
};
const parcel = {
  courier: personalText('Blue Dart'),
  trackingNumber: personalText('BD 4711'),
  trackingUrl: personalText('https://courier.example/track?number=4711'),
};
const number = orderNumber('RH-7K3MQ2XA');
const placed: OrderEvent = { type: 'OrderPlaced', data: { number, method: 'COD', placedAt: at(21), deliveryState: 'Maharashtra' } };
const prepaid: OrderEvent = { type: 'OrderPlaced', data: { ...placed.data, method: 'Prepaid' } };
const cancelled: OrderEvent = { type: 'OrderCancelled', data: { shopper, reason: personalText('Ordered twice'), cancelledAt: at(22) } };
const unpaid: OrderEvent = { type: 'OrderCancelled', data: { shopper, reason: NO_TEXT, cancelledAt: at(22), because: 'unpaid' } };
const confirmed: OrderEvent = { type: 'OrderConfirmed', data: { shopper, note: personalText('Packed on Monday'), confirmedAt: at(22) } };
const shipped: OrderEvent = { type: 'OrderShipped', data: { shopper, note: NO_TEXT, shippedAt: at(24), ...parcel } };
const corrected: OrderEvent = {
  type: 'ShipmentCorrected',
  data: { shopper, ...parcel, trackingNumber: personalText('BD 4712'), correctedAt: at(25) },
};
const delivered: OrderEvent = {
  type: 'OrderDelivered',
  data: { shopper, note: personalText('Left with the neighbour'), deliveredAt: at(27) },
};

const lines = [{ productId: productId('mogra-at-dusk'), quantity: 1 }];
const requested: OrderEvent = {
  type: 'ReturnRequested',
  data: { shopper, return: 1, lines, value: paise(2_537_00), reason: personalText('Not for me'), opened: false, requestedAt: at(28) },
};
const decided = (decision: ReturnDecision, note: string): OrderEvent => ({
  type: 'ReturnDecided',
  data: { shopper, return: 1, decision, note: personalText(note), decidedAt: at(29) },
});
const received: OrderEvent = { type: 'ReturnReceived', data: { return: 1, restock: true, receivedAt: at(30) } };

const orderAfter = (...events: readonly OrderEvent[]): OrderMailInput['order'] => {
  const state = events.reduce(order.evolve, order.initial);
  if (!isPlaced(state)) throw new Error('A sample is an order that was placed');
  return { ...state, id };
};
const returning = (...then: readonly OrderEvent[]) => orderAfter(created, placed, confirmed, shipped, delivered, requested, ...then);
const inFull = computeTotals(orderAfter(created, prepaid)).total;

type Sample = Omit<OrderMailInput, 'news' | 'publicUrl'>;

/** An invoice would be attached, and there is none. */
const orderSamples: Readonly<Record<OrderNews, Sample>> = {
  'order-placed': { order: orderAfter(created, placed) },
  'order-paid': { order: orderAfter(created, prepaid), amount: inFull },
  'payment-reminder': { order: orderAfter(created, prepaid) },
  'payment-over': { order: orderAfter(created, prepaid, unpaid) },
  'order-confirmed': { order: orderAfter(created, placed, confirmed) },
  'order-shipped': { order: orderAfter(created, placed, confirmed, shipped) },
  'shipment-corrected': { order: orderAfter(created, placed, confirmed, shipped, corrected) },
  'order-delivered': { order: orderAfter(created, placed, confirmed, shipped, delivered) },
  'return-requested': { order: returning() },
  'return-accepted': { order: returning(decided('accepted', 'Write RH-7K3MQ2XA on the box')) },
  'return-refused': { order: returning(decided('refused', 'The seal is broken')) },
  'return-received': { order: returning(decided('accepted', ''), received) },
  'order-cancelled': { order: orderAfter(created, prepaid, cancelled) },
  'order-refunded': { order: orderAfter(created, prepaid, cancelled), amount: inFull },
  'order-link': { order: orderAfter(created, placed) },
};

type Module = typeof import('./templates/account-mails.ts') &
  typeof import('./templates/newsletter-mails.ts') &
  typeof import('./templates/contact-mails.ts');
type OtherKind = { [Name in keyof Module]: Module[Name] extends (...given: never) => Mail ? Name : never }[keyof Module];

const createOthers = (publicUrl: string): Readonly<Record<OtherKind, Mail>> => {
  const to = shippingAddress.email;
  const link = (page: string) => `${publicUrl}${page}?token=sample`;
  const page = publicUrl + pages.product.replace(':id', 'mogra-at-dusk');
  return {
    codeMail: codeMail(to, '407193'),
    passwordResetMail: passwordResetMail(to, link(pages.resetPassword)),
    passwordChangedMail: passwordChangedMail(to, 'every other device'),
    secondFactorMail: secondFactorMail(to, true),
    recoveryCodeMail: recoveryCodeMail(to),
    emailChangedMail: emailChangedMail(to, link(pages.takeBackEmail)),
    identityLinkedMail: identityLinkedMail(to),
    invitationMail: invitationMail(to, [roleTitles.orders, roleTitles.money], link(pages.invitation)),
    welcomeMail: welcomeMail(to, link(pages.unsubscribe)),
    answerMail: answerMail({ email: to, message: 'Is Mogra at Dusk sold as an oil too?' }, 'Dear Ananya,\n\nit is, from January on.'),
    restockMail: restockMail({ to, name: 'Mogra at Dusk', price: paise(2_150_00), page, end: link(pages.unsubscribe) }),
  };
};

/** Returns one mail of each kind, by kind, as it goes to this recipient. */
export const sampleMails = (publicUrl: string, recipient: Recipient): ReadonlyMap<string, Mail> => {
  const page = publicUrl + pages.openOrder.replace(':token', 'sample');
  return new Map([
    ...orderNews.map((news) => [news, composeOrderMail({ ...orderSamples[news], news, publicUrl, page }, recipient)] as const),
    ...Object.entries(createOthers(publicUrl)),
  ]);
};
