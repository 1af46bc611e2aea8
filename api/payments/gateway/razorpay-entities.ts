import { z } from 'zod';

import { paise } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import { parseReference, type GatewayLink, type GatewayPayment, type GatewayRefund } from './gateway.ts';

// These schemas follow Razorpay's public documentation and the types of its library. Not tried against the real service: whether it filters
// lists by `reference_id`, the status and wording of refusals, and whether a payment has the notes of its link.

/** Replaces what Postgres refuses in JSON, NUL and unpaired surrogates. */
export const toStorable = (text: string): string => text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');

const text = z.string().overwrite(toStorable);
const id = z.string().regex(/^[\w-]{1,64}$/);
const amount = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).transform(paise);
/** Everything is sold in rupees: an amount in another currency would not be in paise. */
const currency = z.literal('INR').optional();
const seconds = z.coerce
  .number()
  .int()
  .min(0)
  .max(253_402_300_799)
  .transform((at): Instant => instant(new Date(at * 1_000).toISOString()));
/** Razorpay sends an empty list instead of an object when there are no notes. */
const notes = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown()).transform((): Record<string, unknown> => ({}))])
  .nullish()
  .transform((given) => given ?? {});
type Notes = z.output<typeof notes>;

export const ORDER_NOTE = 'order_id';
export const REFUND_NOTE = 'refund_reference';
const findNote = (given: Notes, name: string): string | undefined => {
  const note = given[name];
  return typeof note === 'string' && note !== '' ? note : undefined;
};

const STATUSES = { created: 'open', partially_paid: 'partly_paid', paid: 'paid', cancelled: 'cancelled', expired: 'expired' } as const;
const PAYMENT_STATUSES: Readonly<Record<string, GatewayPayment['status']>> = {
  captured: 'captured',
  refunded: 'captured',
  failed: 'failed',
};
const REFUND_STATUSES = { pending: 'pending', processed: 'settled', failed: 'refused' } as const;

const LinkPayment = z.object({ payment_id: id, amount, created_at: seconds, method: text, status: z.string() });

export const LinkEntity = z.object({
  id,
  amount,
  currency,
  reference_id: z.string().nullish(),
  notes,
  short_url: text.nullish(),
  status: z.enum(['created', 'partially_paid', 'paid', 'cancelled', 'expired']),
  /**
   * The value is null or an empty list while there are no payments; missing in lists and webhooks. An unreadable payment is dropped and
   * hides no other.
   */
  payments: z
    .unknown()
    .optional()
    .transform((given) =>
      [given ?? []].flat().flatMap((one) => {
        const { data } = LinkPayment.safeParse(one);
        return data ? [data] : [];
      }),
    ),
});
type LinkEntity = z.output<typeof LinkEntity>;

export const linkReference = (link: Pick<LinkEntity, 'notes' | 'reference_id'>): string | undefined =>
  findNote(link.notes, ORDER_NOTE) ?? (link.reference_id ? parseReference(link.reference_id) : undefined);

export const parseLink = (link: LinkEntity): GatewayLink => ({
  id: link.id,
  url: link.short_url ?? '',
  reference: linkReference(link) ?? '',
  amount: link.amount,
  status: STATUSES[link.status],
  payments: link.payments.flatMap(({ payment_id: id, amount, method, created_at: at, status: named }) => {
    const status = PAYMENT_STATUSES[named];
    return status ? [{ id, amount, method, at, status }] : [];
  }),
});

export const RefundEntity = z.object({
  id,
  payment_id: id,
  amount,
  currency,
  receipt: z.string().nullish(),
  notes,
  status: z.enum(['pending', 'processed', 'failed']),
});

export const parseRefund = (refund: z.output<typeof RefundEntity>): GatewayRefund => ({
  id: refund.id,
  payment: refund.payment_id,
  amount: refund.amount,
  status: REFUND_STATUSES[refund.status],
  reference: findNote(refund.notes, REFUND_NOTE) ?? refund.receipt ?? '',
});

export const PaymentEntity = z.object({
  id,
  amount,
  currency,
  method: text,
  created_at: seconds,
  notes,
  description: z.string().nullish(),
  error_description: text.nullish(),
});
type PaymentEntity = z.output<typeof PaymentEntity>;

export const parseGatewayPayment = (payment: PaymentEntity, status: GatewayPayment['status']): GatewayPayment => ({
  id: payment.id,
  amount: payment.amount,
  method: payment.method,
  at: payment.created_at,
  status,
  ...(status === 'failed' && payment.error_description ? { reason: payment.error_description } : {}),
});

export const paymentReference = (payment: PaymentEntity): string | undefined => findNote(payment.notes, ORDER_NOTE);

/** Returns the link's id of a payment. Its description is `#FOGqq3O6E5bkml` for the link `plink_FOGqq3O6E5bkml`. */
export const linkOfPayment = ({ description }: PaymentEntity): string | undefined => {
  const [, named] = /^#([0-9A-Za-z]{10,40})$/.exec(description ?? '') ?? [];
  return named && `plink_${named}`;
};
