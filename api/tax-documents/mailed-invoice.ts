import { logPosition } from '#domain/event-store.ts';

import type { InvoicePdf } from '../mail/transport.ts';
import type { RecordedTaxDocument } from './invoice-pdf.ts';
import { taxDocumentPdf, type TaxDocumentSources } from './read-tax-documents.ts';

/** Writes the PDF from the event in the log when the mail is sent. After an erasure the event has no name or address. */
export const invoicePdf =
  (store: TaxDocumentSources['store']): InvoicePdf =>
  async ({ order, position }) => {
    const event = await store.at(logPosition(BigInt(position)));
    // After a restore from a backup the log may have another buyer's event at this place.
    if (event?.type !== 'InvoiceIssued') return undefined;
    const invoice = event as unknown as RecordedTaxDocument;
    if (invoice.data.order !== order) return undefined;
    return taxDocumentPdf(invoice);
  };
