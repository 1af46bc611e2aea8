import type { Brand } from '../shared/brand.ts';

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
