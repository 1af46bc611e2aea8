import { ERASED } from '../event-store.ts';
import type { ProductId, ShopperId } from '../shared/ids.ts';
import { readPlace, type IndianState, type PlaceOfSupply } from '../shared/states.ts';
import { dateInIndia, type CalendarDate, type Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import type { Checkout, Placement, ReturnLine } from './events.ts';
import type { Shipment } from './shipment-texts.ts';
import type { OrderTexts } from './texts.ts';

/** `created` means checked out; placing makes an order `pending`. */
export const orderStatuses = ['created', 'pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'returned'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  created: ['pending', 'cancelled'],
  pending: ['confirmed', 'cancelled'],
  confirmed: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: ['returned'],
  cancelled: [],
  returned: [],
};

export const canBecome = (from: OrderStatus, to: OrderStatus): boolean => transitions[from].includes(to);

/** Returns whether the order is placed and neither delivered nor cancelled: until then the address is needed. */
export const isUnderWay = (status: OrderStatus): boolean => status === 'pending' || status === 'confirmed' || status === 'shipped';

/** Returns whether staff are to confirm or ship the order. */
export const isToMove = (status: OrderStatus): boolean => status === 'pending' || status === 'confirmed';

/** Returns whether a parcel is on its way: it needs its address, and nobody can stop it. */
export const isOnItsWay = (status: OrderStatus): boolean => isUnderWay(status) && !canBecome(status, 'cancelled');

/** Returns whether the status is for what goes to a shopper: a prepaid order must be paid for it, and an erased shopper's order gets it no more. */
export const leadsToShopper = (status: OrderStatus): boolean => status === 'confirmed' || status === 'shipped';

/** Staff may set these statuses: only shoppers create and place orders, and an order is returned by receiving its bottles. */
export type StaffStatus = Exclude<OrderStatus, 'created' | 'pending' | 'returned'>;

const isForStaff = (status: OrderStatus): status is StaffStatus => status !== 'created' && status !== 'pending' && status !== 'returned';

/** Returns the statuses that staff may set next, the usual one first. */
export const nextForStaff = (status: OrderStatus): readonly StaffStatus[] => transitions[status].filter(isForStaff);

/** `note` is the note or reason of staff or shopper; empty if there is none. */
export type HistoryEntry = { readonly status: OrderStatus; readonly at: Instant; readonly note: PersonalText };

/** The part of an order's state that depends on neither its lines nor its owner. */
export type OrderProgress = {
  readonly status: OrderStatus;
  readonly createdAt: Instant;
  readonly placement: Placement | null;
  readonly history: readonly HistoryEntry[];
};

export const returnStatuses = ['requested', 'accepted', 'refused', 'received'] as const;
export type ReturnStatus = (typeof returnStatuses)[number];

/** A shopper asks for a return; staff decide, and receive the bottles. */
export type OrderReturn = {
  /** Counts the returns of the order, from 1. */
  readonly id: number;
  readonly status: ReturnStatus;
  readonly lines: readonly ReturnLine[];
  /** The value goes back when the bottles have come back. */
  readonly value: Paise;
  readonly reason: PersonalText;
  readonly requestedAt: Instant;
  readonly decidedAt: Instant | null;
  /** The note is that of the decision; empty if there is none. */
  readonly note: PersonalText;
  readonly receivedAt: Instant | null;
  /** The value is null until the bottles came back. */
  readonly restock: boolean | null;
};

export type ExistingOrder = Checkout &
  OrderTexts &
  OrderProgress & {
    /** The cart's owner stays the same when a user claims the order. */
    readonly cart: ShopperId;
    /** The time when the prices were last taken from the catalogue. */
    readonly quotedAt: Instant;
    readonly deliveredAt: Instant | null;
    /** The state that staff named when they shipped the order; null if they named none. */
    readonly suppliedIn: IndianState | null;
    /** The time since which staff have it marked as packed; null without the mark. */
    readonly packedAt: Instant | null;
    readonly shipment: Shipment | null;
    /** The returns are listed oldest first; only the last one can be open. */
    readonly returns: readonly OrderReturn[];
  };
export type Order = { readonly status: 'none' } | ExistingOrder;

export type PlacedOrder = ExistingOrder & { readonly placement: Placement };
export const isPlaced = (order: Order): order is PlacedOrder => order.status !== 'none' && order.placement !== null;

/** Returns how many bottles of this perfume can still come back. */
export const countLeft = ({ lines, returns }: Pick<ExistingOrder, 'lines' | 'returns'>, product: ProductId): number => {
  const count = (of: readonly ReturnLine[]): number =>
    of.reduce((total, { productId, quantity }) => total + (productId === product ? quantity : 0), 0);
  return count(lines) - count(returns.flatMap((each) => (each.status === 'received' ? each.lines : [])));
};

/** Returns where the order is supplied, for its tax; undefined if nothing says it. After an erasure the placement has what the address said. */
export const findPlaceOfSupply = ({
  suppliedIn,
  shippingAddress,
  placement,
}: Pick<ExistingOrder, 'suppliedIn' | 'shippingAddress' | 'placement'>): PlaceOfSupply | undefined =>
  suppliedIn ?? (shippingAddress.country === ERASED ? undefined : readPlace(shippingAddress)) ?? placement?.deliveryState;

/** Returns the order if the shopper owns it. Another shopper's order counts as not found: "forbidden" would reveal that it exists. */
export const ownedBy = (shopper: ShopperId, order: Order): ExistingOrder | undefined =>
  order.status !== 'none' && order.shopper === shopper ? order : undefined;

/** Delivery takes this many days from placing. */
const DAYS = { from: 5, to: 7 } as const;

export type DeliveryWindow = { readonly from: CalendarDate; readonly to: CalendarDate };

/** Counts from the day in India on which the order was placed, so the result is the same whenever it is viewed. */
export const estimatedDelivery = (placedAt: Instant): DeliveryWindow => ({
  from: dateInIndia(placedAt, DAYS.from),
  to: dateInIndia(placedAt, DAYS.to),
});

/** A return is possible for this many days after delivery. */
const RETURN_DAYS = 14;

/** The policy's page and refusals show this text. */
export const returnPolicy = {
  unopened: `You may return an unopened bottle within ${RETURN_DAYS} days of delivery.`,
} as const;

/** Counts calendar days in India: an order delivered on the 14th may be returned until the end of the 28th. */
export const lastDayToReturn = (deliveredAt: Instant): CalendarDate => dateInIndia(deliveredAt, RETURN_DAYS);

export const isTooLateToReturn = (deliveredAt: Instant, now: Instant): boolean => dateInIndia(now) > lastDayToReturn(deliveredAt);
