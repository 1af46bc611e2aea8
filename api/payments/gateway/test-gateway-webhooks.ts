import type { Logger } from 'pino';

import type { Instant } from '#domain/shared/time.ts';

import { linkEntity, paymentEntity, refundEntity } from './test-gateway-entities.ts';
import { newTestId, type TestLink, type TestPayment, type TestRefund } from './test-gateway-rows.ts';
import { computeSignature, type WebhookHeaders } from './webhook.ts';

/** The tester chooses when a payment's webhook is sent, and how often. */
export const WEBHOOK_TIMES = ['now', 'twice', 'late', 'never'] as const;
export type WebhookTime = (typeof WEBHOOK_TIMES)[number];

export type Deliver = (rawBody: Buffer, headers: WebhookHeaders) => Promise<void>;

type SignedEvent = { readonly rawBody: Buffer; readonly headers: WebhookHeaders };

export type TestWebhooks = {
  /** Sets the handler of webhooks. Webhooks sent before this call are lost. */
  deliverTo(handler: Deliver): void;
  paid(link: TestLink, payment: TestPayment, url: string): readonly SignedEvent[];
  failed(link: TestLink, payment: TestPayment): readonly SignedEvent[];
  cancelled(link: TestLink, url: string): readonly SignedEvent[];
  /** Returns the events of a refund that was settled or refused. */
  refunded(link: TestLink, payment: TestPayment, refund: TestRefund): readonly SignedEvent[];
  /** Resolves when the events to be sent now have arrived. */
  send(events: readonly SignedEvent[], when: WebhookTime): Promise<void>;
  /** Sends without waiting: the shop may still be recording the request that caused these events. */
  sendSoon(events: readonly SignedEvent[]): void;
  /** Waits for webhooks under way; late ones are not sent. */
  close(): Promise<void>;
};

const ACCOUNT = 'acc_RuhaniEmbedded';
const LATE_MS = 5_000;

type Parts = { readonly secret: string; readonly now: () => Instant; readonly log: Pick<Logger, 'warn'> };

/** Sends the webhooks of the embedded test gateway, with Razorpay's bodies and signatures. */
export const testWebhooks = ({ secret, now, log }: Parts): TestWebhooks => {
  let deliver: Deliver = () => Promise.resolve();
  const underWay = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();

  const event = (event: string, entities: Readonly<Record<string, object>>): SignedEvent => {
    const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
    const created_at = Math.floor(Date.parse(now()) / 1_000);
    const body = { entity: 'event', account_id: ACCOUNT, event, contains: Object.keys(entities), payload, created_at };
    const rawBody = Buffer.from(JSON.stringify(body));
    const headers = {
      'content-type': 'application/json',
      'x-razorpay-signature': computeSignature(rawBody, secret),
      'x-razorpay-event-id': newTestId('event'),
    };
    return { rawBody, headers };
  };

  const arrive = async (events: readonly SignedEvent[], times = 1): Promise<void> => {
    for (const { rawBody, headers } of events)
      for (let time = 1; time <= times; time++)
        try {
          await deliver(rawBody, headers);
        } catch (error) {
          log.warn({ err: error }, 'A webhook of the test gateway was not taken');
        }
  };
  const sendSoon = (events: readonly SignedEvent[]): void => {
    const arriving = arrive(events).finally(() => underWay.delete(arriving));
    underWay.add(arriving);
  };

  const linkShown = (link: TestLink, url: string): object => {
    const { payments: _payments, ...entity } = linkEntity(link, url);
    return entity;
  };

  return {
    deliverTo: (handler) => {
      deliver = handler;
    },
    paid: (link, payment, url) => {
      const entities = { payment: paymentEntity(link, payment) };
      const name = link.status === 'paid' ? 'payment_link.paid' : 'payment_link.partially_paid';
      return [event(name, { payment_link: linkShown(link, url), ...entities }), event('payment.captured', entities)];
    },
    failed: (link, payment) => [event('payment.failed', { payment: paymentEntity(link, payment) })],
    cancelled: (link, url) => [event('payment_link.cancelled', { payment_link: linkShown(link, url) })],
    refunded: (link, payment, refund) => [
      event(refund.status === 'settled' ? 'refund.processed' : 'refund.failed', {
        refund: refundEntity(refund),
        payment: paymentEntity(link, payment),
      }),
    ],
    send: async (events, when) => {
      if (when === 'now' || when === 'twice') return arrive(events, when === 'twice' ? 2 : 1);
      if (when === 'never') return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        sendSoon(events);
      }, LATE_MS);
      timers.add(timer.unref());
    },
    sendSoon,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.all(underWay);
    },
  };
};
