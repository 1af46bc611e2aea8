import type { Bill } from '../payment/rules.ts';
import { ZERO, paise, sum, times, type Paise } from '../shared/money.ts';
import { taxesOf, type RateTax, type TaxRate } from '../tax/rates.ts';
import type { ExistingOrder, OrderProgress } from './rules.ts';

export const GIFT_WRAP_FEE = paise(39_00);

export type Totals = {
  readonly subtotal: Paise;
  /** By rate; they add up to `tax`. */
  readonly taxes: readonly RateTax[];
  readonly tax: Paise;
  readonly giftWrap: Paise;
  readonly shipping: Paise;
  readonly discount: Paise;
  readonly total: Paise;
};

/** What an order costs beside its perfumes and their tax. Shipping costs the fee until the subtotal reaches the threshold. */
export type Charges = { readonly giftWrap: Paise; readonly shipping: { readonly threshold: Paise; readonly fee: Paise } };

/** Shipping is free. Past orders are counted by the same rule. */
export const CHARGES: Charges = { giftWrap: GIFT_WRAP_FEE, shipping: { threshold: ZERO, fee: ZERO } };

type Priced = { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate };

type Order = {
  readonly lines: readonly Priced[];
  readonly giftWrap: boolean;
  readonly discount?: Paise;
};

/** What a line costs without tax. */
export const lineAmount = ({ unitPrice, quantity }: Pick<Priced, 'unitPrice' | 'quantity'>): Paise => times(unitPrice, quantity);

/**
 * The totals of an order, for shop, browser, papers and figures; `explain.ts` says where each comes from. Tax is on the perfumes alone,
 * rounded half up to the paisa once for each rate.
 */
export const totalsOf = ({ lines, giftWrap, discount = ZERO }: Order, charges = CHARGES): Totals => {
  const subtotal = sum(lines.map(lineAmount));
  const taxes = taxesOf(lines);
  const tax = sum(taxes.map((each) => each.tax));
  const wrap = giftWrap ? charges.giftWrap : ZERO;
  const shipping = subtotal >= charges.shipping.threshold ? ZERO : charges.shipping.fee;
  const total = paise(sum([subtotal, tax, shipping, wrap]) - discount);
  return { subtotal, taxes, tax, giftWrap: wrap, shipping, discount, total };
};

/** Whether and how an order is to be paid, from its progress. */
export const owing = ({ status, placement }: Pick<OrderProgress, 'status' | 'placement'>): Pick<Bill, 'method' | 'isCancelled'> => ({
  method: placement?.method ?? null,
  isCancelled: status === 'cancelled',
});

/** For decisions about its payment. */
export const billOf = (order: ExistingOrder): Bill => ({
  ...owing(order),
  shopper: order.shopper,
  total: totalsOf(order).total,
  isDelivered: order.deliveredAt !== null,
});
