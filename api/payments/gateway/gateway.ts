import type { Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

export type GatewayPayment = {
  readonly id: string;
  readonly amount: Paise;
  /** The gateway's name of the method: upi, card, netbanking, … */
  readonly method: string;
  readonly at: Instant;
  readonly status: 'captured' | 'failed';
  readonly reason?: string;
};

export type GatewayLink = {
  readonly id: string;
  readonly url: string;
  /** The gateway's reference is our order's id. */
  readonly reference: string;
  readonly amount: Paise;
  readonly status: 'open' | 'paid' | 'partly_paid' | 'cancelled' | 'expired';
  readonly payments: readonly GatewayPayment[];
};

export type GatewayRefund = {
  readonly id: string;
  readonly payment: string;
  readonly amount: Paise;
  readonly status: 'pending' | 'settled' | 'refused';
  /** The reference is our id of the refund; it is empty for a refund that somebody made at the gateway itself. */
  readonly reference: string;
};

export type LinkOrder = {
  /** The gateway's reference is our order's id. */
  readonly reference: string;
  readonly number: string;
  readonly amount: Paise;
  /** The gateway sends the browser to this address after a payment. */
  readonly returnTo: string;
  /** Ignored if it is less than 15 minutes ahead, the least that Razorpay accepts. */
  readonly expiresAt?: Instant | undefined;
};

export type RefundOrder = {
  readonly payment: string;
  readonly amount: Paise;
  readonly reference: string;
  /** Tells whether the caller already knows that the gateway refused the refund with this gateway id. By default it knows none. */
  readonly isKnown?: (refused: string) => boolean;
};

/**
 * Returns the refund of one reference that stands, or a refusal that the caller does not know yet. If undefined, the refund is to be tried.
 */
export const standingRefund = <Refund extends Pick<GatewayRefund, 'id' | 'status'>>(
  before: readonly Refund[],
  isKnown: (refused: string) => boolean = () => false,
): Refund | undefined => before.find(({ status }) => status !== 'refused') ?? before.find(({ id }) => !isKnown(id));

/** Every call may throw `GatewayUnavailable`. What it asked for may have happened nevertheless; repeating the call finds it. */
export type Gateway = {
  /** Returns the order's open link of that amount, or a new one. */
  openLink(order: LinkOrder): Promise<GatewayLink>;
  link(id: string): Promise<GatewayLink | undefined>;
  /** Closes an open link. Does nothing to a link that is paid, closed or unknown. */
  closeLink(id: string): Promise<void>;
  refundsOf(payment: string): Promise<readonly GatewayRefund[]>;
  /**
   * Refunds once for each reference, however often it is called, unless the gateway refused: then the refund is tried again. If the gateway
   * refused it later and the caller does not know that yet, the refused refund is returned first. Throws `GatewayRefused`.
   */
  refund(asked: RefundOrder): Promise<GatewayRefund>;
  /** Returns false for a while after several calls went without an answer: then calls fail at once. */
  isAvailable(): boolean;
};

/**
 * The gateway gave no clear answer: it is unreachable, slow, broken or busy, rejects the keys, or was not called because the circuit is
 * open.
 */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
  constructor(
    message: string,
    /** `outage`: no answer in time, or one that says that the gateway is broken. `busy`: this call came too soon after others. */
    readonly why: 'outage' | 'busy' | 'other' = 'outage',
  ) {
    super(message);
  }
}

/** Rejects with `GatewayUnavailable` after this many ms, even if the answer has begun but does not end. */
export const within = async <T>(ms: number, answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayUnavailable('The payment gateway did not answer in time')), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

/** The gateway refused the request. The message is the gateway's own. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

const SOONEST_EXPIRY_MS = 15 * 60_000;
/** The margin covers the time that a request takes to reach the gateway. */
const MARGIN = 30_000;

/** Returns undefined for a time that the gateway would refuse. */
export const computeExpiry = (expiresAt: Instant | undefined, now: number): Instant | undefined =>
  expiresAt !== undefined && Date.parse(expiresAt) >= now + SOONEST_EXPIRY_MS + MARGIN ? expiresAt : undefined;

/** An order may have this many links. */
const MOST_LINKS = 9;

/**
 * Returns the `reference_id`s of an order's links in the order in which they are used: Razorpay accepts each one once, even after its link
 * was cancelled, and at most 40 characters.
 */
export const referenceIds = (reference: string): readonly string[] =>
  Array.from({ length: MOST_LINKS }, (_, index) => (index === 0 ? reference : `${reference}-${index + 1}`));

const NAMED_AGAIN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d$/;

/** Returns the order's id from the `reference_id` of one of its links. */
export const parseReference = (referenceId: string): string => NAMED_AGAIN.exec(referenceId)?.[1] ?? referenceId;
