import pg from 'pg';

import { CannotStart, codeOf } from '../cannot-start.ts';

/** The time limit for connecting to a server that accepts connections, in milliseconds. */
const CONNECTED_WITHIN = 5_000;

/** Settings of all connections opened during the start. */
export const AT_START = { connectionTimeoutMillis: CONNECTED_WITHIN, keepAlive: true };

type Session = { readonly connectionString: string; readonly application_name: string };

/** Runs `work` on a new connection. Throws the errors of connecting and of the work, also when the connection breaks. */
export const withClient = async <Result>(session: Session, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ ...AT_START, ...session });
  // Without a listener the error of a connection that breaks between two queries would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Conditions of the server (connection, resources, shutdown) and of the network that end connections or keep them from being made. */
const LOST = /^(?:08|53|57P)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** Messages of pg's connection errors that have no code. */
const LOST_IN_WORDS =
  /^(?:Connection terminated|timeout (?:exceeded|expired)|Query read timeout|Client has encountered a connection error)/;

/** Runs a part of the start. Throws `CannotStart` when the database connection is lost. */
export const withDatabaseThere = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    const isLost = code === '' ? error instanceof Error && LOST_IN_WORDS.test(error.message) : LOST.test(code);
    if (!isLost) throw error;
    throw new CannotStart(
      `Postgres was lost while the shop was starting${code && ` (${code})`}: see that it runs, and start the shop again.`,
    );
  }
};
