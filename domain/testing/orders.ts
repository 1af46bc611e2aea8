import type { CreateOrder, PlaceOrder } from '../order/checkout.ts';
import type { Checkout, OrderEvent, OrderLine, PaymentMethod, ReturnDecision, ShippingAddress } from '../order/events.ts';
import type { MoveOrder } from '../order/fulfilment.ts';
import type { DecideReturn, ReceiveReturn, RequestReturn } from '../order/returns.ts';
import { order } from '../order/order.ts';
import type { ShipmentTexts } from '../order/shipment-texts.ts';
import { mapOrderTexts } from '../order/texts.ts';
import { orderNumber } from '../shared/ids.ts';
import type { ExistingOrder, OrderStatus } from '../order/rules.ts';
import { instant, type Instant } from '../shared/time.ts';
import { paise } from '../shared/money.ts';
import type { IndianState, PlaceOfSupply } from '../shared/states.ts';
import { ESSENTIAL_OILS, PERFUMES, STANDARD_RATE } from '../tax/rates.ts';
import { typed, type Plain } from './typed.ts';
import { createOffers, evening, gulabLine, meera, morning, noon, oudLine, standardRates, visitor } from './carts.ts';
import { oudSaffronMajlis, ruhGulab } from './products.ts';

export const home = typed<ShippingAddress>({
  name: 'Meera Nair',
  address1: '14 Marine Drive',
  address2: '',
  city: 'Kochi',
  state: 'Kerala',
  postalCode: '682031',
  country: 'India',
  phone: '+91 98470 00000',
  email: 'meera@example.com',
});
export const aNumber = orderNumber('RH-4WPDX9CT');
/** This is the afternoon in India, three days after the order was placed. */
export const deliveryDay = instant('2026-11-17T09:00:00.000Z');

/** Two Oud Saffron Majlis and one Ruh Gulab cost ₹9,350.00 before tax. */
export const soldLines: readonly [OrderLine, OrderLine] = [
  {
    productId: oudSaffronMajlis,
    name: 'Oud Saffron Majlis',
    details: 'Smoked oud · Kashmiri saffron · rose absolute',
    picture: '/pictures/products/oud-saffron-majlis.webp',
    unitPrice: paise(3_450_00),
    quantity: 2,
    hsn: PERFUMES,
    rate: STANDARD_RATE,
  },
  {
    productId: ruhGulab,
    name: 'Ruh Gulab',
    details: 'Pure rose oil · Kannauj · deg-bhapka',
    picture: '/pictures/products/ruh-gulab.webp',
    unitPrice: paise(2_450_00),
    quantity: 1,
    hsn: ESSENTIAL_OILS,
    rate: STANDARD_RATE,
  },
];

const checkout: Plain<Checkout> = { shopper: meera, lines: soldLines, shippingAddress: home, giftWrap: false, giftMessage: '' };

export type CheckoutChanges = Partial<Plain<Checkout>>;

export const created = ({ createdAt = morning, ...changes }: CheckoutChanges & { createdAt?: Instant } = {}) =>
  typed<OrderEvent>({ type: 'OrderCreated', data: { ...checkout, ...changes, createdAt } });
export const revised = ({ revisedAt = noon, ...changes }: CheckoutChanges & { revisedAt?: Instant } = {}) =>
  typed<OrderEvent>({ type: 'OrderRevised', data: { ...checkout, ...changes, revisedAt } });
export const placed = (method: PaymentMethod = 'COD', placedAt = noon, deliveryState: PlaceOfSupply = 'Kerala'): OrderEvent => ({
  type: 'OrderPlaced',
  data: { number: aNumber, method, placedAt, deliveryState },
});
export const confirmed = (note = '', confirmedAt = evening) =>
  typed<OrderEvent>({ type: 'OrderConfirmed', data: { shopper: meera, note, confirmedAt } });
export const packed = (packedAt = evening): OrderEvent => ({ type: 'OrderPacked', data: { packedAt } });
export const unpacked = (unpackedAt = evening): OrderEvent => ({ type: 'OrderUnpacked', data: { unpackedAt } });
export const parcel = { courier: 'Blue Dart', trackingNumber: 'BD4711', trackingUrl: 'https://courier.example/track?number=4711' };
export const shipped = (note = '', shippedAt = evening, named: { placeOfSupply?: IndianState } & Partial<ShipmentTexts> = {}) =>
  typed<OrderEvent>({ type: 'OrderShipped', data: { shopper: meera, note, shippedAt, ...named } });
export const shipmentCorrected = (texts: ShipmentTexts = parcel, correctedAt = evening) =>
  typed<OrderEvent>({ type: 'ShipmentCorrected', data: { shopper: meera, ...texts, correctedAt } });
export const delivered = (deliveredAt = deliveryDay, note = '') =>
  typed<OrderEvent>({ type: 'OrderDelivered', data: { shopper: meera, note, deliveredAt } });
export const cancelled = (reason = '', cancelledAt = evening) =>
  typed<OrderEvent>({ type: 'OrderCancelled', data: { shopper: meera, reason, cancelledAt } });
export const returned = (reason = 'Not for me', returnedAt = deliveryDay) =>
  typed<OrderEvent>({ type: 'OrderReturned', data: { shopper: meera, reason, returnedAt } });
/** Of all that was sold: ₹11,033.00. */
export const returnRequested = (changes: Partial<Plain<Extract<OrderEvent, { type: 'ReturnRequested' }>['data']>> = {}) =>
  typed<OrderEvent>({
    type: 'ReturnRequested',
    data: {
      shopper: meera,
      return: 1,
      lines: soldLines.map(({ productId, quantity }) => ({ productId, quantity })),
      value: paise(11_033_00),
      reason: 'Not for me',
      opened: false,
      requestedAt: deliveryDay,
      ...changes,
    },
  });
export const returnDecided = (decision: ReturnDecision = 'accepted', note = '', number = 1) =>
  typed<OrderEvent>({ type: 'ReturnDecided', data: { shopper: meera, return: number, decision, note, decidedAt: deliveryDay } });
export const returnReceived = (restock = true, number = 1): OrderEvent => ({
  type: 'ReturnReceived',
  data: { return: number, restock, receivedAt: deliveryDay },
});
export const emailCorrected = (email = 'meera.nair@example.com', reason = 'She called', correctedAt = evening) =>
  typed<OrderEvent>({ type: 'OrderEmailCorrected', data: { shopper: meera, email, reason, correctedAt } });
export const claimed = (claimedAt = noon): OrderEvent => ({ type: 'OrderClaimed', data: { from: visitor, by: meera, claimedAt } });

export const historyOf: Readonly<Record<OrderStatus, readonly OrderEvent[]>> = {
  created: [created()],
  pending: [created(), placed()],
  confirmed: [created(), placed(), confirmed()],
  shipped: [created(), placed(), confirmed(), shipped()],
  delivered: [created(), placed(), confirmed(), shipped(), delivered()],
  cancelled: [created(), placed(), cancelled()],
  returned: [created(), placed(), confirmed(), shipped(), delivered(), returned()],
};

export const create = (changes: Partial<CreateOrder> = {}): CreateOrder => ({
  type: 'CreateOrder',
  by: meera,
  lines: [oudLine(2), gulabLine(1)],
  offers: createOffers(),
  rates: standardRates,
  shipping: home,
  giftWrap: false,
  ...mapOrderTexts(() => ''),
  now: morning,
  ...changes,
});
export const place = (changes: Partial<PlaceOrder> = {}): PlaceOrder => ({
  type: 'PlaceOrder',
  by: meera,
  method: 'COD',
  offers: createOffers(),
  number: aNumber,
  now: noon,
  ...changes,
});
export const cancel = ({ by = meera, reason = '' } = {}) => ({ type: 'CancelOrder', by, reason, now: evening }) as const;
export const giveBack = (changes: Partial<RequestReturn> = {}): RequestReturn => ({
  type: 'RequestReturn',
  by: meera,
  reason: 'Not for me',
  opened: false,
  sellerState: 'Uttar Pradesh',
  now: deliveryDay,
  ...changes,
});
export const decideReturn = (decision: ReturnDecision = 'accepted', note = ''): DecideReturn => ({
  type: 'DecideReturn',
  decision,
  note,
  now: deliveryDay,
});
export const receiveReturn = (restock = true): ReceiveReturn => ({ type: 'ReceiveReturn', restock, now: deliveryDay });
export const moveTo = (to: OrderStatus, changes: Partial<MoveOrder> = {}): MoveOrder => ({
  type: 'MoveOrder',
  to,
  note: '',
  unpaid: undefined,
  isErased: false,
  now: evening,
  ...changes,
});
export const claim = ({ from = visitor, by = meera } = {}) => ({ type: 'ClaimOrder', from, by, now: noon }) as const;

/** Returns the order after these events. Throws when there is none. */
export const orderAfter = (...events: readonly OrderEvent[]): ExistingOrder => {
  const state = events.reduce(order.evolve, order.initial);
  if (state.status === 'none') throw new Error('No order after these events');
  return state;
};
