import type { InvoiceNumber } from '#domain/invoice/events.ts';
import type { OrderId } from '#domain/shared/ids.ts';

/** An issued invoice, by its position in the log: a waiting mail stays small. */
export type MailedInvoice = { readonly order: OrderId; readonly number: InvoiceNumber; readonly position: string };

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** For newsletters: the one-click unsubscribe link for mail programs. */
  readonly unsubscribe?: string;
  /** Attached as a PDF. */
  readonly invoice?: MailedInvoice | undefined;
  /** With tracing: the span that caused it. */
  readonly traceparent?: string | undefined;
};
