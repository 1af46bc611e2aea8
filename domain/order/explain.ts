import type { Recorded } from '../event-store.ts';
import type { PaymentEvent } from '../payment/events.ts';
import { methodName } from '../payment/view.ts';
import { formatRupees, rupees, sum, ZERO, type Paise } from '../shared/money.ts';
import type { Checkout, OrderEvent } from './events.ts';
import { deriveTotals } from './totals.ts';

export type Source = { readonly stream: string; readonly revision: number; readonly type: string };

/** `amount` is in rupees, and negative if it is subtracted. */
export type AmountPart = { readonly label: string; readonly amount: number; readonly event: Source };

const explainedAmounts = ['subtotal', 'tax', 'giftWrap', 'total', 'paid', 'refunded'] as const;
export type AmountName = (typeof explainedAmounts)[number];

/** An amount in rupees with a sentence that explains it, and the parts that add up to it, each with its event. */
export type Explained = {
  readonly name: AmountName;
  readonly amount: number;
  readonly formula: string;
  readonly parts: readonly AmountPart[];
};

export type Explanation = { readonly amounts: readonly Explained[] };

type Amount = { readonly label: string; readonly amount: Paise; readonly event: Source };

const toSource = ({ stream, revision, type }: Recorded): Source => ({ stream, revision, type });

const explained = (name: AmountName, amount: Paise, formula: string, parts: readonly Amount[]): Explained => ({
  name,
  amount: rupees(amount),
  formula,
  parts: parts.map((part) => ({ ...part, amount: rupees(part.amount) })),
});

type Quote = { readonly checkout: Checkout; readonly event: Source };

const isQuote = (event: Recorded<OrderEvent>): event is Recorded<Extract<OrderEvent, { type: 'OrderCreated' | 'OrderRevised' }>> =>
  event.type === 'OrderCreated' || event.type === 'OrderRevised';

/** Returns the last checkout, which is the one that counts. */
const findQuote = (events: readonly Recorded<OrderEvent>[]): Quote | undefined => {
  const event = events.findLast(isQuote);
  return event && { checkout: event.data, event: toSource(event) };
};

const findMoney = (
  events: readonly Recorded<PaymentEvent>[],
): { readonly paid: readonly Amount[]; readonly refunded: readonly Amount[] } => {
  const paid: Amount[] = [];
  const requested = new Map<string, Omit<Amount, 'event'>>();
  const settled = new Map<string, Amount>();
  for (const each of events) {
    const event = toSource(each);
    if (each.type === 'PaymentCaptured') paid.push({ label: `Paid by ${methodName(each.data.method)}`, amount: each.data.amount, event });
    else if (each.type === 'CashCollected') paid.push({ label: 'Paid in cash', amount: each.data.amount, event });
    else if (each.type === 'RefundRequested') {
      const { refund, amount, return: ofReturn } = each.data;
      requested.set(refund, { label: ofReturn === undefined ? 'Refund' : `Refund of return ${ofReturn}`, amount });
    } else if (each.type === 'RefundSettled')
      settled.set(each.data.refund, { ...(requested.get(each.data.refund) ?? { label: 'Refund', amount: ZERO }), event });
  }
  return { paid, refunded: [...settled.values()] };
};

type Labelled = Omit<AmountPart, 'event'>;

const LABELS = { subtotal: 'Subtotal', tax: 'Tax', shipping: 'Shipping', giftWrap: 'Gift wrap' } as const;

/** Of the amounts that are 0, only subtotal and tax are listed. */
const totalParts = ({ charged, discount }: ReturnType<typeof deriveTotals>): readonly Labelled[] => [
  ...charged.parts
    .filter(({ of, amount }) => amount !== ZERO || of === 'subtotal' || of === 'tax')
    .map(({ of, amount }) => ({ label: LABELS[of], amount: rupees(amount) })),
  ...(discount === ZERO ? [] : [{ label: 'Discount', amount: -rupees(discount) }]),
];

const totalFormula = (parts: readonly Labelled[]): string =>
  parts.map(({ label, amount }, index) => (index === 0 ? label : `${amount < 0 ? '−' : '+'} ${label.toLowerCase()}`)).join(' ');

/**
 * Explains what an order costs, what was paid and what was refunded, each with its events. It describes the parts that `deriveTotals` added
 * up. Returns undefined for an order without a checkout.
 */
export const explain = (
  order: readonly Recorded<OrderEvent>[],
  payment: readonly Recorded<PaymentEvent>[],
): readonly Explained[] | undefined => {
  const quote = findQuote(order);
  if (!quote) return undefined;
  const { checkout, event } = quote;
  const derived = deriveTotals(checkout);
  const { subtotal, tax, giftWrap, total } = derived;
  const { paid, refunded } = findMoney(payment);
  const lines = subtotal.parts.map(({ line: { name, unitPrice, quantity }, amount }) => ({
    label: `${name}: ${formatRupees(unitPrice)} × ${quantity}`,
    amount,
    event,
  }));
  const taxes = tax.parts.map(({ of: { rate, taxable }, amount }) => ({ label: `${rate}% of ${formatRupees(taxable)}`, amount, event }));
  const wrap = giftWrap.parts.map(({ amount }) => ({ label: 'Gift wrap', amount, event }));
  const parts = totalParts(derived);
  const sumAmounts = (amounts: readonly Amount[]) => sum(amounts.map(({ amount }) => amount));
  return [
    explained('subtotal', subtotal.amount, 'Price × quantity of each perfume', lines),
    explained('tax', tax.amount, 'Rate × the perfumes taxed at it, half a paisa rounded up, once for each rate', taxes),
    explained('giftWrap', giftWrap.amount, wrap.length > 0 ? 'One gift wrap, untaxed' : 'No gift wrap', wrap),
    { name: 'total', amount: rupees(total), formula: totalFormula(parts), parts: parts.map((part) => ({ ...part, event })) },
    explained('paid', sumAmounts(paid), paid.length > 0 ? 'All payments that came' : 'Nothing was paid yet', paid),
    explained('refunded', sumAmounts(refunded), refunded.length > 0 ? 'All refunds that arrived' : 'Nothing was refunded', refunded),
  ];
};
