declare const brand: unique symbol;

/** A value that only its constructor can make: a `Brand<number, 'Paise'>` is a number, but a plain number is not one. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };

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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it is a uuid, in lower case with dashes. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Formats 32 hex digits as a uuid. */
export const uuidFrom = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * A uuid of version 8 (RFC 9562: custom bits) from a hash of at least 32 hex digits: the same for the same hash. Version and variant
 * replace six of its bits.
 */
export const uuidFromHash = (hash: string): string => {
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4);
  return uuidFrom(`${hash.slice(0, 12)}8${hash.slice(13, 16)}${variant}${hash.slice(17, 32)}`);
};

/** The public number of a placed order, `RH-4WPDX9CT`. It gives no access: only the owner can read the order. */
export type OrderNumber = Brand<string, 'OrderNumber'>;

/** Without 0 and O, 1, I and L, which are easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;
const PATTERN = new RegExp(`^RH-[${ALPHABET}]{${LENGTH}}$`);

/** Takes `RH-` and eight of the characters. Throws on anything else. */
export const orderNumber = (text: string): OrderNumber => {
  if (!PATTERN.test(text)) throw new Error(`Not an order number: ${text}`);
  return text as OrderNumber;
};

/**
 * One of 31⁸ numbers, 8.5 × 10¹¹. `randomBelow(n)` gives a whole number from 0 to n − 1. The caller must make sure that no two orders have
 * the same: among a million orders a duplicate is as likely as not.
 */
export const drawOrderNumber = (randomBelow: (limit: number) => number): OrderNumber =>
  orderNumber(`RH-${Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomBelow(ALPHABET.length))).join('')}`);
