import type { InvoiceNumber } from '#domain/invoice/events.ts';
import type { OrderId } from '#domain/shared/ids.ts';

/** An issued invoice is named by its position in the log, so that a waiting mail stays small. */
export type MailedInvoice = { readonly order: OrderId; readonly number: InvoiceNumber; readonly position: string };

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Newsletters have this link, with which mail programs unsubscribe in one click. */
  readonly unsubscribe?: string;
  readonly invoice?: MailedInvoice | undefined;
  /** This span caused the mail, if tracing is on. */
  readonly traceparent?: string | undefined;
};
