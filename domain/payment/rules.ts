import { ERASED } from '../event-store.ts';
import type { ShopperId } from '../shared/ids.ts';
import { paise, sum, ZERO, type Paise } from '../shared/money.ts';
import type { PersonalText } from '../shared/text.ts';
import { daysLater, type Instant } from '../shared/time.ts';
import type { Mismatch, RefundKind } from './events.ts';

/** What an order asks for, as it is now. */
export type Bill = {
  readonly shopper: ShopperId;
  readonly total: Paise;
  /** Null for an order that is not placed. */
  readonly method: 'COD' | 'Prepaid' | null;
  readonly isCancelled: boolean;
  readonly isDelivered: boolean;
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
/** `none`: not placed. `on_delivery`: not collected yet. `cancelled`: never paid. */
export type PaymentStatus = (typeof paymentStatuses)[number];

export type Capture = { readonly payment: string; readonly amount: Paise; readonly method: string; readonly at: Instant };

export type Refund = {
  readonly id: string;
  readonly payment: string;
  readonly amount: Paise;
  readonly kind: RefundKind;
  readonly reason: PersonalText;
  readonly status: 'requested' | 'settled' | 'refused';
  /** Of its status; while it is requested, when it was requested or last refused. */
  readonly at: Instant;
  /** How often the gateway has refused it. */
  readonly refusals: number;
  /** It was given up and made anew, and arrived after all: the excess went back twice. */
  readonly isTwice?: true;
};

export type Payment = {
  /** What the order costs, once it is known here. */
  readonly total: Paise | null;
  /** The gateway's page that is open. */
  readonly link: { readonly id: string; readonly url: string } | null;
  /** All that were opened, and when the last one was. */
  readonly pages: readonly string[];
  readonly openedAt: Instant | null;
  /** How often late payments were sought since. */
  readonly looks: number;
  readonly captures: readonly Capture[];
  /** The last attempt that failed, unless money came since. */
  readonly failed: { readonly payment: string; readonly why: string; readonly at: Instant } | null;
  readonly refunds: readonly Refund[];
  /** `reference` is that of the remittance; empty for none. */
  readonly cash: { readonly amount: Paise; readonly reference: string; readonly at: Instant } | null;
  readonly isReminded: boolean;
  /** Those that are not settled by what happened since. */
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
  mismatches: [],
};

const amountOf = (each: readonly { readonly amount: Paise }[]): Paise => sum(each.map(({ amount }) => amount));

/** All that came through the gateway. */
export const receivedAmount = ({ captures }: Payment): Paise => amountOf(captures);

const isOpenOrSettled = ({ status }: Refund): boolean => status !== 'refused';

/** Of these refunds, the sum of those that were not given up. */
const outgoing = (refunds: readonly Refund[]): Paise => amountOf(refunds.filter(isOpenOrSettled));

/** Nothing, when a refund that was given up and made anew has arrived after all. */
const left = (came: Paise, refunds: readonly Refund[]): Paise => paise(Math.max(0, came - outgoing(refunds)));

/** What can still be refunded through the gateway. */
export const refundable = (payment: Payment): Paise => left(receivedAmount(payment), payment.refunds);

/** What can still be refunded of each payment. */
export const refundableOf = (payment: Payment): readonly Capture[] =>
  payment.captures.map((capture) => ({
    ...capture,
    amount: left(
      capture.amount,
      payment.refunds.filter((refund) => refund.payment === capture.payment),
    ),
  }));

/** Whether the gateway has not settled one yet. */
export const isRefunding = ({ refunds }: Payment): boolean => refunds.some(({ status }) => status === 'requested');

/** Refunds that touch what was paid for the order. */
const regular = ({ refunds }: Payment): readonly Refund[] =>
  refunds.filter((refund) => refund.kind !== 'excess' && isOpenOrSettled(refund));

/** What the order has of each payment: without what was too much. */
const kept = ({ captures, refunds }: Payment): readonly Capture[] =>
  captures.map((capture) => ({
    ...capture,
    amount: left(
      capture.amount,
      refunds.filter(({ payment, kind, isTwice }) => payment === capture.payment && kind === 'excess' && !isTwice),
    ),
  }));

/** All that the order has. */
export const keptOf = (payment: Payment): Paise => amountOf(kept(payment));

/** The payment with which the order's total was reached. */
export const completing = (payment: Payment): Capture | undefined => {
  const { total } = payment;
  if (total === null) return undefined;
  let sumSoFar = 0;
  return kept(payment).find(({ amount }) => (sumSoFar += amount) >= total);
};

/** Whether goods may leave for it: paid in full, and not refunded in full since. */
export const isPaidFor = (payment: Payment): boolean =>
  completing(payment) !== undefined && outgoing(regular(payment)) < (payment.total ?? ZERO);

/**
 * The status as the payment's own events tell it; undefined as long as its total was not reached: then the order tells it
 * (`statusBeforePayment`). Refunding an excess leaves it as it is.
 */
export const statusOfMoney = (payment: Payment): PaymentStatus | undefined => {
  const back = regular(payment);
  if (payment.cash !== null) return 'collected';
  if (completing(payment) === undefined) return undefined;
  if (back.length === 0) return 'paid';
  if (back.some(({ status }) => status === 'requested')) return 'refunding';
  return amountOf(back) >= (payment.total ?? ZERO) ? 'refunded' : 'partly_refunded';
};

/** The payment status of an order that is not paid. */
export const statusBeforePayment = ({ method, isCancelled }: Pick<Bill, 'method' | 'isCancelled'>): PaymentStatus => {
  if (method === null) return 'none';
  if (isCancelled) return 'cancelled';
  return method === 'COD' ? 'on_delivery' : 'due';
};

export const paymentStatus = (bill: Bill, payment: Payment): PaymentStatus => statusOfMoney(payment) ?? statusBeforePayment(bill);

/** What the shop may keep of money that comes through the gateway for this order. */
export const owedFor = ({ method, isCancelled, total }: Bill): Paise => (method === 'Prepaid' && !isCancelled ? total : ZERO);

/** The reasons of refunds that have none of their own: those of the desk when their shopper was erased. */
const REASONS: Readonly<Record<RefundKind, string>> = {
  excess: 'More was paid than the order costs',
  cancelled: 'The order was cancelled',
  desk: ERASED,
};

export const reasonOf = ({ reason, kind }: Pick<Refund, 'reason' | 'kind'>): string => reason || REASONS[kind];

/**
 * When late payments are sought, in days after the time for paying: those that no webhook told of, on pages that were paid or closed. Banks
 * settle a payment within five days.
 */
const LOOKS = [0, 5] as const;

/** When they are sought next, less the time that a shopper has for paying; null when they were sought for the last time. */
export const nextLook = ({ openedAt, looks }: Payment): Instant | null => {
  const days = LOOKS[looks];
  return openedAt === null || days === undefined ? null : daysLater(openedAt, days);
};

/** In seconds, after each refusal of a refund but the last. */
export const REFUND_RETRIES = [5, 20, 60] as const;
