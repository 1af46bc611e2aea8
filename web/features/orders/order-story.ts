import type { OrderStatus } from '#domain/order/rules.ts';
import { isUnreachable, type OrderView, type ReturnView } from '#domain/order/view.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import { rupees, sum, toPaise } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { dayText, momentText, shortDayText, shortMomentText, windowText } from '../../lib/dates.ts';
import { moneyText } from '../../lib/format.ts';
import { goesBackFor } from '../../lib/payment-text.ts';
import { refundUnderWay, refundUnderWayText } from './payment/payment-sentences.ts';
import { findReturnWindow, reachedAt } from './details/order-dates.ts';

/** `note` is what staff or shopper wrote at this step. */
export type OrderStep = { readonly title: string; readonly detail: string; readonly note?: string | undefined };

export type OrderStory = {
  readonly title: string;
  readonly lead: string;
  /** The page shows the seal: the order was just placed, or it has arrived. */
  readonly isSealed: boolean;
  /** What the shopper can do next, besides cancelling and returning. */
  readonly deed: 'pay' | 'track' | 'buy again' | 'send back' | 'wait';
  /** The step at `here` is the present one. */
  readonly steps: readonly OrderStep[];
  readonly here: number;
};

type Told = Pick<OrderStory, 'title' | 'lead' | 'deed'>;
type Way = Pick<OrderStory, 'steps' | 'here'>;

const sentences = (...all: readonly (string | false | undefined)[]): string => all.filter(Boolean).join(' ');

const REFUND_TAKES = 'usually within 7–10 business days';

const mailText = (order: OrderView): string | false => !isUnreachable(order) && `An e-mail was sent to ${order.shippingAddress.email}.`;

const cashText = ({ payment }: OrderView): string | false =>
  payment.status === 'on_delivery' && `Please have ${moneyText(payment.amount)} ready when the courier comes.`;

const arrivalText = ({ estimatedDelivery }: OrderView): string | false =>
  estimatedDelivery !== null &&
  `It should be at your door between ${shortDayText(estimatedDelivery.from)} and ${shortDayText(estimatedDelivery.to)}.`;

const hasPaid = ({ payment }: OrderView): boolean =>
  ['paid', 'collected', 'refunding', 'partly_refunded', 'refunded'].includes(payment.status);

/** Returns whether the shop has yet to book the cash, which the shopper has given to the courier once the parcel has arrived. */
const isWithCourier = ({ payment }: OrderView): boolean => payment.status === 'on_delivery';

/** Returns the payment's status; of a cancelled order that was paid in part, that of its refunds. */
const moneyStatus = ({ status, refunds }: PaymentView): PaymentView['status'] => {
  if (status !== 'cancelled' || refunds.length === 0) return status;
  return refunds.some((refund) => refund.status === 'requested') ? 'refunding' : 'refunded';
};

/** Says what went back or is on its way back; undefined if nothing was paid. */
const refundedText = ({ payment }: OrderView): string | undefined => {
  switch (moneyStatus(payment)) {
    case 'refunding':
      return payment.method === 'cash'
        ? refundUnderWayText(payment)
        : `${refundUnderWay(payment)} is on its way back to you, ${REFUND_TAKES}.`;
    case 'partly_refunded':
    case 'refunded':
      return `${moneyText(payment.refunded)} went back to you.`;
    default:
      return undefined;
  }
};

const cancelledText = (order: OrderView): string =>
  refundedText(order) ??
  (order.payment.status === 'paid'
    ? `${moneyText(order.payment.amount)} goes back the way it came, ${REFUND_TAKES}.`
    : 'Nothing is to be paid.');

/** Returns the end of the time to pay; undefined where the document does not tell how long it is. */
const findPaymentEnd = ({ placedAt }: OrderView, paymentMinutes: number | undefined): Instant | undefined =>
  placedAt === null || paymentMinutes === undefined
    ? undefined
    : instant(new Date(Date.parse(placedAt) + paymentMinutes * 60_000).toISOString());

/** Returns `1 × Mogra at Dusk and 2 × Ruh Gulab`. */
export const returnedText = ({ items }: OrderView, { lines }: ReturnView): string =>
  lines
    .map(({ productId, quantity }) => `${quantity} × ${items.find(({ product }) => product._id === productId)?.product.name ?? productId}`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');

const tellReturn = (order: OrderView, back: ReturnView): Told | undefined => {
  const what = returnedText(order, back);
  const refund = goesBackFor(back.value, order.payment);
  const worth = hasPaid(order) && refund > 0 && `${moneyText(refund)} goes back to you once it has come.`;
  const whereTo =
    order.paymentMethod === 'COD' &&
    'What you paid in cash goes back by bank or UPI transfer: please answer our e-mail with your UPI ID or bank account.';
  switch (back.status) {
    case 'requested': {
      const lead = sentences(`You asked on ${dayText(back.requestedAt)} to send back ${what}. We answer by e-mail.`, worth);
      return { title: 'We have your wish', lead, deed: 'wait' };
    }
    case 'accepted': {
      const accepted = back.decidedAt && `Accepted on ${dayText(back.decidedAt)}.`;
      const lead = sentences(accepted, `Send ${what}, unopened, to the address given here.`, worth, whereTo);
      return { title: 'Your return is on its way back', lead, deed: 'send back' };
    }
    case 'received': {
      const came = back.receivedAt && `${what} came on ${dayText(back.receivedAt)}.`;
      const lead = sentences(came, isWithCourier(order) ? whereTo : refundedText(order));
      return { title: 'Your return has come', lead, deed: 'buy again' };
    }
    case 'refused':
      return undefined;
  }
};

const deliveredText = (order: OrderView, now: Instant): string => {
  const deliveredAt = reachedAt(order, 'delivered');
  const back = findReturnWindow(order, now);
  const refused = order.return?.status === 'refused' ? order.return : undefined;
  const untilWhen =
    back &&
    (back.tooLate
      ? `It could be returned until ${shortDayText(back.lastDay)}.`
      : `What stays unopened may come back until ${shortDayText(back.lastDay)}.`);
  return sentences(
    deliveredAt && `Handed over on ${momentText(deliveredAt)}.`,
    refused ? `We cannot take ${returnedText(order, refused)} back${refused.note === undefined ? '.' : `: ${refused.note}`}` : untilWhen,
  );
};

const tell = (order: OrderView, now: Instant, paymentMinutes: number | undefined): Told => {
  const told = order.return && tellReturn(order, order.return);
  if (told) return told;
  switch (order.status) {
    case 'created':
    case 'pending': {
      if (order.payment.status !== 'due')
        return { title: 'Order Confirmed', lead: sentences(mailText(order), cashText(order)), deed: 'wait' };
      const until = findPaymentEnd(order, paymentMinutes);
      const kept = until && `Your order is kept for you until ${shortMomentText(until)}.`;
      const lead = sentences(`Pay ${moneyText(order.payment.amount)} and the packing begins.`, kept, mailText(order));
      return { title: 'One step left', lead, deed: 'pay' };
    }
    case 'confirmed':
      return {
        title: 'Being packed',
        lead: sentences('Your perfumes are being packed.', arrivalText(order), cashText(order)),
        deed: 'wait',
      };
    case 'shipped': {
      const since = reachedAt(order, 'shipped');
      const courier = order.shipment?.courier || 'The courier';
      const lead = sentences(since && `${courier} has had it since ${dayText(since)}.`, arrivalText(order), cashText(order));
      return { title: 'On its way', lead, deed: order.shipment?.trackingUrl ? 'track' : 'wait' };
    }
    case 'delivered':
      return { title: 'Delivered', lead: deliveredText(order, now), deed: 'buy again' };
    case 'returned': {
      const at = reachedAt(order, 'returned');
      return { title: 'Your return has come', lead: sentences(at && `Since ${dayText(at)}.`, refundedText(order)), deed: 'buy again' };
    }
    case 'cancelled': {
      const at = reachedAt(order, 'cancelled');
      return { title: 'Cancelled', lead: sentences(at && `Cancelled on ${dayText(at)}.`, cancelledText(order)), deed: 'buy again' };
    }
  }
};

const titles: Partial<Readonly<Record<OrderStatus, string>>> = {
  pending: 'Order Confirmed',
  confirmed: 'Being packed',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  returned: 'Returned',
};

const stepAt = (order: OrderView, status: OrderStatus): OrderStep => {
  const entry = order.history.findLast((each) => each.status === status);
  return { title: titles[status] ?? status, detail: entry ? shortMomentText(entry.at) : '', note: entry?.note };
};

const paymentStep = ({ payment }: OrderView): OrderStep =>
  payment.status === 'due'
    ? { title: 'Payment', detail: 'waits for you' }
    : { title: 'Paid', detail: payment.paidAt === undefined ? '' : shortMomentText(payment.paidAt) };

const refundStep = (order: OrderView, amount: number): OrderStep => ({
  title: 'Refunded',
  detail: order.payment.method === 'upi' ? `${moneyText(amount)} by UPI` : moneyText(amount),
});

/** Returns the steps of an order that is neither cancelled nor returned. */
export const listWay = (order: OrderView): Way => {
  const pays = order.paymentMethod === 'Prepaid' && order.payment.status !== 'cancelled';
  const ahead = order.estimatedDelivery ? windowText(order.estimatedDelivery) : '';
  const delivered = stepAt(order, 'delivered');
  const steps = [
    stepAt(order, 'pending'),
    ...(pays ? [paymentStep(order)] : []),
    stepAt(order, 'confirmed'),
    stepAt(order, 'shipped'),
    delivered.detail === '' ? { ...delivered, detail: ahead } : delivered,
  ];
  const reached = steps.findIndex(({ title }) => title === titles[order.status]);
  return { steps, here: order.status === 'pending' && pays ? 1 : Math.max(0, reached) };
};

const listCancelled = (order: OrderView): Way => {
  const before = [stepAt(order, 'pending'), ...(hasPaid(order) ? [paymentStep(order)] : []), stepAt(order, 'confirmed')];
  const back = hasPaid(order) ? [refundStep(order, order.payment.amount)] : [];
  const steps = [...before.filter(({ detail }) => detail !== ''), stepAt(order, 'cancelled'), ...back];
  return { steps, here: steps.length - (back.length > 0 && order.payment.status !== 'refunded' ? 2 : 1) };
};

const momentOf = (at: Instant | undefined): string => (at === undefined ? '' : shortMomentText(at));

/** Returns what goes back for this return, or went, in rupees: less than its value if the desk refunded a part before. */
const sumBack = ({ _id, payment }: OrderView, back: ReturnView): number => {
  const refunds = payment.refunds.filter((refund) => `${_id}-${refund.return}` === back._id);
  return refunds.length === 0 ? goesBackFor(back.value, payment) : rupees(sum(refunds.map(({ amount }) => toPaise(amount))));
};

/** Without a sum if all was refunded before. */
const refundOf = (order: OrderView, back: ReturnView): OrderStep => {
  const amount = sumBack(order, back);
  return amount > 0 ? refundStep(order, amount) : { title: 'Refunded', detail: '' };
};

const listReturn = (order: OrderView, back: ReturnView): Way => {
  const { status, requestedAt, decidedAt, receivedAt, reason, note } = back;
  const refunds = hasPaid(order) || isWithCourier(order) ? [refundOf(order, back)] : [];
  const steps = [
    { title: 'Return asked for', detail: momentOf(requestedAt), note: reason },
    { title: 'Accepted', detail: momentOf(decidedAt), note },
    { title: 'Received', detail: momentOf(receivedAt) },
    ...refunds,
  ];
  const isBack = order.payment.status === 'refunded' || order.payment.status === 'partly_refunded';
  return { steps, here: status === 'requested' ? 0 : status === 'accepted' ? 1 : isBack ? steps.length - 1 : 2 };
};

const listSteps = (order: OrderView): Way => {
  if (order.return && order.return.status !== 'refused') return listReturn(order, order.return);
  if (order.status === 'cancelled') return listCancelled(order);
  const way = listWay(order);
  return order.status === 'returned' ? { steps: [...way.steps, stepAt(order, 'returned')], here: way.steps.length } : way;
};

/**
 * Tells where an order stands at this moment: title, sentences, the next deed and the steps. `paymentMinutes` is how long an order waits for
 * its payment.
 */
export const tellOrder = (order: OrderView, now: Instant, paymentMinutes?: number): OrderStory => {
  const told = tell(order, now, paymentMinutes);
  return { ...told, isSealed: told.title === 'Order Confirmed' || told.title === 'Delivered', ...listSteps(order) };
};
