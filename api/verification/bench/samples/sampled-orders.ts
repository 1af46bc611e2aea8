import { drawOrderNumber, orderId, shopperId, type OrderId, type ShopperId } from '#domain/shared/ids.ts';
import type { OrderEvent, OrderLine, ShippingAddress } from '#domain/order/events.ts';
import { normalizeShipping } from '#domain/order/checkout.ts';
import { NO_TEXT, personalText } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import { sampleProduct } from './sample-products.ts';

export type Trade = { readonly products: number; readonly shoppers: readonly string[] };

/** Returns ids that are spread like random ones, so that an index is filled evenly. */
export const sampleOrderId = (order: number): OrderId => {
  const spread = (Math.imul(order + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return orderId(`${spread}-0000-8000-8000-${String(order).padStart(12, '0')}`);
};

const createShopper = (order: number, { shoppers }: Trade): ShopperId => shopperId(shoppers[order % shoppers.length] ?? '');

const createLine = (product: number, quantity: number): OrderLine => {
  const { id, details, price } = sampleProduct(product);
  const [picture = ''] = details.productImageUrl;
  return { productId: id, name: details.name, details: details.details, picture, unitPrice: price, quantity };
};

const createLines = (order: number, { products }: Trade): OrderLine[] =>
  [createLine((order * 7) % products, 1 + (order % 3)), createLine((order * 13 + 1) % products, 1)].slice(0, 1 + (order % 2));

const createAddress = (order: number): ShippingAddress =>
  normalizeShipping({
    name: `Meera Nair ${order % 5_000}`,
    address1: `${1 + (order % 400)} Marine Drive`,
    address2: order % 3 === 0 ? 'Fort Kochi' : '',
    city: 'Kochi',
    state: 'Kerala',
    postalCode: '682001',
    country: 'India',
    phone: '+91 98470 00000',
    email: `meera.${order % 5_000}@example.com`,
  });

/** As a new visitor sends it, each with another e-mail address. */
export const sampleShipping = (): object => ({
  name: 'Meera Nair',
  address1: '14 Rose Lane',
  address2: 'Fort Kochi',
  city: 'Kochi',
  state: 'Kerala',
  postalCode: '682001',
  country: 'India',
  phone: '9876543210',
  email: `${crypto.randomUUID()}@example.com`,
});

/** Returns an order number made of the digits in base 31. */
const createNumber = (order: number) => {
  let rest = order;
  return drawOrderNumber((base) => {
    const digit = rest % base;
    rest = (rest - digit) / base;
    return digit;
  });
};

export const sampleOrderEvents: readonly ((order: number, trade: Trade, at: Instant) => OrderEvent)[] = [
  (order, trade, createdAt) => ({
    type: 'OrderCreated',
    data: {
      shopper: createShopper(order, trade),
      lines: createLines(order, trade),
      shippingAddress: createAddress(order),
      giftWrap: order % 5 === 0,
      giftMessage: order % 5 === 0 ? personalText('With love, and for many evenings') : NO_TEXT,
      createdAt,
    },
  }),
  (order, _, placedAt) => ({
    type: 'OrderPlaced',
    data: { number: createNumber(order), method: order % 4 === 0 ? 'Prepaid' : 'COD', placedAt },
  }),
  (order, trade, confirmedAt) => ({ type: 'OrderConfirmed', data: { shopper: createShopper(order, trade), note: NO_TEXT, confirmedAt } }),
  (order, trade, shippedAt) => ({
    type: 'OrderShipped',
    data: {
      shopper: createShopper(order, trade),
      note: order % 4 === 0 ? personalText(`Blue Dart, parcel BD-${order}-IN`) : NO_TEXT,
      shippedAt,
    },
  }),
  (order, trade, deliveredAt) => ({ type: 'OrderDelivered', data: { shopper: createShopper(order, trade), note: NO_TEXT, deliveredAt } }),
];
