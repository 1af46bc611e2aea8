import { logPosition, type LogPosition } from '#domain/event-store.ts';
import { paperNumber } from '#domain/invoice/paper-numbers.ts';

import type { InvoicePdf } from '../mail/transport.ts';
import type { OrderMailDeps } from '../reactions/when-order-moves-tell-shopper.ts';
import type { IssuePapers } from './issue-papers.ts';
import type { RecordedPaper } from './invoice-paper.ts';
import { paperPdf, type PaperSources } from './read-papers.ts';
import { issueInvoice } from './when-order-moves-issue-papers.ts';

type Issuing = {
  readonly issue: IssuePapers;
  /** Of the reaction that issues papers: orders that shipped before get none, even if their events are handled again. */
  readonly start: () => Promise<LogPosition | undefined>;
};

/** Issues the invoice that goes with a mail about shipping, unless the other reaction has. */
export const invoiceForMail =
  ({ issue, start }: Issuing): NonNullable<OrderMailDeps['invoiceOf']> =>
  async (event, order) => {
    const since = await start();
    if (since === undefined || event.position <= since) return undefined;
    await issueInvoice(issue, event, order);
    const issued = await issue.invoiceOf(order.id, event.data.shippedAt);
    if (!issued) throw new Error(`${event.stream} has no invoice after it was issued`);
    return { order: order.id, number: paperNumber(issued.stream, issued.revision), position: String(issued.position) };
  };

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
