import type { Brand } from '../shared/brand.ts';

/** What shopper and shop call a placed order, `RH-4WPDX9CT`. It opens nothing: for that one has to own the order. */
export type OrderNumber = Brand<string, 'OrderNumber'>;

/** Without the look-alikes 0 and O, 1, I and L. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;
const PATTERN = new RegExp(`^RH-[${ALPHABET}]{${LENGTH}}$`);

/** Takes `RH-` and eight of the characters. Throws on anything else. */
export const orderNumber = (text: string): OrderNumber => {
  if (!PATTERN.test(text)) throw new Error(`Not an order number: ${text}`);
  return text as OrderNumber;
};

/**
 * One of 31⁸ numbers, 8.5 × 10¹¹. `randomBelow(n)` gives a whole number from 0 to n − 1. That no two orders have the same is for the
 * caller to see to: among a million orders two alike are as likely as not.
 */
export const drawOrderNumber = (randomBelow: (limit: number) => number): OrderNumber =>
  orderNumber(`RH-${Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomBelow(ALPHABET.length))).join('')}`);
