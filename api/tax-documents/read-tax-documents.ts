import { ToWords } from 'to-words/en-IN';

import { logPosition, type LogPosition, type Recorded, type Streams, type Feed } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent, InvoiceNumber } from '#domain/invoice/events.ts';
import { negate, viewInvoice, type InvoiceView } from '#domain/invoice/view.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';
import type { Attachment, MailedInvoice } from '../mail/mail.ts';
import { writePdf } from '../pdf/pdf-threads.ts';
import type { TaxDocuments } from '#projections/invoices/queries.ts';
import type { ProofLinks } from './proof-links.ts';

export type TaxDocumentSources = { readonly store: Pick<Streams & Feed, 'at'>; readonly taxDocuments: Pick<TaxDocuments, 'of'> };

export type RecordedTaxDocument = Recorded<InvoiceEvent> | Recorded<CreditNoteEvent>;

/** An order's tax documents, as the log has them: after an erasure without name and address. */
export type OrderTaxDocuments = { readonly invoice: Recorded<InvoiceEvent>; readonly notes: readonly Recorded<CreditNoteEvent>[] };

/** `totalInWords`: `Four Thousand One Hundred Twenty Eight Rupees And Sixty Two Paise Only`. */
export type WordedInvoice = InvoiceView & { readonly totalInWords: string };
export type ListedInvoice = WordedInvoice & { readonly orderId: OrderId; readonly orderNumber: OrderNumber };
/** `nth`: see `GET /order/:id/credit-notes/:nth.pdf`. */
export type ListedTaxDocument = Omit<ListedInvoice, 'totalInWords' | 'creditNotes'> & {
  readonly invoiceNumber?: InvoiceNumber;
  readonly nth?: number;
};

const words = new ToWords({ localeCode: 'en-IN', converterOptions: { currency: true } });

/** Returns `Fifty Paise Only` for half a rupee, and `Zero Rupees Only` for nothing. */
export const inWords = (rupees: number): string => words.convert(rupees, { ignoreZeroCurrency: rupees > 0 });

/** A tax document, at a position that the read model gave. Throws where the log has no event. */
export const eventAt = async <Event extends InvoiceEvent | CreditNoteEvent>(
  store: TaxDocumentSources['store'],
  position: LogPosition,
): Promise<Recorded<Event>> => {
  const event = await store.at(position);
  if (!event) throw new Error(`The log has nothing at ${position}`);
  // The read model has only positions of such events.
  return event as unknown as Recorded<Event>;
};

/** Renders a tax document as a PDF. The same event and link give the same bytes. */
export const taxDocumentPdf = ({ stream, revision, type, data }: RecordedTaxDocument, proofLink: string | undefined): Promise<Buffer> =>
  writePdf('renderInvoice', { stream, revision, type, data, proofLink });

/** `RH-26-27-000001` */
export const taxDocumentFileName = (number: string): string => number.replaceAll('/', '-');

/**
 * Makes the attachment of a mail when it is sent, from the event in the log: after an erasure the event has no name or address. While the
 * invoice is not proved, the mail waits if it may. Returns undefined if the log no longer has the invoice.
 */
export const invoiceAttachment =
  (store: TaxDocumentSources['store'], proofs: Pick<ProofLinks, 'find'>) =>
  async ({ order, number, position }: MailedInvoice, mayWait: boolean): Promise<Attachment | 'not yet' | undefined> => {
    const event = await store.at(logPosition(BigInt(position)));
    // After a restore from a backup the log may have another buyer's event at this place.
    if (event?.type !== 'InvoiceIssued') return undefined;
    const invoice = event as unknown as Recorded<InvoiceEvent>;
    if (invoice.data.order !== order) return undefined;
    const proofLink = await proofs.find(invoice);
    if (proofLink === undefined && mayWait) return 'not yet';
    const content = await taxDocumentPdf(invoice, proofLink);
    return { filename: `${taxDocumentFileName(number)}.pdf`, contentType: 'application/pdf', content };
  };

/** Reads the documents of these orders. An order without an invoice is left out. */
export const readTaxDocuments = async (
  { store, taxDocuments }: TaxDocumentSources,
  orders: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, OrderTaxDocuments>> => {
  const found = await taxDocuments.of(orders);
  const read = [...found].map(async ([id, { invoice, notes }]): Promise<[OrderId, OrderTaxDocuments]> => {
    const noted = Promise.all(notes.map((position) => eventAt<CreditNoteEvent>(store, position)));
    return [id, { invoice: await eventAt<InvoiceEvent>(store, invoice), notes: await noted }];
  });
  return new Map(await Promise.all(read));
};

export const wordedInvoice = ({ invoice, notes }: OrderTaxDocuments): WordedInvoice => {
  const view = viewInvoice(invoice, notes);
  return { ...view, totalInWords: inWords(view.total) };
};

export const listedInvoice = (taxDocuments: OrderTaxDocuments): ListedInvoice => {
  const { order, orderNumber } = taxDocuments.invoice.data;
  return { ...wordedInvoice(taxDocuments), orderId: order, orderNumber };
};

/** Returns a row for the invoice and one for each credit note, as they were issued: no row changes when another is issued. */
export const listTaxDocuments = (taxDocuments: OrderTaxDocuments): readonly ListedTaxDocument[] => {
  const { totalInWords: _, creditNotes, ...invoice } = listedInvoice(taxDocuments);
  const notes = creditNotes.map((note, index) => ({ ...invoice, ...negate(note), invoiceNumber: invoice.number, nth: index + 1 }));
  return [invoice, ...notes];
};
