import type { Logger } from 'pino';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { openCatcher } from './catcher.ts';
import type { Attach } from './mail.ts';
import { mailbox } from './mailbox.ts';
import type { OrderPage, Outbox } from './outbox.ts';
import { runSender, type Recipients } from './sender.ts';
import { senderFor, smtpTransport, type Transport } from './transport.ts';

export type MailOptions = {
  readonly db: ShopDatabase;
  readonly outbox: Outbox;
  readonly orderPage: OrderPage;
  readonly now: () => Date;
  readonly log: Logger;
  /** If it is missing, mails are sent to a catcher in this process. */
  readonly smtpUrl: string | undefined;
  readonly publicUrl: string;
  readonly recipients?: Recipients;
  readonly attach?: Attach;
  readonly tracing?: Tracing | undefined;
};

/** Sends within the trace that caused the mail, in any process. */
const tracedTransport = (transport: Transport, tracing: Tracing): Transport => ({
  ...transport,
  send: (mail, id) => {
    const { traceparent: parent } = mail;
    const send = () => transport.send(mail, id);
    return parent === undefined ? send() : tracing.span({ name: 'send mail', kind: 'client', parent }, send);
  },
});

/** Sends mails to the configured server, or to a catcher in this process. */
export const openMail = async ({ db, outbox, orderPage, now, log, smtpUrl, publicUrl, attach, tracing, recipients }: MailOptions) => {
  const catcher = smtpUrl === undefined ? await openCatcher({ db, now, log }) : undefined;
  const sender = senderFor(publicUrl);
  const smtp = smtpTransport({ url: smtpUrl ?? catcher?.url ?? '', sender });
  const transport = tracing ? tracedTransport(smtp, tracing) : smtp;
  return {
    run: (signal: AbortSignal) => runSender({ db, outbox, orderPage, transport, attach, log, recipients }, signal),
    transport,
    /** Serves `/dev/mailbox` if mails are sent to a catcher. */
    mailbox: catcher && mailbox({ db, publicUrl }),
    close: async () => {
      transport.close();
      await catcher?.close();
    },
  };
};
