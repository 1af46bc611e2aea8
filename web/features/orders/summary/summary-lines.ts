import type { CartItemView } from '#domain/cart/view.ts';
import { GIFT_WRAP_FEE, computeTotals, type Totals } from '#domain/order/totals.ts';
import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { formatRupees, toPaise, ZERO, parsePrice, times, type Paise } from '#domain/shared/money.ts';
import { computeTaxes, type TaxRate } from '#domain/tax/rates.ts';

export type SummaryLine = {
  readonly productId: string;
  readonly name: string;
  readonly picture: string | undefined;
  readonly unitPrice: Paise;
  readonly quantity: number;
  readonly rate?: TaxRate;
  /** An unavailable line cannot be ordered and is not counted. */
  readonly unavailable: boolean;
};

export const linesOfCart = (items: readonly CartItemView[]): readonly SummaryLine[] =>
  items.map(({ productId, quantity, product, rate, unavailable = false }) => ({
    productId,
    name: product.name,
    picture: product.productImageUrl[0],
    unitPrice: parsePrice(product.price),
    quantity,
    ...(rate !== undefined && { rate }),
    unavailable,
  }));

const lineOfOrder = ({ product, quantity, rate }: OrderItemView): SummaryLine => ({
  productId: product._id,
  name: product.name,
  picture: product.productImageUrl[0],
  unitPrice: parsePrice(product.price),
  quantity,
  rate,
  unavailable: false,
});
export const linesOfOrder = ({ items }: OrderView): readonly SummaryLine[] => items.map(lineOfOrder);

/** Returns the totals, computed by the same function as on the server (`computeTotals`). */
export const totalsOfCart = (lines: readonly SummaryLine[], giftWrap: boolean): Totals =>
  computeTotals({ lines: lines.filter(({ unavailable }) => !unavailable), giftWrap });

export const totalsOfOrder = ({ items, subtotal, tax, shipping, discount, total, giftWrap }: OrderView): Totals => ({
  subtotal: toPaise(subtotal),
  taxes: computeTaxes(items.map(lineOfOrder)),
  tax: toPaise(tax),
  shipping: toPaise(shipping),
  discount: toPaise(discount),
  total: toPaise(total),
  giftWrap: giftWrap ? GIFT_WRAP_FEE : ZERO,
});

/** Returns `₹6,900.00` for two of ₹3,450.00. */
export const lineTotalText = ({ unitPrice, quantity }: Pick<SummaryLine, 'unitPrice' | 'quantity'>): string =>
  formatRupees(times(unitPrice, quantity));
