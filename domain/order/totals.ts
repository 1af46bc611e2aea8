import { ZERO, paise, percent, sum, times, type Paise } from '../shared/money.ts';

/** In percent of the subtotal. */
export const TAX_RATE = 18;
export const GIFT_WRAP_FEE = paise(39_00);

export type Totals = {
  readonly subtotal: Paise;
  readonly tax: Paise;
  readonly giftWrap: Paise;
  readonly shipping: Paise;
  readonly discount: Paise;
  readonly total: Paise;
};

type Priced = { readonly unitPrice: Paise; readonly quantity: number };

/**
 * The totals of an order, for shop, browser and figures. Tax is on the perfumes alone, rounded half up to the paisa once for all of them;
 * shipping is free and there are no discounts.
 */
export const totalsOf = ({ lines, giftWrap }: { readonly lines: readonly Priced[]; readonly giftWrap: boolean }): Totals => {
  const subtotal = sum(lines.map((line) => times(line.unitPrice, line.quantity)));
  const tax = percent(subtotal, TAX_RATE);
  const wrap = giftWrap ? GIFT_WRAP_FEE : ZERO;
  return { subtotal, tax, giftWrap: wrap, shipping: ZERO, discount: ZERO, total: sum([subtotal, tax, wrap]) };
};
