import type { Brand } from './ids.ts';

/** An amount is a whole number of paise (hundredths of a rupee) and never negative. */
export type Paise = Brand<number, 'Paise'>;

/** Accepts a whole number of paise, 0 or more. Throws on anything else. */
export const paise = (value: number): Paise => {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`Not an amount in paise: ${value}`);
  return value as Paise;
};

export const ZERO = paise(0);

/** The highest price is ₹1,00,00,00,000. With it a full cart (100 lines of 99 bottles) and its tax are still exact numbers. */
export const HIGHEST_PRICE = paise(100_000_000_000);

const inRange = (value: number): boolean => value <= HIGHEST_PRICE;

const NEGATIVE = /^[^\d.]*[-−]/;
/** Matches words such as `Rs.`, whose dot does not belong to the number. */
const WORD = /\p{L}+\.?/gu;
const NUMBER = /^(\d*)(?:\.(\d*))?$/;

/**
 * Parses a displayed price and ignores everything that is not numeric. Returns 0 unless there is exactly one number between 0 and the
 * highest price. Digits beyond the paisa are rounded half up: `230.005` is ₹230.01.
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
 * Parses a price that an admin types: `₹2,450.00`, `2450`, `Rs. 2450.5`. A blank text is 0, which means no price. Returns `undefined` for
 * everything else, including more than two decimals and amounts above the highest price.
 */
export const exactPrice = (text: string): Paise | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return ZERO;
  const [, whole, fraction = ''] = EXACT.exec(trimmed) ?? [];
  if (whole === undefined) return undefined;
  const value = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return inRange(value) ? paise(value) : undefined;
};

/** Formats `₹2,30,000.00` as `Intl` does in en-IN. `Intl` is not in the domain's types and is slow. */
export const formatRupees = (amount: Paise): string => {
  const digits = String(amount).padStart(3, '0');
  const whole = digits.slice(0, -2);
  // Indian grouping separates the last three digits, then pairs of digits.
  const before = whole.slice(0, -3);
  const grouped = before.length > 2 ? before.replace(/\B(?=(?:\d{2})+$)/g, ',') : before;
  return `₹${grouped}${grouped && ','}${whole.slice(-3)}.${digits.slice(-2)}`;
};

/** Returns rupees for the JSON of the API, a number with at most two decimals: `4128.62`. */
export const rupees = (amount: Paise): number => amount / 100;

/** Returns the paise of an amount that `rupees` returned. */
export const toPaise = (rupees: number): Paise => paise(Math.round(rupees * 100));

export const sum = (amounts: Iterable<Paise>): Paise => {
  let total = 0;
  for (const amount of amounts) total += amount;
  return paise(total);
};

export const times = (amount: Paise, quantity: number): Paise => paise(amount * quantity);

/** Returns this percentage of the amount, rounded half up to the paisa. The rate has at most two decimals. All tax is rounded here. */
export const percent = (amount: Paise, rate: number): Paise => {
  const hundredths = Math.round(rate * 100);
  const rest = amount % 10_000;
  // The amount is split in two, so that no product exceeds the exact range of numbers.
  return paise(((amount - rest) / 10_000) * hundredths + Math.floor((rest * hundredths + 5_000) / 10_000));
};
