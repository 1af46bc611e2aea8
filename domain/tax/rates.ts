import type { Brand } from '../shared/ids.ts';
import { percent, sum, times, ZERO, type Paise } from '../shared/money.ts';

/** A code of the Harmonised System has 4, 6 or 8 digits. */
export type Hsn = Brand<string, 'Hsn'>;

const HSN = /^(?:\d{4}|\d{6}|\d{8})$/;

export const isHsn = (text: string): text is Hsn => HSN.test(text);

/** Throws on anything but 4, 6 or 8 digits. */
export const hsn = (text: string): Hsn => {
  if (!isHsn(text)) throw new Error(`Not an HSN code: ${text}`);
  return text;
};

/** A rate is in per cent, from 0 to 100 with at most two decimals. */
export type TaxRate = Brand<number, 'TaxRate'>;

export const isTaxRate = (rate: number): rate is TaxRate => rate >= 0 && rate <= 100 && Math.round(rate * 100) / 100 === rate;

/** Throws if the number is no tax rate. */
export const taxRate = (rate: number): TaxRate => {
  if (!isTaxRate(rate)) throw new Error(`Not a tax rate: ${rate}`);
  return rate;
};

/** Attars are essential oils; all other products are perfumes. */
export const PERFUMES = hsn('3303');
export const ESSENTIAL_OILS = hsn('3301');

/** Applies to orders from before their lines kept their rate. */
export const STANDARD_RATE = taxRate(18);

type Taxable = { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate };

export const getRate = ({ rate = STANDARD_RATE }: Pick<Taxable, 'rate'>): TaxRate => rate;

export type RateTax = { readonly rate: TaxRate; readonly taxable: Paise; readonly tax: Paise };

/** Returns the taxes by rate, the highest first. Each tax is rounded once, on the sum of its lines. */
export const computeTaxes = (lines: readonly Taxable[]): readonly RateTax[] => {
  const taxable = new Map<TaxRate, Paise>();
  for (const line of lines) taxable.set(getRate(line), sum([taxable.get(getRate(line)) ?? ZERO, times(line.unitPrice, line.quantity)]));
  return [...taxable]
    .toSorted(([one], [other]) => other - one)
    .map(([rate, amount]) => ({ rate, taxable: amount, tax: percent(amount, rate) }));
};
