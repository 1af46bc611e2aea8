import type { Instant } from '../shared/time.ts';
import { accept, reject, type Decision } from '../shared/decider.ts';
import { NOT_AN_EMAIL, parseEmail } from '../shared/email.ts';
import type { ShopperId } from '../shared/ids.ts';
import type { IndianState } from '../shared/states.ts';
import { NO_TEXT, personalText } from '../shared/text.ts';
import type { UnpaidRejection } from '../payment/rules.ts';
import type { OrderEvent } from './events.ts';
import { findShipmentProblems, typedOf, type ShipmentTexts } from './shipment-texts.ts';
import type { ShipmentRejection } from './shipment.ts';
import {
  isPlaced,
  isToMove,
  leadsToShopper,
  canBecome,
  nextForStaff,
  type OrderStatus,
  type StaffStatus,
  ownedBy,
  type Order,
} from './rules.ts';

/** Notes and reasons have at most this many characters. */
export const LONGEST_NOTE = 500;

export type CancelOrder = { readonly type: 'CancelOrder'; readonly by: ShopperId; readonly reason: string; readonly now: Instant };
/** This command is sent by the shop itself when the time for paying is over. */
export type CancelUnpaid = {
  readonly type: 'CancelUnpaid';
  /** The value is true if the payment's stream says that money is due. */
  readonly isDue: boolean;
  readonly now: Instant;
};
/** This command is sent by the shop itself for a shopper who is erased: what has not shipped would go to nobody. */
export type CancelErased = { readonly type: 'CancelErased'; readonly now: Instant };
/** This command is sent by staff: the route has checked their permission. */
export type MoveOrder = {
  readonly type: 'MoveOrder';
  readonly to: OrderStatus;
  readonly note: string;
  /** Recorded by the move to `shipped`, for an order whose address does not say where it is supplied. */
  readonly placeOfSupply?: IndianState | undefined;
  /** Recorded by the move to `shipped`. */
  readonly shipment?: ShipmentTexts | undefined;
  /** The value is what the payment's stream says against moving a prepaid order. */
  readonly unpaid: UnpaidRejection | undefined;
  /** The value is true from the moment on at which the erasure of the shopper is certain. */
  readonly isErased: boolean;
  readonly now: Instant;
};
/** This command is sent by staff. */
export type CorrectEmail = { readonly type: 'CorrectEmail'; readonly email: string; readonly reason: string; readonly now: Instant };
/** This command is sent when a move was begun in the payment's stream and did not come. */
export type AbandonMove = { readonly type: 'AbandonMove'; readonly now: Instant };
/** This command is sent at sign-in: the visitor's order becomes the user's. */
export type ClaimOrder = { readonly type: 'ClaimOrder'; readonly from: ShopperId; readonly by: ShopperId; readonly now: Instant };

export type FulfilmentRejection =
  | { readonly code: 'order_not_found' }
  | { readonly code: 'checkout_invalid'; readonly errors: { readonly email: string } }
  | { readonly code: 'illegal_transition'; readonly from: OrderStatus; readonly to: OrderStatus }
  | { readonly code: 'note_too_long'; readonly most: number }
  | UnpaidRejection
  | Extract<ShipmentRejection, { code: 'shipment_invalid' }>
  | { readonly code: 'shopper_erased' };

type Decided = Decision<OrderEvent, FulfilmentRejection>;

const tooLong = (): Decided => reject({ code: 'note_too_long', most: LONGEST_NOTE });

export const cancelOrder = (order: Order, { by, reason, now: cancelledAt }: CancelOrder): Decided => {
  const mine = ownedBy(by, order);
  if (mine === undefined) return reject({ code: 'order_not_found' });
  if (reason.length > LONGEST_NOTE) return tooLong();
  if (mine.status === 'cancelled') return accept();
  if (!canBecome(mine.status, 'cancelled')) return reject({ code: 'illegal_transition', from: mine.status, to: 'cancelled' });
  return accept({ type: 'OrderCancelled', data: { shopper: mine.shopper, reason: personalText(reason), cancelledAt } });
};

/** Changes nothing if staff have begun to work on the order, or if it was paid or cancelled meanwhile. */
export const cancelUnpaid = (order: Order, { isDue, now: cancelledAt }: CancelUnpaid): Decided => {
  if (!isDue || order.status !== 'pending' || order.placement?.method !== 'Prepaid') return accept();
  return accept({ type: 'OrderCancelled', data: { shopper: order.shopper, reason: NO_TEXT, cancelledAt, because: 'unpaid' } });
};

/** Changes nothing in a draft, or in what has shipped or was cancelled. */
export const cancelErased = (order: Order, { now }: CancelErased): Decided => {
  if (order.status !== 'pending' && order.status !== 'confirmed') return accept();
  return accept({ type: 'OrderCancelled', data: { shopper: order.shopper, reason: NO_TEXT, cancelledAt: now, because: 'erased' } });
};

const movedTo = (
  to: StaffStatus,
  shopper: ShopperId,
  {
    note: typed,
    placeOfSupply,
    shipment = {},
    now,
  }: Omit<MoveOrder, 'shipment'> & { readonly shipment?: Partial<ShipmentTexts> | undefined },
): OrderEvent => {
  const note = personalText(typed);
  switch (to) {
    case 'confirmed':
      return { type: 'OrderConfirmed', data: { shopper, note, confirmedAt: now } };
    case 'shipped':
      return {
        type: 'OrderShipped',
        data: { shopper, note, shippedAt: now, ...(placeOfSupply && { placeOfSupply }), ...typedOf(shipment) },
      };
    case 'delivered':
      return { type: 'OrderDelivered', data: { shopper, note, deliveredAt: now } };
    case 'cancelled':
      return { type: 'OrderCancelled', data: { shopper, reason: note, cancelledAt: now } };
  }
};

/** Returns whether staff may make this move only after the order is paid. */
export const needsPayment = (order: Order, to: OrderStatus): boolean =>
  order.status !== 'none' && order.placement?.method === 'Prepaid' && isToMove(order.status) && leadsToShopper(to);

/** Unlike a shopper's command, setting the current status again is refused, because the page that sent it is stale. */
export const moveOrder = (order: Order, command: MoveOrder): Decided => {
  const { to, note, shipment, unpaid, isErased } = command;
  if (order.status === 'none') return reject({ code: 'order_not_found' });
  if (note.length > LONGEST_NOTE) return tooLong();
  const errors = shipment ? findShipmentProblems(shipment) : {};
  if (Object.keys(errors).length > 0) return reject({ code: 'shipment_invalid', errors });
  const next = nextForStaff(order.status).find((status) => status === to);
  if (next === undefined) return reject({ code: 'illegal_transition', from: order.status, to });
  if (leadsToShopper(next) && isErased) return reject({ code: 'shopper_erased' });
  if (unpaid && needsPayment(order, next)) return reject(unpaid);
  return accept(movedTo(next, order.shopper, command));
};

/** Corrects the address to which the mails of a placed order go. Its present address changes nothing. */
export const correctEmail = (order: Order, { email: typed, reason, now: correctedAt }: CorrectEmail): Decided => {
  if (!isPlaced(order)) return reject({ code: 'order_not_found' });
  if (reason.length > LONGEST_NOTE) return tooLong();
  const email = parseEmail(typed);
  if (email === undefined) return reject({ code: 'checkout_invalid', errors: { email: NOT_AN_EMAIL } });
  if (email === order.shippingAddress.email) return accept();
  const data = { shopper: order.shopper, email: personalText(email), reason: personalText(reason), correctedAt };
  return accept({ type: 'OrderEmailCorrected', data });
};

export const abandonMove = (order: Order, { now: abandonedAt }: AbandonMove): Decided =>
  order.status !== 'none' && isToMove(order.status) ? accept({ type: 'MoveAbandoned', data: { abandonedAt } }) : accept();

export const claimOrder = (order: Order, { from, by, now: claimedAt }: ClaimOrder): Decided => {
  if (ownedBy(by, order) !== undefined) return accept();
  if (ownedBy(from, order) === undefined) return reject({ code: 'order_not_found' });
  return accept({ type: 'OrderClaimed', data: { from, by, claimedAt } });
};
