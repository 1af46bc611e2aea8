import type { Instant } from '#domain/shared/time.ts';

import { ORDER_NOTE, REFUND_NOTE } from './razorpay-entities.ts';
import { capturedSum, type TestLink, type TestPayment, type TestRefund } from './test-gateway-rows.ts';

const seconds = (at: Instant): number => Math.floor(Date.parse(at) / 1_000);

const LINK_STATUSES = { open: 'created', paid: 'paid', partly_paid: 'partially_paid', cancelled: 'cancelled', expired: 'expired' } as const;
const REFUND_STATUSES = { pending: 'pending', settled: 'processed', refused: 'failed' } as const;

const createNotes = (link: TestLink) => ({ [ORDER_NOTE]: link.reference, order_number: link.number });

/** Returns the JSON that Razorpay gives for a link fetched by its id. */
export const linkEntity = (link: TestLink, url: string) => ({
  id: link.id,
  accept_partial: false,
  amount: link.amount,
  amount_paid: capturedSum(link),
  callback_method: 'get',
  callback_url: link.returnTo,
  cancelled_at: 0,
  created_at: seconds(link.createdAt),
  currency: 'INR',
  customer: {},
  description: `RUHANI order ${link.number}`,
  expire_by: link.expiresAt ? seconds(link.expiresAt) : 0,
  expired_at: 0,
  first_min_partial_amount: 0,
  notes: createNotes(link),
  notify: { email: false, sms: false, whatsapp: false },
  payments: link.payments.map((payment) => ({
    payment_id: payment.id,
    plink_id: link.id,
    amount: payment.amount,
    method: payment.method,
    status: payment.status,
    created_at: seconds(payment.at),
    updated_at: seconds(payment.at),
  })),
  reference_id: link.referenceId,
  reminder_enable: false,
  reminders: [],
  short_url: url,
  status: LINK_STATUSES[link.status],
  updated_at: seconds(link.createdAt),
  upi_link: false,
  user_id: '',
  whatsapp_link: false,
});

export const paymentEntity = (link: TestLink, payment: TestPayment) => {
  const refunded = payment.refunds.reduce((total, { amount, status }) => (status === 'refused' ? total : total + amount), 0);
  return {
    id: payment.id,
    entity: 'payment',
    amount: payment.amount,
    currency: 'INR',
    status: payment.status === 'captured' && refunded === payment.amount ? 'refunded' : payment.status,
    method: payment.method,
    amount_refunded: refunded,
    refund_status: refunded === 0 ? null : refunded === payment.amount ? 'full' : 'partial',
    captured: payment.status === 'captured',
    description: `#${link.id.slice('plink_'.length)}`,
    vpa: payment.method === 'upi' ? 'success@razorpay' : null,
    email: 'void@razorpay.com',
    notes: createNotes(link),
    error_code: payment.status === 'failed' ? 'BAD_REQUEST_ERROR' : null,
    error_description: payment.reason ?? null,
    created_at: seconds(payment.at),
  };
};

export const refundEntity = (refund: TestRefund) => ({
  id: refund.id,
  entity: 'refund',
  amount: refund.amount,
  currency: 'INR',
  payment_id: refund.payment,
  notes: refund.reference === '' ? [] : { [REFUND_NOTE]: refund.reference },
  receipt: refund.receipt,
  acquirer_data: { arn: null },
  created_at: seconds(refund.at),
  batch_id: null,
  status: REFUND_STATUSES[refund.status],
  speed_processed: 'normal',
  speed_requested: 'normal',
});
