import type { Logger } from 'pino';

import { paise, sum, ZERO, type Paise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import { createCircuit } from './circuit.ts';
import {
  standingRefund,
  computeExpiry,
  GatewayRefused,
  GatewayUnavailable,
  referenceIds,
  type Gateway,
  type GatewayLink,
  type GatewayRefund,
  type LinkOrder,
} from './gateway.ts';
import { capturedSum, newTestId, type TestLink, type TestLinks, type TestPayment, type TestRefund } from './test-gateway-rows.ts';
import { testWebhooks, type Deliver, type WebhookTime } from './test-gateway-webhooks.ts';

export const TEST_METHODS = ['upi', 'card'] as const;
export type TestMethod = (typeof TEST_METHODS)[number];

export type TestGatewayParts = {
  readonly links: TestLinks;
  readonly now: () => Instant;
  readonly log: Pick<Logger, 'warn'>;
  readonly webhookSecret: string;
  readonly urlOf: (id: string) => string;
  /** Returns ms, for the circuit breaker. */
  readonly clock?: () => number;
};

type NewLink = Pick<TestLink, 'reference' | 'referenceId' | 'number' | 'amount' | 'returnTo' | 'expiresAt'>;
type NewRefund = Pick<TestRefund, 'payment' | 'amount' | 'reference' | 'receipt'>;

/** The operations of a gateway itself, without the protection against doubles that the port adds. */
export type TestGatewayCore = {
  readonly links: TestLinks;
  readonly urlOf: (id: string) => string;
  /** Opens a link. Returns undefined when the reference id is taken. */
  open(link: NewLink): Promise<TestLink | undefined>;
  /** Cancels a link. Throws `GatewayRefused` unless money is still due. Returns undefined for an unknown link. */
  cancel(id: string): Promise<TestLink | undefined>;
  /** Refunds. Throws `GatewayRefused`. If `known` finds the refund among the payment's earlier ones, that one is returned. */
  refund(asked: NewRefund, known?: (earlier: readonly TestRefund[]) => TestRefund | undefined): Promise<TestRefund>;
  isReachable(): boolean;
};

export type TestGateway = Gateway & {
  readonly core: TestGatewayCore;
  /** Sets the shop's handler of webhooks. Webhooks sent before this call are lost. */
  deliverTo(handler: Deliver): void;
  /** Pays a link, even one that is paid or closed, to try mistakes. Returns undefined for an unknown link. */
  pay(id: string, how?: { method?: TestMethod; amount?: Paise | undefined; webhook?: WebhookTime }): Promise<TestLink | undefined>;
  fail(id: string, how?: { method?: TestMethod; webhook?: WebhookTime }): Promise<TestLink | undefined>;
  /**
   * Refunds `amount` of the payments through a link, or all that is left of them, the newest first, like somebody who does it at the
   * gateway itself. Throws `GatewayRefused` if less is left. Returns undefined for an unknown link.
   */
  refundAtGateway(id: string, how?: { amount?: Paise | undefined; webhook?: WebhookTime }): Promise<TestLink | undefined>;
  /** Lets all calls fail until `beReachable` (for tests). */
  beUnreachable(): void;
  beReachable(): void;
  /** Refuses this many refunds (for tests). */
  refuseRefunds(times: number): void;
  /** Keeps refunds pending until `settleRefunds` (for tests). */
  holdRefunds(): void;
  settleRefunds(how?: 'settled' | 'refused'): Promise<void>;
  /** Waits for webhooks under way; late ones are not sent. */
  close(): Promise<void>;
};

const DECLINED = 'The payment was declined by the bank';
const UNKNOWN = 'The id provided does not exist';
const TOO_MUCH = 'The total refund amount is greater than the refund payment amount';

const leftOf = ({ status, amount, refunds }: TestPayment): Paise =>
  refunds.reduce(
    (left, refund) => (refund.status === 'refused' ? left : paise(left - refund.amount)),
    status === 'captured' ? amount : ZERO,
  );

const refundShown = ({ id, payment, amount, status, reference }: TestRefund): GatewayRefund => ({ id, payment, amount, status, reference });

/** Runs a payment gateway in the shop's own process, over rows that other processes share. */
export const testGateway = ({ links, now, log, webhookSecret, urlOf, clock }: TestGatewayParts): TestGateway => {
  const webhooks = testWebhooks({ secret: webhookSecret, now, log });
  const newCircuit = () => createCircuit(clock ?? (() => performance.now()));
  let circuit = newCircuit();
  let isReachable = true;
  let refusals = 0;
  let holdsRefunds = false;

  const shown = (link: TestLink): GatewayLink => ({
    id: link.id,
    url: urlOf(link.id),
    reference: link.reference,
    amount: link.amount,
    status: link.status,
    payments: link.payments.map(({ id, amount, method, at, status, reason }) => ({
      id,
      amount,
      method,
      at,
      status,
      ...(reason && { reason }),
    })),
  });

  const newRefund = (payment: TestPayment, asked: NewRefund): TestRefund => {
    if (payment.status !== 'captured') throw new GatewayRefused('The payment status should be captured for action to be taken');
    if (asked.amount > leftOf(payment)) throw new GatewayRefused(TOO_MUCH);
    if (refusals > 0) {
      refusals--;
      throw new GatewayRefused('Your account does not have enough balance to carry out the refund operation');
    }
    return { ...asked, id: newTestId('rfnd'), status: holdsRefunds ? 'pending' : 'settled', at: now() };
  };

  const withRefund = (before: TestLink, asked: NewRefund) => {
    const payment = before.payments.find(({ id }) => id === asked.payment);
    if (!payment) throw new GatewayRefused(UNKNOWN);
    const refund = newRefund(payment, asked);
    const after = { ...payment, refunds: [...payment.refunds, refund] };
    const link = { ...before, payments: before.payments.map((each) => (each === payment ? after : each)) };
    return { link, result: { refund, events: refund.status === 'settled' ? webhooks.refunded(link, after, refund) : [] } };
  };

  const core: TestGatewayCore = {
    links,
    urlOf,
    isReachable: () => isReachable,
    open: (link) => links.add({ ...link, id: newTestId('plink'), status: 'open', createdAt: now(), payments: [] }),
    cancel: async (id) => {
      const link = await links.change(id, (before) => {
        if (before.status !== 'open' && before.status !== 'partly_paid')
          throw new GatewayRefused(`Payment link cannot be cancelled as it is ${before.status}`);
        const link = { ...before, status: 'cancelled' as const };
        return { link, result: link };
      });
      if (link) webhooks.sendSoon(webhooks.cancelled(link, urlOf(id)));
      return link;
    },
    refund: async (asked, known = () => undefined) => {
      const owner = await links.ofPayment(asked.payment);
      const done =
        owner &&
        (await links.change(owner.id, (before) => {
          const same = before.payments.flatMap(({ id, refunds }) => (id === asked.payment ? (known(refunds) ?? []) : []));
          if (same[0]) return { link: before, result: { refund: same[0], events: [] } };
          return withRefund(before, asked);
        }));
      if (!done) throw new GatewayRefused(UNKNOWN);
      webhooks.sendSoon(done.events);
      return done.refund;
    },
  };

  const addPayment = (id: string, made: (link: TestLink) => TestPayment) =>
    links.change(id, (before) => {
      const payment = made(before);
      const payments = [...before.payments, payment];
      const status = capturedSum({ payments }) >= before.amount ? ('paid' as const) : ('partly_paid' as const);
      const link = { ...before, payments, ...(payment.status === 'captured' && { status }) };
      return { link, result: { link, payment } };
    });

  const openLink = async (order: LinkOrder): Promise<GatewayLink> => {
    const { reference, number, amount, returnTo } = order;
    const expiresAt = computeExpiry(order.expiresAt, Date.parse(now()));
    for (const referenceId of referenceIds(reference)) {
      const link =
        (await core.open({ reference, referenceId, number, amount, returnTo, expiresAt })) ?? (await links.byReferenceId(referenceId));
      if (link?.status === 'open' && link.amount === amount) return shown(link);
    }
    throw new GatewayRefused('This order has had too many payment links');
  };

  const closeLink = async (id: string): Promise<void> => {
    await core.cancel(id).catch((error: unknown) => {
      if (!(error instanceof GatewayRefused)) throw error;
    });
  };

  const listRefunds = async (payment: string): Promise<readonly GatewayRefund[]> => {
    const link = await links.ofPayment(payment);
    if (!link) throw new GatewayRefused(UNKNOWN);
    return link.payments.flatMap(({ id, refunds }) => (id === payment ? refunds.map(refundShown) : []));
  };

  const settleRefunds = async (status: 'settled' | 'refused'): Promise<void> => {
    holdsRefunds = false;
    for (const { id } of await links.withPendingRefunds()) {
      const events = await links.change(id, (before) => {
        const decided = (refund: TestRefund): TestRefund => (refund.status === 'pending' ? { ...refund, status } : refund);
        const payments = before.payments.map((payment) => ({ ...payment, refunds: payment.refunds.map(decided) }));
        const link = { ...before, payments };
        const result = before.payments.flatMap((was, index) => {
          const payment = payments[index];
          const moved = payment?.refunds.filter((_, at) => was.refunds[at]?.status === 'pending') ?? [];
          return payment ? moved.flatMap((refund) => webhooks.refunded(link, payment, refund)) : [];
        });
        return { link, result };
      });
      await webhooks.send(events ?? [], 'now');
    }
  };

  const reached = <T>(call: () => Promise<T>): Promise<T> =>
    circuit.run(() => (isReachable ? call() : Promise.reject(new GatewayUnavailable('The payment gateway did not answer'))));

  return {
    core,
    deliverTo: webhooks.deliverTo,
    openLink: (order) => reached(() => openLink(order)),
    link: (id) =>
      reached(async () => {
        const link = await links.byId(id);
        return link && shown(link);
      }),
    closeLink: (id) => reached(() => closeLink(id)),
    refundsOf: (payment) => reached(() => listRefunds(payment)),
    refund: ({ payment, amount, reference, isKnown }) =>
      reached(async () => {
        const asked = { payment, amount, reference, receipt: reference };
        const known = (earlier: readonly TestRefund[]) =>
          standingRefund(
            earlier.filter((each) => each.reference === reference),
            isKnown,
          );
        return refundShown(await core.refund(asked, known));
      }),
    isAvailable: () => circuit.isClosed(),

    pay: async (id, { method = 'upi', amount, webhook = 'now' } = {}) => {
      const paid = { id: newTestId('pay'), method, at: now(), status: 'captured' as const, refunds: [] };
      const done = await addPayment(id, (link) => ({ ...paid, amount: amount ?? link.amount }));
      if (done) await webhooks.send(webhooks.paid(done.link, done.payment, urlOf(id)), webhook);
      return done?.link;
    },
    fail: async (id, { method = 'upi', webhook = 'now' } = {}) => {
      const failed = { id: newTestId('pay'), method, at: now(), status: 'failed' as const, reason: DECLINED, refunds: [] };
      const done = await addPayment(id, (link) => ({ ...failed, amount: link.amount }));
      if (done) await webhooks.send(webhooks.failed(done.link, done.payment), webhook);
      return done?.link;
    },
    refundAtGateway: async (id, { amount, webhook = 'now' } = {}) => {
      const done = await links.change(id, (before) => {
        let rest: number = amount ?? sum(before.payments.map(leftOf));
        let link = before;
        const events = before.payments.toReversed().flatMap((payment) => {
          const part = paise(Math.min(rest, leftOf(payment)));
          if (part === 0) return [];
          rest -= part;
          const refunded = withRefund(link, { payment: payment.id, amount: part, reference: '', receipt: null });
          link = refunded.link;
          return refunded.result.events;
        });
        if (rest > 0 || link === before) throw new GatewayRefused(TOO_MUCH);
        return { link, result: { link, events } };
      });
      if (done) await webhooks.send(done.events, webhook);
      return done?.link;
    },

    beUnreachable: () => {
      isReachable = false;
    },
    beReachable: () => {
      isReachable = true;
      circuit = newCircuit();
    },
    refuseRefunds: (times) => {
      refusals = times;
    },
    holdRefunds: () => {
      holdsRefunds = true;
    },
    settleRefunds: (how = 'settled') => settleRefunds(how),
    close: webhooks.close,
  };
};
