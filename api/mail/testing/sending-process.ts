import pg from 'pg';
import { pino } from 'pino';

import { shopDatabase } from '../../platform/postgres/shop-tables.ts';
import { outbox } from '../outbox.ts';
import { runSender } from '../sender.ts';
import { smtpTransport } from '../transport.ts';

/** Sends mail until it is killed: `sending-process.ts <database> <mail server> <key>`. */
const [databaseUrl = '', smtpUrl = '', key = ''] = process.argv.slice(2);
const now = (): Date => new Date();
const pool = new pg.Pool({ connectionString: databaseUrl });

await runSender(
  {
    db: shopDatabase(pool),
    outbox: outbox({ key: Buffer.from(key, 'hex'), now }),
    orderPage: ({ id }) => `/order/${id}`,
    transport: smtpTransport({ url: smtpUrl, sender: 'care@ruhani.example' }),
    now,
    log: pino({ level: 'silent' }),
  },
  new AbortController().signal,
);
