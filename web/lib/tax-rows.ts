import type { Totals } from '#domain/order/totals.ts';
import { STANDARD_RATE } from '#domain/tax/rates.ts';
import { formatRupees } from '#domain/shared/money.ts';

export type TaxRow = { readonly label: string; readonly text: string };

/** Returns a row named `Tax (18%)` or `label`; with several rates, a row named `Tax` and one row per rate. */
export const taxRows = ({ tax, taxes }: Pick<Totals, 'tax' | 'taxes'>, label?: string): readonly TaxRow[] => {
  const [first, second] = taxes;
  const text = formatRupees(tax);
  if (second === undefined) return [{ label: label ?? `Tax (${first?.rate ?? STANDARD_RATE}%)`, text }];
  const parts = taxes.map(({ rate, taxable, tax: part }) => ({
    label: `${rate}% of ${formatRupees(taxable)}`,
    text: formatRupees(part),
  }));
  return [{ label: 'Tax', text }, ...parts];
};
