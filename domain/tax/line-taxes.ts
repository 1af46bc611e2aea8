import { paise, sum, times, ZERO, type Paise } from '../shared/money.ts';
import { computeTaxes, getRate, type TaxRate } from './rates.ts';

/**
 * Splits an amount in the ratio of the shares. Each part is rounded down, and the rest is given out in single paise to the parts that lost
 * most (of equal parts, to the first). If all shares are 0, every part is 0.
 */
export const split = (amount: Paise, shares: readonly Paise[]): readonly Paise[] => {
  const whole = BigInt(sum(shares));
  if (whole === 0n) return shares.map(() => ZERO);
  const parts = shares.map((share, index) => {
    const exact = BigInt(amount) * BigInt(share);
    return { index, amount: Number(exact / whole), lost: exact % whole };
  });
  let left = amount - parts.reduce((total, part) => total + part.amount, 0);
  const most = parts.toSorted((one, other) => (one.lost === other.lost ? one.index - other.index : one.lost > other.lost ? -1 : 1));
  for (const part of most) if (left-- > 0) part.amount += 1;
  return parts.map((part) => paise(part.amount));
};

export type LineTaxes = { readonly cgst: Paise; readonly sgst: Paise; readonly igst: Paise };
const UNTAXED: LineTaxes = { cgst: ZERO, sgst: ZERO, igst: ZERO };

/** The amounts of a line: price × quantity, and its taxes. */
export type LineAmounts = LineTaxes & { readonly taxableValue: Paise };

type Sold = { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate };

/** Takes each rate's tax from the order, halves it into CGST and SGST within the seller's state, and splits it over the lines of the rate. */
export const computeLineAmounts = (lines: readonly Sold[], isOwnState: boolean): readonly LineAmounts[] => {
  const amounts = lines.map((line): LineAmounts => ({ ...UNTAXED, taxableValue: times(line.unitPrice, line.quantity) }));
  for (const { rate, tax } of computeTaxes(lines)) {
    const indexes = lines.flatMap((line, index) => (getRate(line) === rate ? [index] : []));
    const shares = indexes.map((index) => amounts[index]?.taxableValue ?? ZERO);
    const central = paise(isOwnState ? Math.floor(tax / 2) : 0);
    const cgst = split(central, shares);
    const rest = split(paise(tax - central), shares);
    for (const [at, index] of indexes.entries()) {
      const [half, other, taxableValue] = [cgst[at] ?? ZERO, rest[at] ?? ZERO, shares[at] ?? ZERO];
      amounts[index] = { taxableValue, ...(isOwnState ? { cgst: half, sgst: other, igst: ZERO } : { ...UNTAXED, igst: other }) };
    }
  }
  return amounts;
};

/** Returns the amounts of so many bottles of a line, after `before` of them came back earlier. All bottles together have those of the line. */
export const partOfLine = (line: LineAmounts & { readonly quantity: number }, before: number, quantity: number): LineAmounts => {
  const upTo = (amount: Paise, bottles: number): number => Number((BigInt(amount) * BigInt(bottles)) / BigInt(line.quantity));
  const part = (amount: Paise): Paise => paise(upTo(amount, before + quantity) - upTo(amount, before));
  return { taxableValue: part(line.taxableValue), cgst: part(line.cgst), sgst: part(line.sgst), igst: part(line.igst) };
};
