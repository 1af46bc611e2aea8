import type { InvoiceNumber } from '#domain/invoice/events.ts';
import type { OrderId, OrderNumber } from '#domain/shared/ids.ts';

/** An issued invoice is named by its position in the log, so that a waiting mail stays small. */
export type MailedInvoice = { readonly order: OrderId; readonly number: InvoiceNumber; readonly position: string };

export type MailedReceipt = { readonly order: OrderId; readonly number: OrderNumber };

/** A mail has one of these attached. */
export type MailedDocument = { readonly invoice: MailedInvoice } | { readonly receipt: MailedReceipt };

export type Attachment = { readonly filename: string; readonly contentType: string; readonly content: Buffer | string };

/**
 * Makes the attachment of a mail when it is sent. Returns `not yet` if the mail `mayWait` and it will be complete in a moment, and undefined
 * if there is none: the mail is then sent without it.
 */
export type Attach = (document: MailedDocument, mayWait: boolean) => Promise<Attachment | 'not yet' | undefined>;

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Newsletters have this link, with which mail programs unsubscribe in one click. */
  readonly unsubscribe?: string;
  readonly attachment?: Attachment | undefined;
  /** This span caused the mail, if tracing is on. */
  readonly traceparent?: string | undefined;
};
