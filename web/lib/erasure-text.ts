import { isOnItsWay, isUnderWay } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import { moneyText } from './format.ts';
import { leftToRefund } from './payment-text.ts';

const MUST_WAIT = 'A parcel is on its way and needs its address, so erasing must wait. Please ask again once it is delivered.';

const describeMoney = (payment: PaymentView): string => {
  switch (payment.status) {
    case 'paid':
    case 'refunding':
    case 'partly_refunded': {
      const left = leftToRefund(payment);
      return left > 0 ? `${moneyText(left)} goes back the way it came` : 'what is left of its payment goes back the way it came';
    }
    case 'due':
      return 'anything that was paid for it goes back';
    case 'refunded':
      return 'its payment was refunded before';
    default:
      return 'nothing was paid for it';
  }
};

/** Says what an erasure does to each of these orders that is neither delivered nor cancelled, and to its money. */
export const listErasedOrders = (orders: readonly OrderView[]): readonly string[] =>
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
