import type { Brand } from '../shared/ids.ts';
import { percent, sum, times, ZERO, type Paise } from '../shared/money.ts';

/** A code of the Harmonised System: 4, 6 or 8 digits. */
export type Hsn = Brand<string, 'Hsn'>;

const HSN = /^(?:\d{4}|\d{6}|\d{8})$/;

export const isHsn = (text: string): text is Hsn => HSN.test(text);

/** Throws on anything but 4, 6 or 8 digits. */
export const hsn = (text: string): Hsn => {
  if (!isHsn(text)) throw new Error(`Not an HSN code: ${text}`);
  return text;
};

/** In per cent, 0 to 100, with two decimals at most. */
export type TaxRate = Brand<number, 'TaxRate'>;

export const isTaxRate = (rate: number): rate is TaxRate => rate >= 0 && rate <= 100 && Math.round(rate * 100) / 100 === rate;

/** Throws on anything else. */
export const taxRate = (rate: number): TaxRate => {
  if (!isTaxRate(rate)) throw new Error(`Not a tax rate: ${rate}`);
  return rate;
};

/** Perfumes; and essential oils, which attars are. */
export const PERFUMES = hsn('3303');
export const ESSENTIAL_OILS = hsn('3301');

/** Of orders from before their lines kept their rate. */
export const STANDARD_RATE = taxRate(18);

type Taxable = { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate };

export const rateOf = ({ rate = STANDARD_RATE }: Pick<Taxable, 'rate'>): TaxRate => rate;

/** What is taxed at one rate, and its tax. */
export type RateTax = { readonly rate: TaxRate; readonly taxable: Paise; readonly tax: Paise };

/** By rate, the highest first. Each tax is rounded once, on the sum of its lines. */
export const taxesOf = (lines: readonly Taxable[]): readonly RateTax[] => {
  const taxable = new Map<TaxRate, Paise>();
  for (const line of lines) taxable.set(rateOf(line), sum([taxable.get(rateOf(line)) ?? ZERO, times(line.unitPrice, line.quantity)]));
  return [...taxable]
    .toSorted(([one], [other]) => other - one)
    .map(([rate, amount]) => ({ rate, taxable: amount, tax: percent(amount, rate) }));
};
