import type { Brand } from './brand.ts';
import { isUuid } from './uuid.ts';

export type ProductId = Brand<string, 'ProductId'>;

/** Valid as part of a stream's name, and of an address. */
const SLUG = /^[0-9a-z](?:[0-9a-z-]{0,62}[0-9a-z])?$/;

/** Whether it could be a product's id: any other text need not be looked up. */
export const isProductId = (text: string): text is ProductId => SLUG.test(text);

/** Takes lower-case letters, digits and inner dashes, 64 at most: a uuid, or the slug of a seeded perfume. Throws on anything else. */
export const productId = (text: string): ProductId => {
  if (!isProductId(text)) throw new Error(`Not a product id: ${text}`);
  return text;
};

/** A user, or the visitor of a browser session. A visitor's id is never used again after sign-in. */
export type ShopperId = Brand<string, 'ShopperId'>;

/** A uuid that cannot be guessed (see `orderIdOf`); only the owner can read the order all the same. */
export type OrderId = Brand<string, 'OrderId'>;

/** Takes lower-case letters, digits and inner dashes, 64 at most: in the shop, a uuid. Throws on anything else. */
export const shopperId = (text: string): ShopperId => {
  if (!SLUG.test(text)) throw new Error(`Not a shopper id: ${text}`);
  return text as ShopperId;
};

/** Whether it could be an order's id: any other text need not be looked up. */
export const isOrderId = (text: string): text is OrderId => isUuid(text);

/** Takes a uuid in lower case. Throws on anything else. */
export const orderId = (text: string): OrderId => {
  if (!isOrderId(text)) throw new Error(`Not an order id: ${text}`);
  return text;
};
