import { createTransport } from 'nodemailer';

import { codeOf } from '../platform/cannot-start.ts';
import type { Mail, MailedInvoice } from './mail.ts';

export type Transport = {
  /** `id` becomes the Message-ID: the same for the same mail. Throws when it was not accepted. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
};

/** Undefined: the log no longer has it, since it was replaced by an older one; the mail is then sent without it. */
export type InvoicePdf = (invoice: MailedInvoice) => Promise<Buffer | undefined>;

const NAME = 'RUHANI';
/** In ms; then a mail server counts as down. Rows stay locked meanwhile. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** At the shop's public domain, or at an example domain. */
export const senderFor = (publicUrl: string): string => {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' ? `care@${hostname.replace(/^www\./, '')}` : 'care@ruhani.example';
};

/** For one-click unsubscribing (RFC 8058). `prepared`: folding would break a long link. */
const listHeaders = (link: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${link}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

type SmtpOptions = { readonly url: string; readonly sender: string; readonly invoicePdf?: InvoicePdf };

/** Over a few persistent connections. */
export const smtpTransport = ({ url, sender, invoicePdf }: SmtpOptions): Transport => {
  const mailer = createTransport({ url, pool: true, maxConnections: 5, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS });
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const attached = async (invoice: MailedInvoice) => {
    const content = await invoicePdf?.(invoice);
    return content ? [{ filename: `${invoice.number.replaceAll('/', '-')}.pdf`, contentType: 'application/pdf', content }] : [];
  };
  return {
    send: async ({ to, subject, text, html, unsubscribe, invoice }, id) => {
      // As an object, which is not parsed: a comma cannot add a second recipient.
      const from = { name: NAME, address: sender };
      const headers = unsubscribe === undefined ? {} : listHeaders(unsubscribe);
      const attachments = invoice ? await attached(invoice) : [];
      const contents = { subject, text, html, attachments, headers, messageId: `<${id}@${domain}>` };
      // Else the library counts the characters of each part, twice, to choose the same.
      await mailer.sendMail({ from, to: { name: '', address: to }, ...contents, textEncoding: 'quoted-printable' });
    },
    close: () => mailer.close(),
  };
};

const answerOf = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;

/** Without addresses; final if the server will never accept the mail. */
export const mailFailureOf = (error: unknown): { isFinal: boolean; reason: string } => {
  const answer = answerOf(error);
  const code = codeOf(error);
  // A refused login (5xx too) can be fixed; refusals of envelope or message are about the mail.
  const isFinal = answer !== undefined && answer >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return { isFinal, reason: [code ?? 'failed', answer].filter((part) => part !== undefined).join(' ') };
};
