import { z } from 'zod';

import { paise } from '#domain/shared/money.ts';
import { instant, type Instant } from '#domain/shared/time.ts';

import { orderIn, type GatewayLink, type GatewayPayment, type GatewayRefund } from './gateway.ts';

// Razorpay's JSON, from its public documentation and the types of its library. Not tried against the real service: whether a filter of
// lists by `reference_id` is honoured, the status and words of refusals, and whether a payment has the notes of its link.

const id = z.string().regex(/^[\w-]{1,64}$/);
const amount = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).transform(paise);
/** Everything that is sold is sold in rupees: any other amount is not in paise. */
const currency = z.literal('INR').optional();
const seconds = z.coerce
  .number()
  .int()
  .min(0)
  .max(253_402_300_799)
  .transform((at): Instant => instant(new Date(at * 1_000).toISOString()));
/** An empty list when there are none. */
const notes = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown()).transform((): Record<string, unknown> => ({}))])
  .nullish()
  .transform((given) => given ?? {});
type Notes = z.output<typeof notes>;

export const ORDER_NOTE = 'order_id';
export const REFUND_NOTE = 'refund_reference';
const noteIn = (given: Notes, name: string): string | undefined => {
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

const LinkPayment = z.object({ payment_id: id, amount, created_at: seconds, method: z.string(), status: z.string() });

export const LinkEntity = z.object({
  id,
  amount,
  currency,
  reference_id: z.string().nullish(),
  notes,
  short_url: z.string().nullish(),
  status: z.enum(['created', 'partially_paid', 'paid', 'cancelled', 'expired']),
  /** Null, or an empty list, while there are none; lists and webhooks have none at all. One that cannot be read hides no other. */
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
  noteIn(link.notes, ORDER_NOTE) ?? (link.reference_id ? orderIn(link.reference_id) : undefined);

export const linkOf = (link: LinkEntity): GatewayLink => ({
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

export const refundOf = (refund: z.output<typeof RefundEntity>): GatewayRefund => ({
  id: refund.id,
  payment: refund.payment_id,
  amount: refund.amount,
  status: REFUND_STATUSES[refund.status],
  reference: noteIn(refund.notes, REFUND_NOTE) ?? refund.receipt ?? '',
});

export const PaymentEntity = z.object({
  id,
  amount,
  currency,
  method: z.string(),
  created_at: seconds,
  notes,
  description: z.string().nullish(),
  error_description: z.string().nullish(),
});
type PaymentEntity = z.output<typeof PaymentEntity>;

export const gatewayPaymentOf = (payment: PaymentEntity, status: GatewayPayment['status']): GatewayPayment => ({
  id: payment.id,
  amount: payment.amount,
  method: payment.method,
  at: payment.created_at,
  status,
  ...(status === 'failed' && payment.error_description ? { reason: payment.error_description } : {}),
});

export const paymentReference = (payment: PaymentEntity): string | undefined => noteIn(payment.notes, ORDER_NOTE);

/** A payment of a link is described by the link's id, `#FOGqq3O6E5bkml` for `plink_FOGqq3O6E5bkml`. */
export const linkOfPayment = ({ description }: PaymentEntity): string | undefined => {
  const [, named] = /^#([0-9A-Za-z]{10,40})$/.exec(description ?? '') ?? [];
  return named && `plink_${named}`;
};
