import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { moneyText } from '../../../lib/money.ts';

const changeOfLine = (before: OrderItemView | undefined, now: OrderItemView | undefined): string[] => {
  if (before === undefined) return now === undefined ? [] : [`${now.product.name} was added.`];
  const { name, price } = before.product;
  if (now === undefined) return [`${name} is no longer in this order.`];
  return [
    ...(price === now.product.price ? [] : [`${name} is now ${now.product.price}; it was ${price}.`]),
    ...(before.quantity === now.quantity ? [] : [`${name}: ${now.quantity} instead of ${before.quantity}.`]),
  ];
};

/** What a refreshed order has become, a sentence for each line that changed, and the new total last. Empty when all is as it was. */
export const changesIn = (before: OrderView, now: OrderView): readonly string[] => {
  const lines = (order: OrderView) => new Map(order.items.map((item) => [item.product._id, item]));
  const [old, fresh] = [lines(before), lines(now)];
  const ids = new Set([...old.keys(), ...fresh.keys()]);
  const total = (order: OrderView) => moneyText(order.total);
  return [
    ...[...ids].flatMap((id) => changeOfLine(old.get(id), fresh.get(id))),
    ...(before.total === now.total ? [] : [`The total is now ${total(now)}; it was ${total(before)}.`]),
  ];
};
