import { createTransport } from 'nodemailer';

import { getErrorCode } from '../platform/cannot-start.ts';
import type { Mail } from './mail.ts';

export type Transport = {
  /** Sends a mail. `id` becomes the Message-ID and is the same for the same mail. Throws when the mail was not accepted. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
};

const NAME = 'RUHANI';
/** A mail server counts as unreachable after this many ms. Rows stay locked meanwhile. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** Returns the sender's address at the shop's public domain, or at an example domain. */
export const senderFor = (publicUrl: string): string => {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' ? `care@${hostname.replace(/^www\./, '')}` : 'care@ruhani.example';
};

/** Adds headers for one-click unsubscribing (RFC 8058). They are `prepared`, because folding would break a long link. */
const listHeaders = (link: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${link}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

type SmtpOptions = { readonly url: string; readonly sender: string };

/** Sends over a few persistent connections. */
export const smtpTransport = ({ url, sender }: SmtpOptions): Transport => {
  const mailer = createTransport({ url, pool: true, maxConnections: 5, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS });
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return {
    send: async ({ to, subject, text, html, unsubscribe, attachment }, id) => {
      // Addresses are objects, which are not parsed, so that a comma cannot add a second recipient.
      const from = { name: NAME, address: sender };
      const headers = unsubscribe === undefined ? {} : listHeaders(unsubscribe);
      const attachments = attachment ? [attachment] : [];
      const contents = { subject, text, html, attachments, headers, messageId: `<${id}@${domain}>` };
      // Without this encoding the library counts the characters of each part twice, to choose the same one.
      await mailer.sendMail({ from, to: { name: '', address: to }, ...contents, textEncoding: 'quoted-printable' });
    },
    close: () => mailer.close(),
  };
};

const findAnswerCode = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;

/** Returns the reason without addresses. The failure is final if the server will never accept the mail. */
export const toMailFailure = (error: unknown): { isFinal: boolean; reason: string } => {
  const answer = findAnswerCode(error);
  const code = getErrorCode(error);
  // A refused login (5xx too) can be fixed; refusals of envelope or message concern the mail.
  const isFinal = answer !== undefined && answer >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return { isFinal, reason: [code ?? 'failed', answer].filter((part) => part !== undefined).join(' ') };
};
