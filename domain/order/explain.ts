import type { Recorded } from '../event-store.ts';
import type { PaymentEvent } from '../payment/events.ts';
import { methodName } from '../payment/view.ts';
import { formatRupees, rupees, sum, ZERO, type Paise } from '../shared/money.ts';
import type { Checkout, OrderEvent } from './events.ts';
import { lineAmount, totalsOf, type Totals } from './totals.ts';

/** The event that an amount was taken from. */
export type Source = { readonly stream: string; readonly revision: number; readonly type: string };

/** `amount` is negative for what is taken off. */
export type Part = { readonly label: string; readonly amount: number; readonly event: Source };

export const explainedAmounts = ['subtotal', 'tax', 'giftWrap', 'total', 'paid', 'refunded'] as const;
export type ExplainedAmount = (typeof explainedAmounts)[number];

/** An amount in rupees, the sentence that says how it comes about, and the parts that add up to it, each with its event. */
export type Explained = {
  readonly name: ExplainedAmount;
  readonly amount: number;
  readonly formula: string;
  readonly parts: readonly Part[];
};

/** The JSON for clients. */
export type Explanation = { readonly amounts: readonly Explained[] };

type Amount = { readonly label: string; readonly amount: Paise; readonly event: Source };

const sourceOf = ({ stream, revision, type }: Recorded): Source => ({ stream, revision, type });

const explained = (name: ExplainedAmount, amount: Paise, formula: string, parts: readonly Amount[]): Explained => ({
  name,
  amount: rupees(amount),
  formula,
  parts: parts.map((part) => ({ ...part, amount: rupees(part.amount) })),
});

type Quote = { readonly checkout: Checkout; readonly event: Source };

const isQuote = (event: Recorded<OrderEvent>): event is Recorded<Extract<OrderEvent, { type: 'OrderCreated' | 'OrderRevised' }>> =>
  event.type === 'OrderCreated' || event.type === 'OrderRevised';

/** The checkout that counts: the last one. */
const quoteIn = (events: readonly Recorded<OrderEvent>[]): Quote | undefined => {
  const event = events.findLast(isQuote);
  return event && { checkout: event.data, event: sourceOf(event) };
};

const moneyIn = (events: readonly Recorded<PaymentEvent>[]): { readonly paid: readonly Amount[]; readonly refunded: readonly Amount[] } => {
  const paid: Amount[] = [];
  const requested = new Map<string, Paise>();
  const settled = new Map<string, Amount>();
  for (const each of events) {
    const event = sourceOf(each);
    if (each.type === 'PaymentCaptured') paid.push({ label: `Paid by ${methodName(each.data.method)}`, amount: each.data.amount, event });
    else if (each.type === 'CashCollected') paid.push({ label: 'Paid in cash', amount: each.data.amount, event });
    else if (each.type === 'RefundRequested') requested.set(each.data.refund, each.data.amount);
    else if (each.type === 'RefundSettled')
      settled.set(each.data.refund, { label: 'Refund', amount: requested.get(each.data.refund) ?? ZERO, event });
  }
  return { paid, refunded: [...settled.values()] };
};

const totalParts = ({ subtotal, tax, shipping, giftWrap, discount }: Totals, event: Source): readonly Part[] =>
  [
    { label: 'Subtotal', amount: rupees(subtotal), event },
    { label: 'Tax', amount: rupees(tax), event },
    { label: 'Shipping', amount: rupees(shipping), event },
    { label: 'Gift wrap', amount: rupees(giftWrap), event },
    { label: 'Discount', amount: -rupees(discount), event },
  ].filter(({ label, amount }) => amount !== 0 || label === 'Subtotal' || label === 'Tax');

const totalFormula = (parts: readonly Part[]): string =>
  parts.map(({ label, amount }, index) => (index === 0 ? label : `${amount < 0 ? '−' : '+'} ${label.toLowerCase()}`)).join(' ');

/**
 * What an order costs, what was paid and what went back, each opened down to the events it comes from. The amounts are those of `totalsOf`,
 * which every screen, mail and paper shows. Undefined for an order without a checkout.
 */
export const explain = (
  order: readonly Recorded<OrderEvent>[],
  payment: readonly Recorded<PaymentEvent>[],
): readonly Explained[] | undefined => {
  const quote = quoteIn(order);
  if (!quote) return undefined;
  const { checkout, event } = quote;
  const totals = totalsOf(checkout);
  const { paid, refunded } = moneyIn(payment);
  const lines = checkout.lines.map((line) => ({
    label: `${line.name}: ${formatRupees(line.unitPrice)} × ${line.quantity}`,
    amount: lineAmount(line),
    event,
  }));
  const taxes = totals.taxes.map(({ rate, taxable, tax }) => ({ label: `${rate}% of ${formatRupees(taxable)}`, amount: tax, event }));
  const wrap = totals.giftWrap === ZERO ? [] : [{ label: 'Gift wrap', amount: totals.giftWrap, event }];
  const parts = totalParts(totals, event);
  const amountOf = (amounts: readonly Amount[]) => sum(amounts.map(({ amount }) => amount));
  return [
    explained('subtotal', totals.subtotal, 'Price × quantity of each perfume', lines),
    explained('tax', totals.tax, 'Rate × the perfumes taxed at it, half a paisa rounded up, once for each rate', taxes),
    explained('giftWrap', totals.giftWrap, wrap.length > 0 ? 'One gift wrap, untaxed' : 'No gift wrap', wrap),
    { name: 'total', amount: rupees(totals.total), formula: totalFormula(parts), parts },
    explained('paid', amountOf(paid), paid.length > 0 ? 'All payments that came' : 'Nothing was paid yet', paid),
    explained('refunded', amountOf(refunded), refunded.length > 0 ? 'All refunds that arrived' : 'Nothing was refunded', refunded),
  ];
};
