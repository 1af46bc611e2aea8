import pg from 'pg';

import { KEEP_ALIVE } from '#projections/storage/connections.ts';

import { CannotStart, getErrorCode } from '../cannot-start.ts';

/** A connection must be open after this many ms. */
const CONNECTED_WITHIN = 5_000;

export const AT_START = { connectionTimeoutMillis: CONNECTED_WITHIN, ...KEEP_ALIVE };

type Session = { readonly connectionString: string; readonly application_name: string };

/** Runs `work` on a new connection. Also throws when the connection breaks. */
export const withClient = async <Result>(session: Session, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ ...AT_START, ...session });
  // Without a listener, a connection that breaks between two queries would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** These codes of Postgres (connection, resources, shutdown) and of the network mean that a connection ended or could not be opened. */
const LOST = /^(?:08|53|57P)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** Some of pg's connection errors have no code. */
const LOST_IN_WORDS =
  /^(?:Connection terminated|timeout (?:exceeded|expired)|Query read timeout|Client has encountered a connection error)/;

/** Throws `CannotStart` when the connection is lost. */
export const withDatabaseThere = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const code = getErrorCode(error) ?? '';
    const isLost = code === '' ? error instanceof Error && LOST_IN_WORDS.test(error.message) : LOST.test(code);
    if (!isLost) throw error;
    throw new CannotStart(
      `Postgres was lost while the shop was starting${code && ` (${code})`}: see that it runs, and start the shop again.`,
    );
  }
};
