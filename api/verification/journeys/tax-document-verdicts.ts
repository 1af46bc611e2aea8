import type { Recorded, StreamName } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent } from '#domain/invoice/events.ts';
import { creditTotal, invoiceTotal } from '#domain/invoice/invoice.ts';
import { taxDocumentNumber, taxDocumentStream } from '#domain/invoice/tax-document-numbers.ts';
import { computeTotals } from '#domain/order/totals.ts';
import type { HistoryEntry, OrderStatus } from '#domain/order/rules.ts';
import { sum } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { LogBook } from './log-book.ts';
import type { InvariantResult } from './verdicts.ts';

type TaxDocument = Recorded<InvoiceEvent> | Recorded<CreditNoteEvent>;

const findEntry = ({ orders }: LogBook, id: string, status: OrderStatus): HistoryEntry | undefined => {
  const order = orders.get(id);
  return order && order.status !== 'none' ? order.history.find((entry) => entry.status === status) : undefined;
};

const taxDocumentNumbersAreGapless = ({ invoices, creditNotes }: LogBook): InvariantResult => {
  const places = new Map<StreamName, number>();
  const broken = [...invoices, ...creditNotes].flatMap(({ type, stream, revision, data }) => {
    const place = places.get(stream) ?? 0;
    places.set(stream, place + 1);
    const [number, expected] = [taxDocumentNumber(stream, revision), taxDocumentNumber(stream, place)];
    const isOfYear = stream === taxDocumentStream(type === 'InvoiceIssued' ? 'invoices' : 'credit-notes', data.date);
    return [
      ...(number === expected ? [] : [`${number} is where ${expected} belongs`]),
      ...(isOfYear ? [] : [`${number} is of ${data.date}`]),
    ];
  });
  return { invariant: 'invoices and credit notes of a year are numbered from 1 without gaps', broken };
};

const oneTaxDocumentEach = (log: LogBook, taxDocuments: readonly TaxDocument[], status: OrderStatus): readonly string[] => {
  const numbers = new Map<string, readonly string[]>();
  for (const { stream, revision, data } of taxDocuments)
    numbers.set(data.order, [...(numbers.get(data.order) ?? []), taxDocumentNumber(stream, revision)]);
  return [...new Set([...log.orders.keys(), ...numbers.keys()])].flatMap((id) => {
    const own = numbers.get(id) ?? [];
    const due = findEntry(log, id, status) ? 1 : 0;
    return own.length === due ? [] : [`${id} was ${due ? '' : 'never '}${status} and has ${own.join(' and ') || 'none'}`];
  });
};

const shippedHasOneInvoice = (log: LogBook): InvariantResult => ({
  invariant: 'each order that shipped has one invoice, and no other has any',
  broken: oneTaxDocumentEach(log, log.invoices, 'shipped'),
});

const returnedHasOneCreditNote = (log: LogBook): InvariantResult => ({
  invariant: 'each order that came back has one credit note, and no other has any',
  broken: oneTaxDocumentEach(log, log.creditNotes, 'returned'),
});

const invoicesAreTheOrders = ({ orders, invoices }: LogBook): InvariantResult => {
  const broken = invoices.flatMap(({ stream, revision, data }) => {
    const order = orders.get(data.order);
    const total = order && order.status !== 'none' ? computeTotals(order).total : undefined;
    return invoiceTotal(data) === total
      ? []
      : [`${taxDocumentNumber(stream, revision)} is of ${invoiceTotal(data)} paise, its order of ${total}`];
  });
  return { invariant: 'the total of an invoice is that of its order', broken };
};

const creditsAreWithinInvoices = ({ invoices, creditNotes }: LogBook): InvariantResult => {
  const byNumber = new Map(invoices.map(({ stream, revision, data }) => [taxDocumentNumber(stream, revision), data]));
  const noted = new Map<string, CreditNoteEvent['data'][]>();
  for (const { data } of creditNotes) noted.set(data.invoice.number, [...(noted.get(data.invoice.number) ?? []), data]);
  const broken = [...noted].flatMap(([number, notes]) => {
    const invoice = byNumber.get(number);
    if (!invoice || notes.some(({ order }) => order !== invoice.order)) return [`${number} is credited and is not the order's invoice`];
    const credited = sum(notes.map(creditTotal));
    return credited <= invoiceTotal(invoice) ? [] : [`${credited} paise of ${number} are credited, which is of ${invoiceTotal(invoice)}`];
  });
  return { invariant: 'credit notes are of their invoice, and together never more than it', broken };
};

/** In ms after the order moved, or after the last fault: leases expire, and reactions are retried. */
const ISSUED_WITHIN = 30_000;

const taxDocumentsAreIssuedSoon = (log: LogBook, quietAt: Instant): InvariantResult => {
  const findLate = (taxDocuments: readonly TaxDocument[], status: OrderStatus): readonly string[] =>
    taxDocuments.flatMap(({ stream, revision, data }) => {
      const movedAt = findEntry(log, data.order, status)?.at ?? quietAt;
      const waited = Date.parse(data.issuedAt) - Math.max(Date.parse(movedAt), Date.parse(quietAt));
      return waited <= ISSUED_WITHIN ? [] : [`${taxDocumentNumber(stream, revision)} was issued after ${waited / 1_000} s`];
    });
  const broken = [...findLate(log.invoices, 'shipped'), ...findLate(log.creditNotes, 'returned')];
  return { invariant: `without faults, tax documents are issued within ${ISSUED_WITHIN / 1_000} s`, broken };
};

/** Since `quietAt` there were no faults. */
export const taxDocumentVerdicts = (log: LogBook, quietAt: Instant): readonly InvariantResult[] => [
  taxDocumentNumbersAreGapless(log),
  shippedHasOneInvoice(log),
  returnedHasOneCreditNote(log),
  invoicesAreTheOrders(log),
  creditsAreWithinInvoices(log),
  taxDocumentsAreIssuedSoon(log, quietAt),
];
