import type { CartEvent, CartLine } from '#domain/cart/events.ts';
import type { Checkout, OrderEvent } from '#domain/order/events.ts';
import { orderId, orderNumber, productId } from '#domain/shared/ids.ts';
import type { CreditNoteEvent, InvoiceEvent, TaxDocument } from '#domain/invoice/events.ts';
import type { MessageEvent, WriterId } from '#domain/message/events.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import type { ProductDetails, ProductEvent } from '#domain/product/events.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';
import { calendarDate, instant, type CalendarDate } from '#domain/shared/time.ts';
import type { ReviewEvent } from '#domain/review/events.ts';
import type { InvitationId, MemberId, StaffEvent } from '#domain/staff/events.ts';
import type { TaxEvent } from '#domain/tax/events.ts';
import { PERFUMES, taxRate } from '#domain/tax/rates.ts';
import type { Paise } from '#domain/shared/money.ts';
import { NO_TEXT, personalText } from '#domain/shared/text.ts';
import { goldenDetails, goldenGift, meera, visitor } from '#projections/testing/golden-log.ts';
import type { WishlistEvent } from '#domain/wishlist/events.ts';

/** The last sample has every field, so that a new optional field compiles only once it has a sample. */
type Sample<Data> = readonly [...Data[], Required<Data>];
type Samples<Event extends DomainEvent> = { readonly [Type in Event['type']]: Sample<Extract<Event, { type: Type }>['data']> };

const paise = (amount: number) => amount as Paise;
const noon = instant('2026-11-14T12:00:00.000Z');

const oudRoyal: ProductDetails = {
  ...goldenDetails,
  name: 'Oud Royal',
  productImageUrl: ['/pictures/oud-royal-1.webp', '/pictures/oud-royal-2.webp'],
  productDescription: 'Smoky oud “for the evening” — ₹2,450.00',
};

const oudRoyalId = productId('oud-royal');
const anOrder = orderId('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4');
const oudLine: CartLine = { productId: oudRoyalId, name: 'Oud Royal', price: paise(2_450_00), quantity: 2 };

const productSamples: Samples<ProductEvent> = {
  ProductAdded: [
    { details: oudRoyal, price: paise(2_450_00), inStock: true, addedAt: noon },
    { details: { ...oudRoyal, category: '', productImageUrl: [], productDetails: [] }, price: paise(0), inStock: false, addedAt: noon },
    { details: { ...oudRoyal, hsn: PERFUMES }, price: paise(2_450_00), inStock: true, addedAt: noon },
  ],
  ProductDetailsRevised: [
    { changes: { name: 'Oud Royale', isFeatured: true }, revisedAt: noon },
    { changes: oudRoyal, revisedAt: noon },
  ],
  ProductPriceChanged: [{ from: paise(2_450_00), to: paise(2_300_50), changedAt: noon }],
  ProductSoldOut: [{ soldOutAt: noon }],
  ProductRestocked: [{ restockedAt: noon }],
  ProductRemoved: [{ removedAt: noon }],
};

const cartSamples: Samples<CartEvent> = {
  ItemAdded: [{ ...oudLine, addedAt: noon }],
  QuantityChanged: [{ productId: oudRoyalId, quantity: 99, changedAt: noon }],
  ItemRemoved: [{ productId: oudRoyalId, removedAt: noon }],
  CartClosed: [{ into: meera, closedAt: noon }],
  CartsMerged: [
    { from: visitor, into: meera, lines: [oudLine], closedAt: noon, mergedAt: noon },
    { from: visitor, into: meera, lines: [], closedAt: noon, mergedAt: noon },
    {
      from: visitor,
      into: meera,
      lines: [],
      closedAt: noon,
      mergedAt: noon,
      noRoomFor: [{ productId: oudLine.productId, name: oudLine.name, quantity: 1 }],
    },
  ],
  OrderedItemsTaken: [
    { order: anOrder, lines: [{ productId: oudRoyalId, quantity: 2 }], placedAt: noon, takenAt: noon },
    { order: anOrder, lines: [], placedAt: noon, takenAt: noon },
  ],
};

const gift: Checkout = {
  ...goldenGift,
  shopper: meera,
  lines: [
    {
      productId: oudRoyalId,
      name: 'Oud Royal',
      details: 'Oud, amber, rose',
      picture: '/pictures/oud-royal-1.webp',
      unitPrice: paise(2_450_00),
      quantity: 2,
    },
  ],
  giftMessage: personalText('For Amma,\nwith love — ₹ “”'),
};
const plain: Checkout = {
  ...gift,
  lines: gift.lines.map((line) => ({ ...line, picture: '' })),
  shippingAddress: { ...gift.shippingAddress, address2: NO_TEXT },
  giftWrap: false,
  giftMessage: NO_TEXT,
};

const whole: Required<Checkout> = { ...gift, note: personalText('Ring twice') };

const parcel = {
  courier: personalText('Blue Dart'),
  trackingNumber: personalText('BD 4711'),
  trackingUrl: personalText('https://courier.example/track?number=4711'),
};

const orderSamples: Samples<OrderEvent> = {
  OrderCreated: [
    { ...gift, createdAt: noon },
    { ...plain, createdAt: noon },
    { ...gift, note: personalText('Ring twice,\nplease'), createdAt: noon },
    { ...plain, lines: plain.lines.map((line) => ({ ...line, hsn: PERFUMES, rate: taxRate(12.5) })), createdAt: noon },
    { ...whole, createdAt: noon },
  ],
  OrderRevised: [
    { ...gift, revisedAt: noon },
    { ...plain, revisedAt: noon },
    { ...gift, note: personalText('Ring twice'), revisedAt: noon },
    { ...plain, lines: plain.lines.map((line) => ({ ...line, hsn: PERFUMES, rate: taxRate(12.5) })), revisedAt: noon },
    { ...whole, revisedAt: noon },
  ],
  OrderPlaced: [
    { number: orderNumber('RH-4WPDX9CT'), method: 'COD', placedAt: noon },
    { number: orderNumber('RH-4WPDX9CT'), method: 'Prepaid', placedAt: noon },
    { number: orderNumber('RH-4WPDX9CT'), method: 'Prepaid', placedAt: noon, deliveryState: 'Kerala' },
  ],
  OrderConfirmed: [
    { shopper: meera, note: personalText('Packed today'), confirmedAt: noon },
    { shopper: meera, note: NO_TEXT, confirmedAt: noon },
  ],
  OrderShipped: [
    { shopper: meera, note: personalText('With the evening post'), shippedAt: noon },
    { shopper: meera, note: NO_TEXT, shippedAt: noon },
    { shopper: meera, note: NO_TEXT, shippedAt: noon, placeOfSupply: 'Kerala' },
    { shopper: meera, note: NO_TEXT, shippedAt: noon, placeOfSupply: 'Kerala', ...parcel },
  ],
  ShipmentCorrected: [{ shopper: meera, ...parcel, correctedAt: noon }],
  OrderPacked: [{ packedAt: noon }],
  OrderUnpacked: [{ unpackedAt: noon }],
  OrderDelivered: [
    { shopper: meera, note: personalText('Left with the neighbour'), deliveredAt: noon },
    { shopper: meera, note: NO_TEXT, deliveredAt: noon },
  ],
  OrderCancelled: [
    { shopper: meera, reason: personalText('Ordered by mistake'), cancelledAt: noon },
    { shopper: meera, reason: personalText('It was not paid in time'), cancelledAt: noon, because: 'unpaid' },
    { shopper: meera, reason: NO_TEXT, cancelledAt: noon },
    { shopper: meera, reason: NO_TEXT, cancelledAt: noon, because: 'unpaid' },
    { shopper: meera, reason: NO_TEXT, cancelledAt: noon, because: 'erased' },
  ],
  ReturnRequested: [
    {
      shopper: meera,
      return: 1,
      lines: [{ productId: oudRoyalId, quantity: 1 }],
      value: paise(2_891_00),
      reason: personalText('Not for me'),
      opened: false,
      requestedAt: noon,
    },
  ],
  ReturnDecided: [
    { shopper: meera, return: 1, decision: 'accepted', note: personalText('Write the number on the box'), decidedAt: noon },
    { shopper: meera, return: 1, decision: 'refused', note: NO_TEXT, decidedAt: noon, because: 'erased' },
  ],
  ReturnReceived: [
    { return: 1, restock: false, receivedAt: noon },
    { return: 1, restock: true, receivedAt: noon },
  ],
  OrderReturned: [
    { shopper: meera, reason: personalText('Not for me'), returnedAt: noon },
    { shopper: meera, reason: NO_TEXT, returnedAt: noon },
  ],
  OrderEmailCorrected: [
    { shopper: meera, email: personalText('meera.nair@example.com'), reason: personalText('She called'), correctedAt: noon },
  ],
  OrderClaimed: [{ from: visitor, by: meera, claimedAt: noon }],
  PlacingAbandoned: [{ abandonedAt: noon }],
  MoveAbandoned: [{ abandonedAt: noon }],
};

const price = paise(4_900_00);
const paymentSamples: Samples<PaymentEvent> = {
  PaymentRequested: [{ link: 'plink_1', url: 'https://rzp.io/i/1', total: price, requestedAt: noon }],
  PaymentLinkClosed: [{ link: 'plink_1', closedAt: noon }],
  PaymentCaptured: [{ payment: 'pay_1', amount: price, method: 'upi', total: price, capturedAt: noon }],
  PaymentFailed: [{ payment: 'pay_1', why: 'Declined by the bank', failedAt: noon }],
  PaymentReminded: [{ remindedAt: noon }],
  LatePaymentsSought: [{ look: 1, soughtAt: noon }],
  RefundRequested: [
    {
      refund: 'pay_1.1',
      payment: 'pay_1',
      amount: price,
      kind: 'desk',
      shopper: meera,
      reason: personalText('A broken bottle'),
      requestedAt: noon,
    },
    {
      refund: 'rfnd_1',
      payment: 'pay_1',
      amount: price,
      kind: 'excess',
      shopper: meera,
      reason: NO_TEXT,
      requestedAt: noon,
      isElsewhere: true,
    },
    {
      refund: 'cash-1',
      payment: 'cash',
      amount: price,
      kind: 'returned',
      shopper: meera,
      reason: NO_TEXT,
      requestedAt: noon,
      isElsewhere: true,
      return: 1,
    },
  ],
  RefundSettled: [
    { refund: 'pay_1.1', settledAt: noon },
    { refund: 'cash-1', settledAt: noon, reference: 'UTR 4326 1190 8857' },
  ],
  RefundRefused: [{ refund: 'pay_1.1', why: 'No funds', isLast: false, refusedAt: noon }],
  CashCollected: [
    { amount: price, total: price, reference: 'RM-7', collectedOn: '2026-11-14' as CalendarDate, collectedAt: noon },
    { amount: price, total: price, reference: 'RM-7', file: 'v3F2kQ', collectedOn: '2026-11-14' as CalendarDate, collectedAt: noon },
  ],
  MismatchFound: [
    { mismatch: { kind: 'too_little', amount: paise(1), expected: price }, foundAt: noon },
    { mismatch: { kind: 'refund_refused', refund: 'pay_1.1', amount: price, why: 'No funds' }, foundAt: noon },
    { mismatch: { kind: 'cash_differs', amount: paise(1), expected: price }, foundAt: noon },
    { mismatch: { kind: 'unknown_order', amount: price, method: 'card' }, foundAt: noon },
    { mismatch: { kind: 'page_refused', link: 'plink_1', why: 'Not allowed' }, foundAt: noon },
    { mismatch: { kind: 'news_unreadable', webhook: 'ab12', news: 'payment.failed', why: 'payment.method' }, foundAt: noon },
    { mismatch: { kind: 'refunded_elsewhere', refund: 'rfnd_1', amount: price }, foundAt: noon },
  ],
  MoveBegun: [{ move: 'move_1', begunAt: noon }],
  MoveEnded: [{ move: 'move_1', endedAt: noon }],
};

const stockSamples: Samples<StockEvent> = {
  StockCounted: [{ quantity: 48, countedAt: noon }],
  StockCountingEnded: [{ endedAt: noon }],
  StockReceived: [{ quantity: 12, receivedAt: noon }],
  StockRemoved: [{ quantity: 1, reason: 'Broken on the shelf', removedAt: noon }],
  StockLowMarkSet: [
    { lowAt: 5, setAt: noon },
    { lowAt: null, setAt: noon },
  ],
  StockReserved: [{ order: anOrder, quantity: 2, heldBefore: 0, orderRevision: 1, reservedAt: noon }],
  StockReleased: [{ order: anOrder, quantity: 2, releasedAt: noon }],
  StockShipped: [{ order: anOrder, quantity: 2, shippedAt: noon }],
  StockRestocked: [
    { order: anOrder, quantity: 2, restockedAt: noon },
    { order: anOrder, quantity: 2, restockedAt: noon, return: 1 },
  ],
};

const taxSamples: Samples<TaxEvent> = {
  TaxRateSet: [{ hsn: PERFUMES, rate: taxRate(12.5), from: calendarDate('2027-04-01'), setAt: noon }],
};

const taxDocument: TaxDocument = {
  order: anOrder,
  orderNumber: orderNumber('RH-4WPDX9CT'),
  shopper: meera,
  seller: { name: 'RUHANI', address: 'Lane 1, Kannauj 209725', state: 'Uttar Pradesh', gstin: '09AAACR1234A1Z5' },
  buyer: { name: personalText('Meera Nair'), address: personalText('14 Marine Drive, Kochi 682031, India') },
  buyerState: 'kerala',
  placeOfSupply: 'Kerala',
  lines: [
    {
      productId: oudRoyalId,
      name: 'Oud Royal',
      hsn: PERFUMES,
      quantity: 2,
      unitPrice: paise(2_450_00),
      taxableValue: price,
      rate: taxRate(18),
      cgst: paise(0),
      sgst: paise(0),
      igst: paise(882_00),
    },
  ],
  date: calendarDate('2026-11-14'),
  issuedAt: noon,
};
const {
  seller: { gstin: _, ...sample },
} = taxDocument;
const invoiceSamples: Samples<InvoiceEvent> = {
  InvoiceIssued: [
    { ...taxDocument, giftWrap: paise(39_00), shipping: paise(0), discount: paise(0) },
    {
      ...taxDocument,
      seller: sample,
      buyer: { name: NO_TEXT, address: NO_TEXT },
      giftWrap: paise(0),
      shipping: paise(0),
      discount: paise(0),
    },
    { ...taxDocument, placeOfSupplyAssumed: true, giftWrap: paise(39_00), shipping: paise(0), discount: paise(0) },
  ],
};
const creditNoteSamples: Samples<CreditNoteEvent> = {
  CreditNoteIssued: [
    { ...taxDocument, invoice: { number: 'RH/26-27/000001', date: taxDocument.date }, orderRevision: 5 },
    { ...taxDocument, invoice: { number: 'RH/26-27/000001', date: taxDocument.date }, orderRevision: 7, giftWrap: paise(39_00) },
    {
      ...taxDocument,
      placeOfSupplyAssumed: true,
      invoice: { number: 'RH/26-27/000001', date: taxDocument.date },
      orderRevision: 9,
      giftWrap: paise(39_00),
    },
  ],
};

const ofReview = { product: oudRoyalId, author: meera };
const reviewSamples: Samples<ReviewEvent> = {
  ReviewWritten: [
    { ...ofReview, name: personalText('Meera'), rating: 4, text: NO_TEXT, writtenAt: noon },
    { ...ofReview, name: personalText('Meera'), rating: 5, text: personalText('Warm,\nfrom the first minute'), writtenAt: noon },
  ],
  ReviewRevised: [{ ...ofReview, rating: 3, text: personalText('Gone by noon'), revisedAt: noon }],
  ReviewWithdrawn: [{ ...ofReview, withdrawnAt: noon }],
  ReviewHidden: [{ ...ofReview, reason: personalText('Advertises another seller'), hiddenAt: noon }],
  ReviewShown: [{ ...ofReview, shownAt: noon }],
};

const messageSamples: Samples<MessageEvent> = {
  MessageAnswered: [{ writer: 'address-5f1d' as WriterId, text: personalText('Dear Meera,\nit is here.'), answeredAt: noon }],
};

const [invitation, member] = ['5b1d8a60-3c1b-4d52-9b3e-0f6f3a7c2d11' as InvitationId, '7c9e6679-7425-40de-944b-e07fc1f90ae7' as MemberId];
const staffSamples: Samples<StaffEvent> = {
  StaffInvited: [{ invitation, roles: ['orders', 'money'], expiresAt: noon, invitedAt: noon }],
  InvitationWithdrawn: [{ invitation, withdrawnAt: noon }],
  StaffJoined: [
    { member, roles: ['owner'], invitation: null, joinedAt: noon },
    { member, roles: ['orders', 'money'], invitation, joinedAt: noon },
  ],
  StaffRolesChanged: [{ member, roles: ['catalogue', 'auditor'], changedAt: noon }],
  StaffDisabled: [{ member, disabledAt: noon }],
  StaffEnabled: [{ member, enabledAt: noon }],
  StaffLeft: [{ member, leftAt: noon }],
};

const wishlistSamples: Samples<WishlistEvent> = {
  WishAdded: [{ productId: oudRoyalId, addedAt: noon }],
  WishRemoved: [{ productId: oudRoyalId, removedAt: noon }],
  WishesMerged: [{ from: meera, products: [oudRoyalId], mergedAt: noon }],
};

/** The samples have the current shape of every event, in all variants; older shapes are only in `events.ndjson`. */
export const samples = {
  product: productSamples,
  cart: cartSamples,
  order: orderSamples,
  payment: paymentSamples,
  stock: stockSamples,
  invoices: invoiceSamples,
  'credit-notes': creditNoteSamples,
  tax: taxSamples,
  review: reviewSamples,
  message: messageSamples,
  staff: staffSamples,
  wishlist: wishlistSamples,
};
