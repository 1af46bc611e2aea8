import { ERASED } from '../event-store.ts';
import type { ShopperId } from '../shared/ids.ts';
import { paise, sum, ZERO, type Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import { daysLater, type Instant } from '../shared/time.ts';
import { CASH, type Mismatch, type RefundKind } from './events.ts';

/** A bill says what an order costs at this moment, and how it is to be paid. */
export type Bill = {
  readonly shopper: ShopperId;
  readonly total: Paise;
  /** The value is null for an order that is not placed. */
  readonly method: 'COD' | 'Prepaid' | null;
  readonly isCancelled: boolean;
  readonly isDelivered: boolean;
  /** The returns whose bottles have come back, with what goes back for each. */
  readonly returned: readonly { readonly id: number; readonly value: Paise }[];
};

export const paymentStatuses = [
  'none',
  'on_delivery',
  'collected',
  'due',
  'paid',
  'refunding',
  'partly_refunded',
  'refunded',
  'cancelled',
] as const;
/** `none` means that the order is not placed, `on_delivery` that its cash is not collected yet, `cancelled` that it was never paid. */
export type PaymentStatus = (typeof paymentStatuses)[number];

export type Capture = { readonly payment: string; readonly amount: Paise; readonly method: string; readonly at: Instant };

export type Refund = {
  readonly id: string;
  readonly payment: string;
  readonly amount: Paise;
  readonly kind: RefundKind;
  readonly reason: PersonalText;
  readonly status: 'requested' | 'settled' | 'refused';
  /** The time is that of the status. While the refund is requested, it is when it was requested or last refused. */
  readonly at: Instant;
  readonly refusals: number;
  /** The value is true if the refund was given up, repeated, and settled after all: the excess was refunded twice. */
  readonly isTwice?: true;
  /** The value is true if the refund was made at the gateway itself. */
  readonly isElsewhere?: true;
  /** Which return of the order it is for. */
  readonly return?: number;
  /** The reference of the transfer by which cash was refunded. */
  readonly reference?: string;
};

export type Payment = {
  /** The total is what the order costs; it is null until an event contains it. */
  readonly total: Paise | null;
  readonly link: { readonly id: string; readonly url: string } | null;
  /** All pages that were opened are listed, with the time of the last one. */
  readonly pages: readonly string[];
  readonly openedAt: Instant | null;
  /** Counts the looks for late payments since the last page was opened. */
  readonly looks: number;
  readonly captures: readonly Capture[];
  /** The last failed payment is kept until one is captured. */
  readonly failed: { readonly payment: string; readonly why: string; readonly at: Instant } | null;
  readonly refunds: readonly Refund[];
  /** As in `CashCollected`. */
  readonly cash: { readonly amount: Paise; readonly reference: string; readonly file?: string; readonly at: Instant } | null;
  readonly isReminded: boolean;
  /** Moves of the order that were begun and have not ended, and when the last one ended. */
  readonly moves: readonly { readonly id: string; readonly at: Instant }[];
  readonly movedAt: Instant | null;
  /** These mismatches were not resolved by later events. */
  readonly mismatches: readonly Mismatch[];
};

export const NO_PAYMENT: Payment = {
  total: null,
  link: null,
  pages: [],
  openedAt: null,
  looks: 0,
  captures: [],
  failed: null,
  refunds: [],
  cash: null,
  isReminded: false,
  moves: [],
  movedAt: null,
  mismatches: [],
};

const sumAmounts = (each: readonly { readonly amount: Paise }[]): Paise => sum(each.map(({ amount }) => amount));

export const receivedAmount = ({ captures }: Payment): Paise => sumAmounts(captures);

const isOpenOrSettled = ({ status }: Refund): boolean => status !== 'refused';

/** Returns the sum of these refunds, without those that were given up. */
const outgoing = (refunds: readonly Refund[]): Paise => sumAmounts(refunds.filter(isOpenOrSettled));

/** Returns what is left of the payments; 0 if a refund that was given up and repeated was settled after all. */
const left = (came: Paise, refunds: readonly Refund[]): Paise => paise(Math.max(0, came - outgoing(refunds)));

export const listRefundable = (payment: Payment): readonly Capture[] =>
  payment.captures.map((capture) => ({
    ...capture,
    amount: left(
      capture.amount,
      payment.refunds.filter((refund) => refund.payment === capture.payment),
    ),
  }));

/** Counts each payment apart: a refund that the gateway will refuse, since its payment went back otherwise, takes nothing from another. */
export const refundable = (payment: Payment): Paise => sumAmounts(listRefundable(payment));

export const isRefunding = ({ refunds }: Payment): boolean => refunds.some(({ status }) => status === 'requested');

/** Returns whether the refund is made at the gateway, and not by staff. */
export const isAtGateway = ({ payment }: Pick<Refund, 'payment'>): boolean => payment !== CASH;

/** Returns the refunds of money that was paid for the order: only those of cash, if it was paid in cash. */
const regular = ({ refunds, cash }: Payment): readonly Refund[] =>
  refunds.filter((refund) => refund.kind !== 'excess' && isOpenOrSettled(refund) && (cash === null || !isAtGateway(refund)));

/** Returns the part of each payment that counts for the order, without the excess. */
const kept = ({ captures, refunds }: Payment): readonly Capture[] =>
  captures.map((capture) => ({
    ...capture,
    amount: left(
      capture.amount,
      refunds.filter(({ payment, kind, isTwice }) => payment === capture.payment && kind === 'excess' && !isTwice),
    ),
  }));

/** Returns the amount that counts for the order. */
export const computeKept = (payment: Payment): Paise => sumAmounts(kept(payment));

/** Returns what was paid for the order and not refunded, through the gateway or in cash. */
export const refundableForOrder = (payment: Payment): Paise => {
  const came = payment.cash ? paise(Math.min(payment.cash.amount, payment.total ?? ZERO)) : computeKept(payment);
  return left(came, regular(payment));
};

/** Returns the most that can be refunded: of the cash, if the order was paid in cash, else of all payments through the gateway. */
export const computeRefundLimit = (payment: Payment): Paise => (payment.cash ? refundableForOrder(payment) : refundable(payment));

/** Returns the payment that completed the order's total. */
export const completing = (payment: Payment): Capture | undefined => {
  const { total } = payment;
  if (total === null) return undefined;
  let sumSoFar = 0;
  return kept(payment).find(({ amount }) => (sumSoFar += amount) >= total);
};

export type UnpaidRejection = { readonly code: 'order_not_paid' } | { readonly code: 'order_refunded' };

/** Returns why a prepaid order is not confirmed or shipped: it was not paid in full, or was refunded in full since. */
export const findUnpaid = (payment: Payment): UnpaidRejection | undefined => {
  if (completing(payment) === undefined) return { code: 'order_not_paid' };
  return outgoing(regular(payment)) < (payment.total ?? ZERO) ? undefined : { code: 'order_refunded' };
};

export const isPaidFor = (payment: Payment): boolean => findUnpaid(payment) === undefined;

/** Returns whether a move of the order is under way, or was when somebody asked at this time. */
export const wasMoving = ({ moves, movedAt }: Payment, askedAt: Instant): boolean =>
  moves.length > 0 || (movedAt !== null && askedAt < movedAt);

/**
 * Returns the status that the payment's own events give; undefined until the total was reached: then the order gives it
 * (`statusBeforePayment`). Refunding an excess does not change it.
 */
export const statusOfMoney = (payment: Payment): PaymentStatus | undefined => {
  const back = regular(payment);
  if (payment.cash === null && completing(payment) === undefined) return undefined;
  if (back.length === 0) return payment.cash === null ? 'paid' : 'collected';
  if (back.some(({ status }) => status === 'requested')) return 'refunding';
  return sumAmounts(back) >= (payment.total ?? ZERO) ? 'refunded' : 'partly_refunded';
};

export const statusBeforePayment = ({ method, isCancelled }: Pick<Bill, 'method' | 'isCancelled'>): PaymentStatus => {
  if (method === null) return 'none';
  if (isCancelled) return 'cancelled';
  return method === 'COD' ? 'on_delivery' : 'due';
};

export const paymentStatus = (bill: Bill, payment: Payment): PaymentStatus => statusOfMoney(payment) ?? statusBeforePayment(bill);

/** Returns what the shop may keep of payments through the gateway for this order. */
export const owedFor = ({ method, isCancelled, total }: Bill): Paise => (method === 'Prepaid' && !isCancelled ? total : ZERO);

/** The reasons of refunds without one: those of the shop itself, and those of the desk for an erased shopper. */
const REASONS: Readonly<Record<RefundKind, string>> = {
  excess: 'More was paid than the order costs',
  cancelled: 'The order was cancelled',
  returned: 'Bottles came back',
  desk: ERASED,
};

export const describeReason = ({ reason, kind, isElsewhere }: Pick<Refund, 'reason' | 'kind' | 'isElsewhere'>): string =>
  isElsewhere ? 'Refunded at the gateway' : reason || REASONS[kind];

/**
 * Late payments, which no webhook reported, are looked for this many days after the time for paying, even on closed pages. Banks settle a
 * payment within five days.
 */
const LOOKS = [0, 5] as const;

/** Returns the time of the next look, less the time that a shopper has for paying; null after the last look. */
export const nextLook = ({ openedAt, looks }: Payment): Instant | null => {
  const days = LOOKS[looks];
  return openedAt === null || days === undefined ? null : daysLater(openedAt, days);
};

/** The pauses in seconds after each refusal of a refund; after one more refusal it is given up. */
export const REFUND_RETRIES = [5, 20, 60] as const;
