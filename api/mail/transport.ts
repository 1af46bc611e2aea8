import { createTransport } from 'nodemailer';

import { codeOf } from '../infrastructure/cannot-start.ts';
import type { Mail } from './mail.ts';

export type Transport = {
  /** Hands the mail to the mail server. `id` makes its Message-ID: the same id, the same mail. Throws when it was not taken. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
};

const NAME = 'RUHANI';
/** A mail server that says nothing for so long, in ms, is taken for gone: rows stay locked meanwhile. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** The shop's sender: of the domain that shoppers know, and of an example where the shop has no public one. */
export const senderFor = (publicUrl: string): string => {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' ? `care@${hostname.replace(/^www\./, '')}` : 'care@ruhani.example';
};

/** By which a mail program offers to end the letters itself (RFC 8058). Prepared: a long link folded in two would be none. */
const listHeaders = (link: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${link}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** SMTP to the server of an `smtp://` or `smtps://` URL, over a few connections that stay open. */
export const smtpTransport = ({ url, sender }: { readonly url: string; readonly sender: string }): Transport => {
  const mailer = createTransport({ url, pool: true, maxConnections: 5, disableFileAccess: true, disableUrlAccess: true, ...PATIENCE });
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return {
    send: async ({ to, subject, text, html, unsubscribe }, id) => {
      // As objects, an address is never parsed again, and nobody's comma becomes a second recipient.
      const from = { name: NAME, address: sender };
      const headers = unsubscribe === undefined ? {} : listHeaders(unsubscribe);
      const contents = { subject, text, html, headers, messageId: `<${id}@${domain}>` };
      // Said beforehand, or every letter of each part is counted, twice, to find the same.
      await mailer.sendMail({ from, to: { name: '', address: to }, ...contents, textEncoding: 'quoted-printable' });
    },
    close: () => mailer.close(),
  };
};

const answerOf = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;

/** Why a mail was not taken, in words without addresses; final when the server says that it never will be. */
export const failureOf = (error: unknown): { isFinal: boolean; reason: string } => {
  const answer = answerOf(error);
  const code = codeOf(error);
  // That we may not log in (5xx, too) is about us, and may be mended; what the server says to an envelope or a message is about the mail.
  const isFinal = answer !== undefined && answer >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return { isFinal, reason: [code ?? 'failed', answer].filter((part) => part !== undefined).join(' ') };
};
