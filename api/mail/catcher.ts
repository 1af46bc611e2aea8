import type { AddressInfo } from 'node:net';
import PostalMime, { type Address, type Email } from 'postal-mime';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

import { gathered } from '../gathered.ts';
import type { ShopDatabase } from '../shop-tables.ts';

export type Catcher = { readonly url: string; close(): Promise<void> };

type Parts = { readonly db: ShopDatabase; readonly now: () => Date; readonly log: Logger };

/** The newest so many mails are kept, each of so many bytes at most. */
const KEPT = 500;
const MAX_BYTES = 1024 * 1024;
/** So many are written by one statement. */
const AT_ONCE = 20;

const named = (addresses: readonly Address[] = []): string =>
  addresses.map(({ name, address = '' }) => (name ? `${name} <${address}>` : address)).join(', ');

/** Postgres takes every character but this one. */
const storable = (text: string): string => text.replaceAll('\0', '');

const rowOf = (mail: Email, source: string, now: Date) => {
  const date = new Date(mail.date ?? now);
  return {
    message_id: storable(mail.messageId ?? `<${crypto.randomUUID()}@without.id>`),
    recipient: storable(named(mail.to)),
    sender: storable(named(mail.from ? [mail.from] : [])),
    subject: storable(mail.subject ?? ''),
    text: storable(mail.text ?? ''),
    html: storable(mail.html ?? ''),
    source: storable(source),
    date: Number.isNaN(date.getTime()) ? now : date,
  };
};

/**
 * Keeps mails, but for those of whose Message-ID there is one: they were sent twice, and received once. With them the oldest go, in one
 * statement, which sees the table as it was before.
 */
const keep = async ({ db, now }: Parts, sources: readonly Buffer[]): Promise<readonly void[]> => {
  const mails = await Promise.all(sources.map((source) => PostalMime.parse(source)));
  const rows = mails.map((mail, index) => rowOf(mail, sources[index]?.toString('utf8') ?? '', now()));
  await db
    .with('kept', (q) =>
      q
        .insertInto('caught_mail')
        .values(rows)
        .onConflict((conflict) => conflict.column('message_id').doNothing()),
    )
    .deleteFrom('caught_mail')
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('caught_mail')
        .select('id')
        .orderBy('id', 'desc')
        .offset(KEPT - rows.length)
        .limit(1),
    )
    .execute();
  return sources.map(() => undefined);
};

const readAll = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to its end all the same: the client listens only then.
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw Object.assign(new Error('The message is too large'), { responseCode: 552 });
  return Buffer.concat(chunks);
};

/** Tells the client that the mail is kept, or why not. */
const receive = async (
  keep: (source: Buffer) => Promise<void>,
  stream: SMTPServerDataStream,
  done: (error?: Error) => void,
): Promise<void> => {
  try {
    await keep(await readAll(stream));
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
};

/** A mail server on this machine that delivers nothing: it keeps what it is given in `shop.caught_mail`, to be read at `/dev/mailbox`. */
export const openCatcher = async (parts: Parts): Promise<Catcher> => {
  const keepOne = gathered((sources: readonly Buffer[]) => keep(parts, sources), AT_ONCE);
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAX_BYTES,
    disableReverseLookup: true,
    closeTimeout: 1_000,
    hideSMTPUTF8: false,
    onData: (stream, _session, done) => void receive(keepOne, stream, done),
  });
  server.on('error', (error) => parts.log.warn({ err: error }, 'The mail catcher had an error'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(() => resolve())) };
};
