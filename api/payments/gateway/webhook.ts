import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

import type { GatewayPayment, GatewayRefund } from './gateway.ts';
import {
  LinkEntity,
  linkOfPayment,
  linkReference,
  PaymentEntity,
  parseGatewayPayment,
  paymentReference,
  RefundEntity,
  parseRefund,
  toStorable,
} from './razorpay-entities.ts';

/** Headers by lower-case name, as Node provides them. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The ids in the event that the shop knows: those of the link and of the order. */
export type WebhookSubject = { readonly link: string | undefined; readonly reference: string | undefined };

export type Webhook = { readonly eventId: string } & (
  | ({ readonly kind: 'captured' | 'failed'; readonly payment: GatewayPayment } & WebhookSubject)
  | ({ readonly kind: 'link_closed'; readonly status: 'cancelled' | 'expired' } & WebhookSubject)
  | ({
      readonly kind: 'refund_settled' | 'refund_refused';
      readonly refund: GatewayRefund;
      /** The payment that was refunded, if the webhook has it. */
      readonly paid: GatewayPayment | undefined;
    } & WebhookSubject)
  | { readonly kind: 'ignored' }
  /** A text has a character that Postgres does not store: `why` says where. `digest` is the hash of the body. */
  | ({ readonly kind: 'unstorable'; readonly news: string; readonly digest: string; readonly why: string } & WebhookSubject)
  /** The body differs from what the gateway documents. */
  | { readonly kind: 'unreadable' }
);

export class BadSignature extends Error {
  override readonly name = 'BadSignature';
}

export const computeSignature = (rawBody: Buffer, secret: string): string => createHmac('sha256', secret).update(rawBody).digest('hex');

const isSigned = (rawBody: Buffer, given: string | string[] | undefined, secret: string): boolean => {
  if (typeof given !== 'string') return false;
  const [right, claimed] = [Buffer.from(computeSignature(rawBody, secret)), Buffer.from(given)];
  return right.length === claimed.length && timingSafeEqual(right, claimed);
};

const computeDigest = (rawBody: Buffer): string => createHash('sha256').update(rawBody).digest('hex');

/** Returns the event's id, or else a hash of its bytes. */
const deriveEventId = (rawBody: Buffer, given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w-]{1,100}$/.test(given) ? given : computeDigest(rawBody);

const Event = z.object({ event: z.string(), payload: z.record(z.string(), z.object({ entity: z.unknown() })) });
type Payload = z.output<typeof Event>['payload'];

const parseLink = (payload: Payload) => LinkEntity.safeParse(payload['payment_link']?.entity).data;
const parsePayment = (payload: Payload) => PaymentEntity.safeParse(payload['payment']?.entity).data;

const parseSubject = (payload: Payload): WebhookSubject => {
  const [link, payment] = [parseLink(payload), parsePayment(payload)];
  return {
    link: link?.id ?? (payment && linkOfPayment(payment)),
    reference: (link && linkReference(link)) ?? (payment && paymentReference(payment)),
  };
};

const ofPayment = (eventId: string, payload: Payload, kind: 'captured' | 'failed'): Webhook | undefined => {
  const payment = parsePayment(payload);
  return payment && { eventId, kind, payment: parseGatewayPayment(payment, kind), ...parseSubject(payload) };
};

const ofClosedLink = (eventId: string, payload: Payload, status: 'cancelled' | 'expired'): Webhook | undefined =>
  parseLink(payload) && { eventId, kind: 'link_closed', status, ...parseSubject(payload) };

const ofRefund = (eventId: string, payload: Payload, status: 'settled' | 'refused'): Webhook | undefined => {
  const refund = RefundEntity.safeParse(payload['refund']?.entity).data;
  const payment = parsePayment(payload);
  const paid = payment && payment.id === refund?.payment_id ? parseGatewayPayment(payment, 'captured') : undefined;
  return refund && { eventId, kind: `refund_${status}`, refund: { ...parseRefund(refund), status }, paid, ...parseSubject(payload) };
};

const read = (eventId: string, event: string, payload: Payload): Webhook | undefined => {
  switch (event) {
    case 'payment_link.paid':
    case 'payment_link.partially_paid':
    case 'payment.captured':
      return ofPayment(eventId, payload, 'captured');
    case 'payment.failed':
      return ofPayment(eventId, payload, 'failed');
    case 'payment_link.cancelled':
      return ofClosedLink(eventId, payload, 'cancelled');
    case 'payment_link.expired':
      return ofClosedLink(eventId, payload, 'expired');
    case 'refund.processed':
      return ofRefund(eventId, payload, 'settled');
    case 'refund.failed':
      return ofRefund(eventId, payload, 'refused');
    default:
      return { eventId, kind: 'ignored' };
  }
};

/** Returns the path to the first text that cannot be stored, itself in letters that can. */
const findUnstorable = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return toStorable(value) === value ? undefined : [];
  for (const [name, part] of typeof value === 'object' && value !== null ? Object.entries(value) : []) {
    const storable = toStorable(name);
    const rest = storable === name ? findUnstorable(part) : [];
    if (rest) return name === 'entity' ? rest : [storable, ...rest];
  }
  return undefined;
};

const json = (rawBody: Buffer): unknown => {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Checks the signature, then parses the body. Throws `BadSignature`. */
export const parseWebhook = (rawBody: Buffer, headers: WebhookHeaders, secret: string): Webhook => {
  if (!isSigned(rawBody, headers['x-razorpay-signature'], secret)) throw new BadSignature('The signature is wrong');
  const eventId = deriveEventId(rawBody, headers['x-razorpay-event-id']);
  const { data } = Event.safeParse(json(rawBody));
  if (!data) return { eventId, kind: 'unreadable' };
  const webhook = read(eventId, data.event, data.payload);
  const where = webhook?.kind === 'ignored' ? undefined : findUnstorable(data.payload);
  if (where === undefined) return webhook ?? { eventId, kind: 'unreadable' };
  const why = `${where.join('.')} has a character that cannot be stored. Please look there.`;
  return { eventId, kind: 'unstorable', news: data.event, digest: computeDigest(rawBody), why, ...parseSubject(data.payload) };
};
