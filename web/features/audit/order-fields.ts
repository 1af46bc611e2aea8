import { textsFor } from '#domain/order/texts.ts';
import type { OrderView } from '#domain/order/view.ts';
import { shortMomentText, windowText } from '../../lib/dates.ts';
import { moneyText } from '../../lib/format.ts';
import { methodText, paymentStatusText } from '../../lib/payment-text.ts';
import { exactMomentText } from './audit-labels.ts';

export type Fact = { readonly name: string; readonly text: string };
export type Change = { readonly name: string; readonly before: string | undefined; readonly after: string | undefined };

const addressText = ({ name, address1, address2, city, state, postalCode, country }: OrderView['shippingAddress']): string =>
  [name, address1, address2, city, `${state} ${postalCode}`.trim(), country].filter((part) => part !== '').join(', ');

const itemFacts = ({ items }: OrderView): Fact[] =>
  items.map(({ product, quantity }) => ({ name: product.name, text: `${quantity} × ${product.price}` }));

const historyFacts = ({ history }: OrderView): Fact[] =>
  history.map(({ status, at, note }) => ({
    name: `Became ${status}`,
    text: `${exactMomentText(at)}${note === undefined ? '' : `: ${note}`}`,
  }));

const refundStatusText = { requested: 'Requested', settled: 'Settled', refused: 'Refused' } as const;

const paymentFacts = ({ payment: { status, method, paidAt, refunded, refunds } }: OrderView): Fact[] => [
  { name: 'Payment status', text: paymentStatusText[status] },
  ...optional('Paid by', method === undefined ? null : methodText(method)),
  ...optional('Paid at', paidAt === undefined ? null : exactMomentText(paidAt)),
  ...optional('Refunded', refunded === 0 ? null : moneyText(refunded)),
  ...refunds.map(({ amount, reason, status: state, at }) => ({
    name: `Refund of ${moneyText(amount)}`,
    text: `${refundStatusText[state]}, ${exactMomentText(at)}: ${reason}`,
  })),
];

const optional = (name: string, text: string | null): Fact[] => (text === null || text === '' ? [] : [{ name, text }]);

/** Numbers fields of the same name, so that each can be compared across events. */
const numbered = (facts: readonly Fact[]): readonly Fact[] => {
  const seen = new Map<string, number>();
  return facts.map(({ name, text }) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return { name: times === 1 ? name : `${name} (${times})`, text };
  });
};

/** Returns all fields of an order as text in reading order; null has no fields. */
export const listFacts = (order: OrderView | null): readonly Fact[] => {
  if (order === null) return [];
  const { shippingAddress, estimatedDelivery: delivery } = order;
  return numbered([
    { name: 'Status', text: order.status },
    ...optional('Order number', order.orderNumber),
    ...itemFacts(order),
    { name: 'Subtotal', text: moneyText(order.subtotal) },
    { name: 'Tax', text: moneyText(order.tax) },
    { name: 'Shipping', text: moneyText(order.shipping) },
    { name: 'Discount', text: moneyText(order.discount) },
    { name: 'Gift wrap', text: order.giftWrap ? 'Yes' : 'No' },
    ...textsFor('auditor', order).map(({ title, text }) => ({ name: title, text })),
    { name: 'Total', text: moneyText(order.total) },
    ...optional('Payment', order.paymentMethod),
    ...paymentFacts(order),
    { name: 'Ships to', text: addressText(shippingAddress) },
    ...optional('E-mail', shippingAddress.email),
    ...optional('Phone', shippingAddress.phone),
    { name: 'Checked out', text: shortMomentText(order.createdAt) },
    ...optional('Expected', delivery && windowText(delivery)),
    ...optional('Packed', order.packedAt && exactMomentText(order.packedAt)),
    ...optional('Courier', order.shipment && order.shipment.courier),
    ...optional('Tracking number', order.shipment && order.shipment.trackingNumber),
    ...optional('Tracking link', order.shipment && order.shipment.trackingUrl),
    ...historyFacts(order),
  ]);
};

/** Returns fields that were added or changed, in the order of `after`, then fields that were removed. */
export const changesBetween = (before: readonly Fact[], after: readonly Fact[]): readonly Change[] => {
  const [was, is] = [before, after].map((facts) => new Map(facts.map(({ name, text }) => [name, text])));
  const names = [...new Set([...after, ...before].map(({ name }) => name))];
  return names.map((name) => ({ name, before: was?.get(name), after: is?.get(name) })).filter((change) => change.before !== change.after);
};
