import { logPosition } from '#domain/event-store.ts';

import type { InvoicePdf } from '../mail/transport.ts';
import type { RecordedPaper } from './invoice-paper.ts';
import { paperPdf, type PaperSources } from './read-papers.ts';

/** Writes the PDF when the mail is sent, from the event in the log. After an erasure the event has no name or address. */
export const invoicePdf =
  (store: PaperSources['store']): InvoicePdf =>
  async ({ order, position }) => {
    const event = await store.at(logPosition(BigInt(position)));
    // An older log has another event there, which is another buyer's.
    if (event?.type !== 'InvoiceIssued') return undefined;
    const invoice = event as unknown as RecordedPaper;
    if (invoice.data.order !== order) return undefined;
    return paperPdf(invoice);
  };
