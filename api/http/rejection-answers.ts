import type { ChangedOffer } from '#domain/order/checkout.ts';
import type { ReturnStatus } from '#domain/order/rules.ts';
import { formatRupees } from '#domain/shared/money.ts';

import type { Rejection } from '../command-handler/execute.ts';
import type { HttpErrorAnswer } from './http-error.ts';

type Answers = { readonly [Code in Rejection['code']]: (rejection: Extract<Rejection, { code: Code }>) => Omit<HttpErrorAnswer, 'code'> };

const describeChange = ({ name, was, now }: ChangedOffer): string =>
  now === null ? `${name} is no longer available` : `${name} now costs ${formatRupees(now)} instead of ${formatRupees(was)}`;

const describeReturn = (status: ReturnStatus, restock: boolean | null): string => {
  if (status === 'requested') return 'This return is not accepted yet';
  if (status === 'received') return `This return was received ${restock ? 'and put back into stock' : 'and not put back into stock'}`;
  return `This return was ${status}`;
};

/** A new rejection compiles only once it is listed here. */
const answers = {
  product_not_found: () => ({ status: 404, message: 'Product not found' }),
  product_already_exists: () => ({ status: 409, message: 'There is or was a product with this id' }),
  product_invalid: ({ errors }) => ({ status: 400, message: 'Please correct the marked fields', errors }),
  product_changed: () => ({ status: 409, message: 'Somebody else has changed this product meanwhile' }),
  product_out_of_stock: () => ({ status: 409, message: 'Product is out of stock' }),
  product_not_purchasable: () => ({ status: 409, message: 'Product is not for sale' }),
  quantity_out_of_range: ({ least, most }) => {
    const message = `Quantity must be a whole number from ${least} to ${most}`;
    return { status: 400, message, errors: { quantity: message } };
  },
  cart_full: ({ most }) => ({ status: 400, message: `A cart holds ${most} different products at most` }),
  product_not_in_cart: () => ({ status: 404, message: 'Product not in cart' }),
  cart_closed: () => ({ status: 409, message: 'This cart is now in your account. Please sign in to go on.' }),
  wishlist_full: ({ most }) => ({ status: 409, message: `A wishlist holds ${most} perfumes at most. Remove one first.` }),
  order_not_found: () => ({ status: 404, message: 'Order not found' }),
  cart_empty: () => ({ status: 400, message: 'Your cart is empty' }),
  checkout_invalid: ({ errors }) => ({ status: 400, message: 'Please correct the marked fields', errors }),
  items_unavailable: ({ products }) => ({
    status: 409,
    message: 'Some items are no longer available',
    errors: Object.fromEntries(products.map(({ productId, name }) => [productId, `${name} is no longer available`])),
  }),
  not_enough_in_stock: ({ products }) => ({
    status: 409,
    message: 'Not enough in stock',
    errors: Object.fromEntries(
      products.map(({ productId, available }) => [productId, available > 0 ? `Only ${available} left` : 'Out of stock']),
    ),
  }),
  tax_rate_in_past: ({ today }) => {
    const message = `From today (${today}) on, or later`;
    return { status: 400, message, errors: { from: message } };
  },
  stock_not_counted: () => ({ status: 409, message: 'Stock is not counted' }),
  stock_is_counted: () => ({ status: 409, message: 'Stock is counted' }),
  stock_below_reserved: ({ reserved }) => ({ status: 409, message: `${reserved} are reserved for orders: count at least so many` }),
  stock_too_high: ({ most }) => ({ status: 409, message: `At most ${most} bottles of one product` }),
  stock_too_low: ({ available }) => ({ status: 409, message: `Only ${available} available` }),
  offer_changed: ({ products }) => ({
    status: 409,
    message: `Changed since you checked out: ${products.map(({ name }) => name).join(', ')}. Please refresh your order.`,
    errors: Object.fromEntries(products.map((product) => [product.productId, describeChange(product)])),
  }),
  already_ordered: ({ order: orderId, number: orderNumber }) => ({
    status: 409,
    message: `You ordered these today, ${orderNumber}. Place this order anyway only if you want both.`,
    details: { orderNumber, orderId },
  }),
  order_expired: () => ({ status: 409, message: 'The prices of this order are no longer held. Please refresh your order.' }),
  order_cancelled: () => ({ status: 409, message: 'This order was cancelled' }),
  order_already_placed: () => ({ status: 409, message: 'Order already placed' }),
  illegal_transition: ({ from, to }) => ({ status: 409, message: `The order is ${from} and cannot become ${to}` }),
  shipment_invalid: ({ errors }) => ({ status: 400, message: 'Please correct the marked fields', errors: { ...errors } }),
  not_on_its_way: ({ status }) => ({ status: 409, message: `The order is ${status}: a shipment is corrected while it is on its way` }),
  not_to_pack: ({ status }) => ({ status: 409, message: `The order is ${status}: only a confirmed one is packed` }),
  note_too_long: ({ most }) => ({ status: 400, message: `Please use at most ${most} characters` }),
  order_not_paid: () => ({ status: 409, message: 'Order is not paid' }),
  order_refunded: () => ({ status: 409, message: 'Order is refunded' }),
  order_moving: () => ({ status: 409, message: 'Somebody is confirming or shipping this order. Please look at it again in a minute.' }),
  shopper_erased: () => ({
    status: 409,
    message: 'The data of this shopper were erased, so the order can reach nobody. Please cancel it.',
  }),
  nothing_to_pay: () => ({ status: 409, message: 'Nothing to pay' }),
  more_than_was_paid: () => ({ status: 409, message: 'More than was paid' }),
  refund_reason_invalid: ({ most }) => {
    const message = `Please give a reason of at most ${most} characters`;
    return { status: 400, message, errors: { reason: message } };
  },
  not_delivered: () => ({ status: 409, message: 'Cash is collected for delivered orders only' }),
  not_paid_on_delivery: () => ({ status: 409, message: 'This order is not paid on delivery' }),
  no_cash_refund: () => ({ status: 409, message: 'No refund of cash is under way' }),
  cash_refund_differs: ({ open, sent }) => ({
    status: 409,
    message: `${formatRupees(open)} is to be sent back now, not ${formatRupees(sent)}. Nothing was changed. Please look at the order again.`,
  }),
  return_open: () => ({ status: 409, message: 'Another return of this order is open. Please wait until it has ended.' }),
  nothing_to_return: () => ({ status: 409, message: 'All bottles of this order have come back' }),
  return_exceeds_order: ({ products }) => ({
    status: 409,
    message: 'More than was bought',
    errors: Object.fromEntries(
      products.map(({ productId, left }) => [productId, left > 0 ? `Only ${left} can come back` : 'None can come back']),
    ),
  }),
  return_not_found: () => ({ status: 404, message: 'No return of this order was asked for' }),
  return_settled: ({ status, restock }) => ({ status: 409, message: describeReturn(status, restock) }),
  bottle_opened: ({ policy }) => ({ status: 409, message: policy }),
  return_too_late: ({ policy, lastDay }) => ({ status: 409, message: `${policy} The last day for this order was ${lastDay}.` }),
  review_not_found: () => ({ status: 404, message: 'Review not found' }),
  not_a_buyer: () => ({ status: 403, message: 'Only people to whom we delivered this perfume may review it' }),
  review_exists: () => ({ status: 409, message: 'You have reviewed this perfume already. You can change what you wrote.' }),
  review_hidden: () => ({ status: 409, message: 'We have hidden this review, so it cannot be changed or written anew' }),
  not_your_review: () => ({ status: 403, message: 'Only its author may change a review' }),
  message_answered: () => ({ status: 409, message: 'This message has an answer already. Please read it before you send another.' }),
  last_owner: () => ({ status: 409, message: 'This is the last owner. Make somebody else an owner first.' }),
  already_on_staff: () => ({ status: 409, message: 'This person is on the staff already. Change their roles instead.' }),
  member_not_found: () => ({ status: 404, message: 'There is no such member of the staff' }),
  invitation_over: () => ({
    status: 400,
    message: 'This invitation is not valid any more. Please ask the owner of the shop for a new one.',
  }),
} satisfies Answers;

export const answerTo = (rejection: Rejection): HttpErrorAnswer => {
  // The type pairs each code with its rejection; a lookup loses that.
  const answer = answers[rejection.code] as (rejection: Rejection) => Omit<HttpErrorAnswer, 'code'>;
  return { ...answer(rejection), code: rejection.code };
};
