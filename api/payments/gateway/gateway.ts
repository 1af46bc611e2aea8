import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

export type GatewayPayment = {
  readonly id: string;
  readonly amount: Paise;
  /** As the gateway names it: upi, card, netbanking, … */
  readonly method: string;
  readonly at: Instant;
  readonly status: 'captured' | 'failed';
  readonly reason?: string;
};

export type GatewayLink = {
  readonly id: string;
  /** Of the hosted page. */
  readonly url: string;
  /** The order's id. */
  readonly reference: string;
  readonly amount: Paise;
  readonly status: 'open' | 'paid' | 'partly_paid' | 'cancelled' | 'expired';
  readonly payments: readonly GatewayPayment[];
};

export type GatewayRefund = {
  readonly id: string;
  /** The payment's id. */
  readonly payment: string;
  readonly amount: Paise;
  readonly status: 'pending' | 'settled' | 'refused';
  /** Ours; empty for a refund that somebody made at the gateway itself. */
  readonly reference: string;
};

export type LinkOrder = {
  /** The order's id. */
  readonly reference: string;
  readonly number: string;
  readonly amount: Paise;
  /** Where the gateway sends the browser after a payment. */
  readonly returnTo: string;
  /** Taken into account from 15 minutes ahead, the least that Razorpay accepts. */
  readonly expiresAt?: Instant | undefined;
};

export type RefundOrder = {
  readonly payment: string;
  readonly amount: Paise;
  readonly reference: string;
  /** Whether it is known here that the gateway refused the refund of this id of its own. Default: none is known. */
  readonly isKnown?: (refused: string) => boolean;
};

/** Of the refunds of one reference: the one that stands, or a refusal that is not known here yet. Undefined: it is to be tried. */
export const standingRefund = <Refund extends Pick<GatewayRefund, 'id' | 'status'>>(
  before: readonly Refund[],
  isKnown: (refused: string) => boolean = () => false,
): Refund | undefined => before.find(({ status }) => status !== 'refused') ?? before.find(({ id }) => !isKnown(id));

/** Every call may throw `GatewayUnavailable`; what it asked for may then have happened, and asking again finds it. */
export type Gateway = {
  /** The order's open link of that amount, or a new one. */
  openLink(order: LinkOrder): Promise<GatewayLink>;
  link(id: string): Promise<GatewayLink | undefined>;
  /** Nothing happens to a link that is paid, closed or unknown. */
  closeLink(id: string): Promise<void>;
  refundsOf(payment: string): Promise<readonly GatewayRefund[]>;
  /**
   * Of one reference there is one refund, however often it is asked for, unless the gateway refused it: then it is tried anew. If the gateway
   * refused it after taking it, and the caller does not know that yet, the refused refund is returned first. Throws `GatewayRefused`.
   */
  refund(asked: RefundOrder): Promise<GatewayRefund>;
  /** Whether calls are tried at all: not for a while after several went without an answer. */
  isAvailable(): boolean;
};

/** No clear answer: unreachable, too slow, broken, too busy, it does not take the keys, or it was not asked since the circuit is open. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
}

/** Rejects with `GatewayUnavailable` after so many ms, also when an answer began and never ends. */
export const within = async <T>(ms: number, answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayUnavailable('The payment gateway did not answer in time')), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

/** A clear no, in the gateway's words. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** In ms. */
const SOONEST_EXPIRY = 15 * 60_000;
/** For what passes between here and there. */
const MARGIN = 30_000;

/** Undefined for a time that the gateway would refuse. */
export const expiryOf = (expiresAt: Instant | undefined, now: number): Instant | undefined =>
  expiresAt !== undefined && Date.parse(expiresAt) >= now + SOONEST_EXPIRY + MARGIN ? expiresAt : undefined;

/** How many links an order may have had. */
const MOST_LINKS = 9;

/**
 * The names of an order's links at the gateway, in the order in which they are used: Razorpay takes each `reference_id` once, also after
 * its link was cancelled, and at most 40 characters.
 */
export const referenceIds = (reference: string): readonly string[] =>
  Array.from({ length: MOST_LINKS }, (_, index) => (index === 0 ? reference : `${reference}-${index + 1}`));

const NAMED_AGAIN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d$/;

/** The order's id in the name of one of its links. */
export const orderIn = (referenceId: string): string => NAMED_AGAIN.exec(referenceId)?.[1] ?? referenceId;
