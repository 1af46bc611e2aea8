import pg from 'pg';

import { EventStoreUnavailable } from '#domain/event-store.ts';
import { sleep } from '#projections/follower/clock.ts';
import type { Log } from '#projections/follower/lease.ts';
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

const isLost = (error: unknown): boolean => {
  if (error instanceof EventStoreUnavailable) return true;
  const code = getErrorCode(error);
  return code === undefined ? error instanceof Error && LOST_IN_WORDS.test(error.message) : LOST.test(code);
};

const nameLost = (error: unknown): string => (error instanceof EventStoreUnavailable ? 'The event store' : 'Postgres');

/** On a busy machine a connection or an answer may take too long. */
const TRIED_FOR = 15_000;
const TRIED_EVERY = 1_000;

/**
 * Runs `work` again when a connection was lost or the event store did not answer, until 15 s have passed since then, and throws its last
 * error. `work` leaves nothing open when it fails.
 */
export const despiteLosses = async <Result>(work: () => Promise<Result>, log: Log): Promise<Result> => {
  let until: number | undefined;
  for (;;)
    try {
      return await work();
    } catch (error) {
      // A server that is started again meanwhile refuses connections at first, as one that was never there does.
      if (until === undefined && isLost(error)) until = performance.now() + TRIED_FOR;
      if (until === undefined || performance.now() > until) throw error;
      log.warn({ error: String(error) }, `${nameLost(error)} was lost while the shop was starting: trying again`);
      await sleep(TRIED_EVERY);
    }
};

/** Throws `CannotStart` when the connection is lost. */
export const withDatabaseThere = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (!isLost(error)) throw error;
    const code = getErrorCode(error);
    throw new CannotStart(
      `${nameLost(error)} was lost while the shop was starting${code === undefined ? '' : ` (${code})`}: see that it runs, and start the shop again.`,
    );
  }
};
