import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Received = { readonly to: string[]; readonly source: string };
type Behaviour = { readonly refuse?: { readonly code: number; readonly at: 'recipient' | 'message' } | undefined; readonly hang?: boolean };

export type MailServer = {
  readonly url: string;
  readonly received: Received[];
  behave(how: Behaviour): void;
  /** Resolves when a message has arrived since the call. */
  nextMessage(): Promise<void>;
  close(): Promise<void>;
};

const refusal = (code: number): Error => Object.assign(new Error('refused'), { responseCode: code });

/** Opens a mail server whose faults the test sets. */
export const openMailServer = async (): Promise<MailServer> => {
  const received: Received[] = [];
  let behaviour: Behaviour = {};
  let arrived: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 50,
    hideSMTPUTF8: false,
    onRcptTo: (_, __, done) => (behaviour.refuse?.at === 'recipient' ? done(refusal(behaviour.refuse.code)) : done()),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (behaviour.refuse?.at === 'message') return done(refusal(behaviour.refuse.code));
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString('utf8') });
        for (const each of arrived) each();
        arrived = [];
        return behaviour.hang ? undefined : done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    behave: (how) => {
      behaviour = how;
    },
    nextMessage: () => new Promise((resolve) => arrived.push(resolve)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
