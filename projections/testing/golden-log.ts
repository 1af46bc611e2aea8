import { START, type Recorded, type StreamName } from '#domain/event-store.ts';
import type { Checkout, OrderEvent, ShippingAddress } from '#domain/order/events.ts';
import type { OrderTexts } from '#domain/order/texts.ts';
import { orderId, type OrderId, orderNumber, productId, shopperId } from '#domain/shared/ids.ts';
import type { ProductDetails, ProductEvent } from '#domain/product/events.ts';
import type { MessageEvent, WriterId } from '#domain/message/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import type { ReviewEvent } from '#domain/review/events.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { dateInIndia, instant } from '#domain/shared/time.ts';
import { paise } from '#domain/shared/money.ts';
import { NO_TEXT, personalText } from '#domain/shared/text.ts';
import { home } from '#domain/testing/orders.ts';
import { typed } from '#domain/testing/typed.ts';

import { hsn, taxRate } from '#domain/tax/rates.ts';

import { MemoryLog } from './memory-log.ts';

/*
 * This log never changes: the rows that projectors make of it are compared between releases. It does not use the builders of tests, which
 * may change; the golden samples of the event store use parts of it. Append a new event type at the end of its list, and raise the version
 * of the read models that show it.
 */

const ID = '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f';
const at = (hour: number) => instant(new Date(Date.UTC(2026, 10, 14, hour, 15)).toISOString());
export const goldenDetails: ProductDetails = {
  name: 'Oud Röyal',
  details: 'Oud, amber, rose',
  category: 'oud',
  ratingStar: 4.5,
  reviewsCount: 12,
  productImageUrl: ['/pictures/oud-royal-1.webp'],
  productDescription: 'Smoky oud “for the evening”',
  description: 'Worn close to the skin\nuntil late.',
  productDetails: ['50 ml', 'Extrait de parfum'],
  bestsellers: true,
  isFeatured: false,
  isTrending: true,
  tag: 'New',
};
export const [meera, visitor] = [shopperId('7c9e6679-7425-40de-944b-e07fc1f90ae7'), shopperId('1b4e28ba-2fa1-4d3b-883f-0016d3cca427')];
export const goldenGift: Checkout = {
  shopper: visitor,
  lines: [
    { productId: productId('oud-royal'), name: 'Oud Royal', details: 'Oud', picture: '', unitPrice: paise(2_450_00), quantity: 2 },
    { productId: productId('musk'), name: 'Musk', details: 'White musk', picture: '/m.webp', unitPrice: paise(999_50), quantity: 1 },
  ],
  shippingAddress: typed<ShippingAddress>({ ...home, address2: 'Flat 3' }),
  giftWrap: true,
  giftMessage: personalText('For Amma,\nwith love'),
};
/** Each text of an order, so that a new one changes the hashes of the read models that show it. */
const words: OrderTexts = { giftMessage: personalText('For Amma'), note: personalText('Ring twice') };
const plain: Checkout = { ...goldenGift, shopper: meera, lines: goldenGift.lines.slice(1), giftWrap: false, giftMessage: NO_TEXT };
const taxed: Checkout = { ...plain, lines: plain.lines.map((line) => ({ ...line, hsn: hsn('330300'), rate: taxRate(12.5) })) };
const placement = { number: orderNumber('RH-4WPDX9CT'), method: 'COD', placedAt: at(3) } as const;

const orders = [
  [
    { type: 'OrderCreated', data: { ...goldenGift, createdAt: at(1) } },
    { type: 'OrderRevised', data: { ...goldenGift, ...words, revisedAt: at(2) } },
    { type: 'OrderPlaced', data: placement },
    { type: 'OrderClaimed', data: { from: visitor, by: meera, claimedAt: at(4) } },
    { type: 'OrderConfirmed', data: { shopper: meera, note: personalText('Packed today'), confirmedAt: at(5) } },
    { type: 'OrderShipped', data: { shopper: meera, note: NO_TEXT, shippedAt: at(6), placeOfSupply: 'Goa' } },
    { type: 'OrderDelivered', data: { shopper: meera, note: personalText('Left with the neighbour'), deliveredAt: at(7) } },
    { type: 'OrderReturned', data: { shopper: meera, reason: personalText('Not for me'), returnedAt: at(8) } },
  ],
  [
    { type: 'OrderCreated', data: { ...plain, createdAt: at(9) } },
    { type: 'OrderPlaced', data: { ...placement, number: orderNumber('RH-7KQ2M4XN'), method: 'Prepaid', placedAt: at(19) } },
    { type: 'OrderCancelled', data: { shopper: meera, reason: personalText('Ordered by mistake'), cancelledAt: at(20) } },
  ],
  [
    { type: 'OrderCreated', data: { ...plain, createdAt: at(21) } },
    { type: 'PlacingAbandoned', data: { abandonedAt: at(22) } },
    { type: 'OrderRevised', data: { ...taxed, revisedAt: at(23) } },
  ],
  [
    { type: 'OrderCreated', data: { ...plain, createdAt: at(10) } },
    { type: 'OrderPlaced', data: { ...placement, number: orderNumber('RH-9BCDFGHJ'), placedAt: at(12) } },
  ],
] as const satisfies readonly (readonly OrderEvent[])[];

const price = paise(1_179_41);
const payments = [
  [
    { type: 'PaymentRequested', data: { link: 'plink_1', url: 'https://pay.example/1', total: price, requestedAt: at(19) } },
    { type: 'PaymentFailed', data: { payment: 'pay_0', why: 'Declined', failedAt: at(19) } },
    { type: 'PaymentReminded', data: { remindedAt: at(19) } },
    { type: 'PaymentCaptured', data: { payment: 'pay_1', amount: price, method: 'upi', total: price, capturedAt: at(19) } },
    { type: 'PaymentLinkClosed', data: { link: 'plink_1', closedAt: at(20) } },
    {
      type: 'RefundRequested',
      data: {
        refund: 'pay_1.1',
        payment: 'pay_1',
        amount: price,
        kind: 'cancelled',
        shopper: meera,
        reason: personalText('The order was cancelled'),
        requestedAt: at(20),
      },
    },
    { type: 'RefundRefused', data: { refund: 'pay_1.1', why: 'No funds', isLast: false, refusedAt: at(20) } },
    { type: 'RefundSettled', data: { refund: 'pay_1.1', settledAt: at(21) } },
  ],
  [
    {
      type: 'CashCollected',
      data: { amount: paise(1), total: price, reference: 'RM-7', collectedOn: dateInIndia(at(20)), collectedAt: at(20) },
    },
    { type: 'MismatchFound', data: { mismatch: { kind: 'cash_differs', amount: paise(1), expected: price }, foundAt: at(20) } },
  ],
  [{ type: 'MismatchFound', data: { mismatch: { kind: 'unknown_order', amount: price, method: 'card' }, foundAt: at(20) } }],
] as const satisfies readonly (readonly PaymentEvent[])[];

/** These events of the first payment and of two orders are at the end of the log, so that other positions stay the same. */
const late = [
  { type: 'LatePaymentsSought', data: { look: 1, soughtAt: at(22) } },
  { type: 'MoveBegun', data: { move: 'move_1', begunAt: at(23) } },
  { type: 'MoveBegun', data: { move: 'move_2', begunAt: at(23) } },
  { type: 'MoveEnded', data: { move: 'move_1', endedAt: at(24) } },
] as const satisfies readonly PaymentEvent[];
/** Only these have a parcel's texts. */
const packing = [
  { type: 'OrderConfirmed', data: { shopper: meera, note: NO_TEXT, confirmedAt: at(13) } },
  { type: 'OrderPacked', data: { packedAt: at(14) } },
  { type: 'OrderUnpacked', data: { unpackedAt: at(15) } },
  { type: 'OrderPacked', data: { packedAt: at(16) } },
  {
    type: 'OrderShipped',
    data: { shopper: meera, note: NO_TEXT, shippedAt: at(17), courier: personalText('Blue Dart'), trackingNumber: personalText('BD 4711') },
  },
  {
    type: 'ShipmentCorrected',
    data: {
      shopper: meera,
      courier: personalText('Blue Dart'),
      trackingNumber: personalText('BD 4712'),
      trackingUrl: personalText('https://courier.example/4712'),
      correctedAt: at(18),
    },
  },
] as const satisfies readonly OrderEvent[];
/** The cash of the delivered order was sent back. */
const sentBackCash = [
  {
    type: 'RefundRequested',
    data: {
      refund: 'cash-1',
      payment: 'cash',
      amount: paise(1),
      kind: 'returned',
      shopper: meera,
      reason: NO_TEXT,
      requestedAt: at(25),
      return: 1,
    },
  },
  { type: 'RefundSettled', data: { refund: 'cash-1', settledAt: at(26), reference: 'UTR 4326' } },
] as const satisfies readonly PaymentEvent[];
const givenUp = [{ type: 'MoveAbandoned', data: { abandonedAt: at(24) } }] as const satisfies readonly OrderEvent[];
const lastOfOrder = [
  {
    type: 'OrderEmailCorrected',
    data: { shopper: meera, email: personalText('meera.nair@example.com'), reason: personalText('She called'), correctedAt: at(23) },
  },
] as const satisfies readonly OrderEvent[];

const sentBack = [
  { type: 'OrderDelivered', data: { shopper: meera, note: NO_TEXT, deliveredAt: at(27) } },
  {
    type: 'ReturnRequested',
    data: {
      shopper: meera,
      return: 1,
      lines: [{ productId: productId('musk'), quantity: 1 }],
      value: paise(1_179_41),
      reason: personalText('Not for me'),
      opened: false,
      requestedAt: at(28),
    },
  },
  {
    type: 'ReturnDecided',
    data: { shopper: meera, return: 1, decision: 'accepted', note: personalText('Write the number on the box'), decidedAt: at(29) },
  },
  { type: 'ReturnReceived', data: { return: 1, restock: true, receivedAt: at(30) } },
] as const satisfies readonly OrderEvent[];

const products = [
  [
    { type: 'ProductAdded', data: { details: goldenDetails, price: paise(2_450_00), inStock: true, addedAt: at(1) } },
    { type: 'ProductDetailsRevised', data: { changes: { name: 'Oud Royale', isFeatured: true }, revisedAt: at(2) } },
    { type: 'ProductPriceChanged', data: { from: paise(2_450_00), to: paise(2_300_50), changedAt: at(3) } },
    { type: 'ProductSoldOut', data: { soldOutAt: at(4) } },
    { type: 'ProductDetailsRevised', data: { changes: { hsn: hsn('330300') }, revisedAt: at(5) } },
  ],
  [
    { type: 'ProductAdded', data: { details: { ...goldenDetails, category: '' }, price: paise(0), inStock: false, addedAt: at(5) } },
    { type: 'ProductRestocked', data: { restockedAt: at(6) } },
    { type: 'ProductRemoved', data: { removedAt: at(7) } },
  ],
] as const satisfies readonly (readonly ProductEvent[])[];

/** These are the stock events of the second product, and of the first. */
const stocks = [
  [
    { type: 'StockCounted', data: { quantity: 4, countedAt: at(5) } },
    { type: 'StockReserved', data: { order: orderId(`${ID}0`), quantity: 3, heldBefore: 0, orderRevision: 0, reservedAt: at(5) } },
    { type: 'StockReserved', data: { order: orderId(`${ID}0`), quantity: 2, heldBefore: 3, orderRevision: 1, reservedAt: at(5) } },
    { type: 'StockReserved', data: { order: orderId(`${ID}1`), quantity: 1, heldBefore: 0, orderRevision: 0, reservedAt: at(6) } },
    { type: 'StockShipped', data: { order: orderId(`${ID}0`), quantity: 2, shippedAt: at(6) } },
    { type: 'StockReleased', data: { order: orderId(`${ID}1`), quantity: 1, releasedAt: at(6) } },
    { type: 'StockReceived', data: { quantity: 10, receivedAt: at(6) } },
    { type: 'StockRemoved', data: { quantity: 1, reason: personalText('Broken'), removedAt: at(6) } },
    { type: 'StockLowMarkSet', data: { lowAt: 3, setAt: at(6) } },
    { type: 'StockRestocked', data: { order: orderId(`${ID}0`), quantity: 1, restockedAt: at(7) } },
  ],
  [
    { type: 'StockCounted', data: { quantity: 7, countedAt: at(5) } },
    { type: 'StockCountingEnded', data: { endedAt: at(6) } },
  ],
] as const satisfies readonly (readonly StockEvent[])[];

const ofReview = { product: productId('frozen-0'), author: meera };
const written = { ...ofReview, name: personalText('Meera'), rating: 5, text: personalText('Warm'), writtenAt: at(9) } as const;
const reviews = [
  [
    { type: 'ReviewWritten', data: written },
    { type: 'ReviewRevised', data: { ...ofReview, rating: 2, text: personalText('Gone by noon'), revisedAt: at(10) } },
    { type: 'ReviewHidden', data: { ...ofReview, reason: personalText('Advertises'), hiddenAt: at(11) } },
  ],
  [
    { type: 'ReviewWritten', data: written },
    { type: 'ReviewHidden', data: { ...ofReview, reason: personalText('A mistake'), hiddenAt: at(11) } },
    { type: 'ReviewShown', data: { ...ofReview, shownAt: at(12) } },
  ],
  [
    { type: 'ReviewWritten', data: written },
    { type: 'ReviewWithdrawn', data: { ...ofReview, withdrawnAt: at(13) } },
  ],
] as const satisfies readonly (readonly ReviewEvent[])[];

const answer = { writer: 'address-5f1d' as WriterId, text: personalText('It is here.'), answeredAt: at(14) };
const answered = [
  { type: 'MessageAnswered', data: answer },
  { type: 'MessageAnswered', data: { ...answer, answeredAt: at(15) } },
] as const satisfies readonly MessageEvent[];

type Missing = Exclude<
  OrderEvent['type'] | ProductEvent['type'] | PaymentEvent['type'] | StockEvent['type'] | ReviewEvent['type'] | MessageEvent['type'],
  | (typeof orders | typeof products | typeof payments | typeof stocks | typeof reviews)[number][number]['type']
  | (typeof late | typeof givenUp | typeof lastOfOrder | typeof packing | typeof sentBack | typeof answered)[number]['type']
>;
// This line compiles only if every event type is in one of the lists.
const everyType: [Missing] extends [never] ? true : Missing = true;
void everyType;

const createId = (n: number): OrderId => orderId(`${ID}${n}`);
/** These are the payments of the prepaid order, of a delivered order, and of no order. */
const paymentStreams: readonly StreamName[] = [`payment-${createId(1)}`, `payment-${createId(0)}`, 'payment-pay_9'];

export const goldenLog = async (): Promise<readonly Recorded[]> => {
  const log = new MemoryLog();
  log.pageSize = Infinity;
  for (const [index, events] of products.entries()) log.append(`product-frozen-${index}`, ...events);
  for (const [index, events] of orders.entries()) log.append(`order-${createId(index)}`, ...events);
  for (const [index, events] of payments.entries()) log.append(paymentStreams[index] ?? 'payment-none', ...events);
  for (const [index, events] of stocks.entries()) log.append(`stock-frozen-${1 - index}`, ...events);
  log.append(`payment-${createId(1)}`, ...late);
  log.append(`order-${createId(0)}`, ...lastOfOrder);
  log.append(`payment-${createId(0)}`, ...sentBackCash);
  log.append(`order-${createId(3)}`, ...givenUp, ...packing, ...sentBack);
  for (const [index, events] of reviews.entries()) log.append(`review-${createId(index)}`, ...events);
  log.append('message-1', ...answered);
  return log.page(START, Number.MAX_SAFE_INTEGER, ['product', 'order', 'payment', 'stock', 'review', 'message']);
};
