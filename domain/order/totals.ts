import type { Bill } from '../payment/rules.ts';
import { ZERO, paise, sum, times, type Paise } from '../shared/money.ts';
import { computeTaxes, type RateTax, type TaxRate } from '../tax/rates.ts';
import type { ExistingOrder, OrderProgress } from './rules.ts';

export const GIFT_WRAP_FEE = paise(39_00);

export type Totals = {
  readonly subtotal: Paise;
  /** The tax is listed for each rate; the amounts add up to `tax`. */
  readonly taxes: readonly RateTax[];
  readonly tax: Paise;
  readonly giftWrap: Paise;
  readonly shipping: Paise;
  readonly discount: Paise;
  readonly total: Paise;
};

/** These are the costs of an order besides its perfumes and their tax. Shipping costs the fee while the subtotal is below the threshold. */
export type Charges = { readonly giftWrap: Paise; readonly shipping: { readonly threshold: Paise; readonly fee: Paise } };

/** Shipping is free. Past orders follow the same rule. */
export const CHARGES: Charges = { giftWrap: GIFT_WRAP_FEE, shipping: { threshold: ZERO, fee: ZERO } };

type Priced = { readonly unitPrice: Paise; readonly quantity: number; readonly rate?: TaxRate };

type Order<Line> = {
  readonly lines: readonly Line[];
  readonly giftWrap: boolean;
  readonly discount?: Paise;
};

export const lineAmount = ({ unitPrice, quantity }: Pick<Priced, 'unitPrice' | 'quantity'>): Paise => times(unitPrice, quantity);

type Derived<Part> = { readonly amount: Paise; readonly parts: readonly Part[] };

const added = <Part extends { readonly amount: Paise }>(parts: readonly Part[]): Derived<Part> => ({
  amount: sum(parts.map(({ amount }) => amount)),
  parts,
});

/**
 * Derives the amounts of an order. Only the perfumes are taxed, and the tax is rounded half up to the paisa once for each rate. All totals
 * of shop, browser, tax documents and figures come from here, so whatever is shown can be explained.
 */
export const deriveTotals = <Line extends Priced>({ lines, giftWrap, discount = ZERO }: Order<Line>, charges = CHARGES) => {
  const subtotal = added(lines.map((line) => ({ line, amount: lineAmount(line) })));
  const tax = added(computeTaxes(lines).map((of) => ({ of, amount: of.tax })));
  const wrap = added(giftWrap ? [{ amount: charges.giftWrap }] : []);
  const shipping = subtotal.amount >= charges.shipping.threshold ? ZERO : charges.shipping.fee;
  const charged = added([
    { of: 'subtotal', amount: subtotal.amount },
    { of: 'tax', amount: tax.amount },
    { of: 'shipping', amount: shipping },
    { of: 'giftWrap', amount: wrap.amount },
  ] as const);
  return { subtotal, tax, giftWrap: wrap, shipping, discount, charged, total: paise(charged.amount - discount) };
};

/** Returns the amounts of `deriveTotals` without their parts. */
export const computeTotals = (order: Order<Priced>, charges = CHARGES): Totals => {
  const { subtotal, tax, giftWrap, shipping, discount, total } = deriveTotals(order, charges);
  const taxes = tax.parts.map(({ of }) => of);
  return { subtotal: subtotal.amount, taxes, tax: tax.amount, giftWrap: giftWrap.amount, shipping, discount, total };
};

export const paymentTerms = ({ status, placement }: Pick<OrderProgress, 'status' | 'placement'>): Pick<Bill, 'method' | 'isCancelled'> => ({
  method: placement?.method ?? null,
  isCancelled: status === 'cancelled',
});

export const computeBill = (order: ExistingOrder): Bill => ({
  ...paymentTerms(order),
  shopper: order.shopper,
  total: computeTotals(order).total,
  isDelivered: order.deliveredAt !== null,
  returned: order.returns.flatMap(({ id, status, value }) => (status === 'received' ? [{ id, value }] : [])),
});
