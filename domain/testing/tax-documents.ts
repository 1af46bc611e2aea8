import type { CreditNoteEvent, InvoiceEvent } from '../invoice/events.ts';
import { creditNotes, invoices } from '../invoice/invoice.ts';
import { anOrder, evening } from './carts.ts';
import { deliveryDay, historyOf, orderAfter } from './orders.ts';

export const seller = { name: 'RUHANI', address: 'Lane 1, Kannauj', state: 'Uttar Pradesh' } as const;

const decided = <Event>(decision: { readonly ok: boolean; readonly events?: readonly Event[] }): Event => {
  const [event] = decision.events ?? [];
  if (!event) throw new Error('Nothing was decided');
  return event;
};

/** Of Meera's order, which came back. */
export const invoice = (changes: Partial<InvoiceEvent['data']> = {}): InvoiceEvent => {
  const { placement, ...order } = orderAfter(...historyOf.shipped);
  if (!placement) throw new Error('It was not placed');
  const asked = { id: anOrder, order: { ...order, placement }, seller, isErased: false, shippedAt: evening, now: evening };
  const { type, data } = decided(invoices.decide(invoices.initial, { type: 'IssueInvoice', ...asked }));
  return { type, data: { ...data, ...changes } };
};

export const creditNote = (changes: Partial<CreditNoteEvent['data']> = {}): CreditNoteEvent => {
  const of = { invoice: invoice().data, invoiceNumber: 'RH/26-27/000001', orderRevision: 5, isErased: false };
  const asked = { ...of, returnedAt: deliveryDay, now: deliveryDay };
  const { type, data } = decided(creditNotes.decide(creditNotes.initial, { type: 'IssueCreditNote', ...asked }));
  return { type, data: { ...data, ...changes } };
};
