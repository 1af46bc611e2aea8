import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

import { batcher } from '../platform/batcher.ts';
import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import { storeMails } from './caught-mail.ts';

export type Catcher = { readonly url: string; close(): Promise<void> };

type Parts = { readonly db: ShopDatabase; readonly now: () => Date; readonly log: Logger };

const MAX_BYTES = 1024 * 1024;
const AT_ONCE = 20;

const readAll = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The mail is read to its end, because the client waits for the response until it has sent everything.
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw Object.assign(new Error('The message is too large'), { responseCode: 552 });
  return Buffer.concat(chunks);
};

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

/** Stores mails in `shop.caught_mail` instead of delivering them; `/dev/mailbox` shows them. */
export const openCatcher = async (parts: Parts): Promise<Catcher> => {
  const { db, now } = parts;
  const keepAll = storeMails({ db, now });
  const keepOne = batcher(async (sources: readonly Buffer[]) => {
    await keepAll(sources);
    return sources.map(() => undefined);
  }, AT_ONCE);
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAX_BYTES,
    disableReverseLookup: true,
    closeTimeout: 1_000,
    hideSMTPUTF8: false,
    onData: (stream, _session, done) => void receive(keepOne, stream, done),
  });
  server.on('error', (error) => parts.log.warn({ err: error }, 'Error in the mail catcher'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(() => resolve())) };
};
