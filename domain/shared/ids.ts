declare const brand: unique symbol;

/**
 * A value that only its constructor can make: a `Brand<number, 'Paise'>` is a number, but a plain number is no `Brand<number, 'Paise'>`.
 */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };

export type ProductId = Brand<string, 'ProductId'>;

/** A slug may be part of a stream's name and of a URL. */
const SLUG = /^[0-9a-z](?:[0-9a-z-]{0,62}[0-9a-z])?$/;

/** Returns whether the text has the form of a product's id: if not, it need not be looked up. */
export const isProductId = (text: string): text is ProductId => SLUG.test(text);

/** Accepts lower-case letters, digits and inner dashes, at most 64: a UUID, or the slug of a seeded perfume. Throws on anything else. */
export const productId = (text: string): ProductId => {
  if (!isProductId(text)) throw new Error(`Not a product id: ${text}`);
  return text;
};

/** The id belongs to a user, or to the visitor of a browser session. A visitor's id is never used again after sign-in. */
export type ShopperId = Brand<string, 'ShopperId'>;

/** The id is a UUID that cannot be guessed (see `deriveOrderId`). Even with it, only the owner can read the order. */
export type OrderId = Brand<string, 'OrderId'>;

/** Accepts lower-case letters, digits and inner dashes, at most 64; the shop uses UUIDs. Throws on anything else. */
export const shopperId = (text: string): ShopperId => {
  if (!SLUG.test(text)) throw new Error(`Not a shopper id: ${text}`);
  return text as ShopperId;
};

/** Returns whether the text has the form of an order's id: if not, it need not be looked up. */
export const isOrderId = (text: string): text is OrderId => isUuid(text);

/** Accepts a UUID in lower case. Throws on anything else. */
export const orderId = (text: string): OrderId => {
  if (!isOrderId(text)) throw new Error(`Not an order id: ${text}`);
  return text;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns whether the text is a UUID in lower case with dashes. */
export const isUuid = (text: string): boolean => UUID.test(text);

export const uuidFrom = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/**
 * Makes a UUID of version 8 (RFC 9562: custom bits) from a hash of at least 32 hex digits. The same hash gives the same UUID. Version and
 * variant replace six bits of the hash.
 */
export const uuidFromHash = (hash: string): string => {
  const variant = '89ab'.charAt(Number.parseInt(hash.charAt(16), 16) % 4);
  return uuidFrom(`${hash.slice(0, 12)}8${hash.slice(13, 16)}${variant}${hash.slice(17, 32)}`);
};

/** The public number of a placed order, such as `RH-4WPDX9CT`, gives no access: only the owner can read the order. */
export type OrderNumber = Brand<string, 'OrderNumber'>;

/** The alphabet lacks 0, O, 1, I and L, which are easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;
const PATTERN = new RegExp(`^RH-[${ALPHABET}]{${LENGTH}}$`);

export const isOrderNumber = (text: string): text is OrderNumber => PATTERN.test(text);

/** Accepts `RH-` and eight characters of the alphabet. Throws on anything else. */
export const orderNumber = (text: string): OrderNumber => {
  if (!isOrderNumber(text)) throw new Error(`Not an order number: ${text}`);
  return text;
};

/**
 * Draws one of 31⁸ (8.5 × 10¹¹) numbers. `randomBelow(n)` returns a whole number from 0 to n − 1. The caller must make sure that no two
 * orders get the same number: among a million orders, a duplicate is as likely as not.
 */
export const drawOrderNumber = (randomBelow: (limit: number) => number): OrderNumber =>
  orderNumber(`RH-${Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomBelow(ALPHABET.length))).join('')}`);
