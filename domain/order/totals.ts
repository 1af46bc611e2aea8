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

/** Shipping costs the fee until the subtotal reaches the threshold. Both are 0: it is free. Past orders are counted by the same rule. */
export const SHIPPING = { threshold: ZERO, fee: ZERO };

type Priced = { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate };

type Order = {
  readonly lines: readonly Priced[];
  readonly giftWrap: boolean;
  readonly discount?: Paise;
};

/** The totals of an order, for shop, browser and figures. Tax is on the perfumes alone, rounded half up to the paisa once for each rate. */
export const totalsOf = ({ lines, giftWrap, discount = ZERO }: Order, { threshold, fee } = SHIPPING): Totals => {
  const subtotal = sum(lines.map((line) => times(line.unitPrice, line.quantity)));
  const taxes = taxesOf(lines);
  const tax = sum(taxes.map((each) => each.tax));
  const wrap = giftWrap ? GIFT_WRAP_FEE : ZERO;
  const shipping = subtotal >= threshold ? ZERO : fee;
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
