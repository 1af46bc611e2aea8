import type { Brand } from './brand.ts';
import { isUuid } from './uuid.ts';

export type ProductId = Brand<string, 'ProductId'>;

/** Fit for the name of a stream, and for an address. */
const SLUG = /^[0-9a-z](?:[0-9a-z-]{0,62}[0-9a-z])?$/;

/** Whether it could name a product: what cannot is not worth looking for. */
export const isProductId = (text: string): text is ProductId => SLUG.test(text);

/** Takes lower-case letters, digits and inner dashes, 64 at most: a uuid, or the slug of a seeded perfume. Throws on anything else. */
export const productId = (text: string): ProductId => {
  if (!isProductId(text)) throw new Error(`Not a product id: ${text}`);
  return text;
};

/** Whoever shops: a user, or the visitor that a browser session stands for. A visitor's id is never used again after its sign-in. */
export type ShopperId = Brand<string, 'ShopperId'>;

/** A uuid. Whoever knows it still has to own the order, but nobody can guess it (see `orderIdOf`). */
export type OrderId = Brand<string, 'OrderId'>;

/** Takes lower-case letters, digits and inner dashes, 64 at most: in the shop, a uuid. Throws on anything else. */
export const shopperId = (text: string): ShopperId => {
  if (!SLUG.test(text)) throw new Error(`Not a shopper id: ${text}`);
  return text as ShopperId;
};

/** Whether it could name an order: what cannot is not worth looking for. */
export const isOrderId = (text: string): text is OrderId => isUuid(text);

/** Takes a uuid in lower case. Throws on anything else. */
export const orderId = (text: string): OrderId => {
  if (!isOrderId(text)) throw new Error(`Not an order id: ${text}`);
  return text;
};
