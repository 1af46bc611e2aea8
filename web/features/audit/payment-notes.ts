import type { PaymentEvent } from '#domain/payment/events.ts';
import { mismatchText } from '#domain/payment/view.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { methodText } from '../../lib/payment-text.ts';

type Note = { readonly [Type in PaymentEvent['type']]?: (data: Extract<PaymentEvent, { type: Type }>['data']) => string };

/** The facts of the events of a payment, in a line. */
const notes: Note = {
  PaymentRequested: ({ total }) => formatRupees(total),
  PaymentCaptured: ({ amount, total, method }) =>
    `${formatRupees(amount)}${amount === total ? '' : ` of ${formatRupees(total)}`}, ${methodText(method)}`,
  PaymentFailed: ({ why }) => why,
  RefundRequested: ({ amount, reason }) => `${formatRupees(amount)}: ${reason}`,
  RefundSettled: ({ refund }) => `Refund ${refund}`,
  RefundRefused: ({ refund, why, isLast }) => `Refund ${refund}: ${why}${isLast ? '. It is not tried again.' : ''}`,
  CashCollected: ({ amount, total, reference }) =>
    `${formatRupees(amount)}${amount === total ? '' : ` of ${formatRupees(total)}`}${reference === '' ? '' : `, remittance ${reference}`}`,
  MismatchFound: ({ mismatch }) => mismatchText(mismatch),
};

/**
 * The note of a payment's event; undefined for all others, and for one that an intruder wrote with other data than the shop would have.
 */
export const paymentNoteOf = (type: string, data: unknown): string | undefined => {
  const note = Object.entries(notes).find(([name]) => name === type)?.[1] as ((of: unknown) => string) | undefined;
  try {
    return note?.(data);
  } catch {
    return undefined;
  }
};
