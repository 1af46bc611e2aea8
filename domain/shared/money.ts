import type { Brand } from './ids.ts';

/** Whole paise, a hundredth of a rupee; never negative, never fractional. */
export type Paise = Brand<number, 'Paise'>;

/** Takes a whole number of paise, 0 or more. Throws on anything else. */
export const paise = (value: number): Paise => {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`Not an amount in paise: ${value}`);
  return value as Paise;
};

export const ZERO = paise(0);

/** The highest price: ₹1,00,00,00,000. With it a full cart (100 lines of 99) and its tax are still exact numbers. */
export const HIGHEST_PRICE = paise(100_000_000_000);

const inRange = (value: number): boolean => value <= HIGHEST_PRICE;

const NEGATIVE = /^[^\d.]*[-−]/;
/** `Rs.` and the like: the dot is part of the word, not of the number. */
const WORD = /\p{L}+\.?/gu;
const NUMBER = /^(\d*)(?:\.(\d*))?$/;

/**
 * Parses a displayed price: everything that is not numeric is dropped; anything but one number, a negative one, and one above the highest
 * price give 0. Digits beyond the paisa round half up: `230.005` is ₹230.01.
 */
export const parsePrice = (text: string): Paise => {
  const wordless = text.replace(WORD, '');
  const [, whole = '', fraction = ''] = NUMBER.exec(wordless.replace(/[^\d.]/g, '')) ?? [];
  if ((whole === '' && fraction === '') || NEGATIVE.test(wordless)) return ZERO;
  const [tenths, hundredths, next] = fraction.padEnd(3, '0');
  const value = Number(whole) * 100 + Number(`${tenths}${hundredths}`) + (Number(next) >= 5 ? 1 : 0);
  return inRange(value) ? paise(value) : ZERO;
};

const EXACT = /^(?:₹|rs\.?|inr)?\s*(\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d{1,2}))?$/i;

/**
 * Parses a price that an admin types: `₹2,450.00`, `2450`, `Rs. 2450.5`, with surrounding blanks ignored; blank is 0, no price. `undefined`
 * for everything else, including more than two decimals and amounts above the highest price.
 */
export const exactPrice = (text: string): Paise | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return ZERO;
  const [, whole, fraction = ''] = EXACT.exec(trimmed) ?? [];
  if (whole === undefined) return undefined;
  const value = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return inRange(value) ? paise(value) : undefined;
};

/** `₹2,30,000.00`: like `Intl` in en-IN, but without `Intl`, which is not in the domain's types and is slow. */
export const formatRupees = (amount: Paise): string => {
  const digits = String(amount).padStart(3, '0');
  const whole = digits.slice(0, -2);
  // Indian grouping: the last three digits, then pairs.
  const before = whole.slice(0, -3);
  const grouped = before.length > 2 ? before.replace(/\B(?=(?:\d{2})+$)/g, ',') : before;
  return `₹${grouped}${grouped && ','}${whole.slice(-3)}.${digits.slice(-2)}`;
};

/** Rupees for the API's JSON: a number with at most two decimals, `4128.62`. */
export const rupees = (amount: Paise): number => amount / 100;

/** Of an amount in rupees that `rupees` made. */
export const paiseOf = (rupees: number): Paise => paise(Math.round(rupees * 100));

export const sum = (amounts: Iterable<Paise>): Paise => {
  let total = 0;
  for (const amount of amounts) total += amount;
  return paise(total);
};

export const times = (amount: Paise, quantity: number): Paise => paise(amount * quantity);

/** This many percent of the amount, with two decimals at most, rounded half up to the paisa. All tax is rounded here. */
export const percent = (amount: Paise, rate: number): Paise => {
  const hundredths = Math.round(rate * 100);
  const rest = amount % 10_000;
  // In two parts, so that no product exceeds the exact range of numbers.
  return paise(((amount - rest) / 10_000) * hundredths + Math.floor((rest * hundredths + 5_000) / 10_000));
};
