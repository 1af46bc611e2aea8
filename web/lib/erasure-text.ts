import { isOnItsWay, isUnderWay } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import { moneyText } from './format.ts';

const MUST_WAIT = 'A parcel is on its way and needs its address, so erasing must wait. Please ask again once it is delivered.';

const describeMoney = ({ status, refundable }: PaymentView): string => {
  // More may come until it is cancelled.
  if (status === 'due') return 'anything that was paid for it goes back';
  if (refundable > 0) return `${moneyText(refundable)} goes back the way it came, usually within 7–10 business days`;
  switch (status) {
    case 'refunding':
      return 'its payment is on its way back already';
    case 'paid':
    case 'partly_refunded':
    case 'refunded':
      return 'its payment was refunded before';
    default:
      return 'nothing was paid for it';
  }
};

/** Says what an erasure does to each of these orders that is neither delivered nor cancelled, and to its money. */
const listErasedOrders = (orders: readonly OrderView[]): readonly string[] =>
  orders
    .filter(({ status }) => isUnderWay(status))
    .map(({ orderNumber, status, payment }) =>
      isOnItsWay(status) ? `${orderNumber} is on its way.` : `${orderNumber} will be cancelled, ${describeMoney(payment)}.`,
    );

/** Returns what the dialog of an erasure says to the shopper, whose orders are undefined until they are known. */
export const describeErasure = (orders: readonly OrderView[] | undefined, consequences: readonly string[]) => {
  const mustWait = orders?.some(({ status }) => isOnItsWay(status)) ?? false;
  const isPossible = orders !== undefined && !mustWait;
  return {
    isPossible,
    warning: mustWait ? MUST_WAIT : 'This cannot be undone, by you or by us.',
    consequences: [...listErasedOrders(orders ?? []), ...(isPossible ? consequences : [])],
  };
};
