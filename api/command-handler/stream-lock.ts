import type pg from 'pg';

import type { Log } from '#projections/follower/lease.ts';

import type { KeyedMutex } from '../platform/keyed-mutex.ts';

/** The number of connections for locks. They have no other use, so that a command under a lock never waits for a connection. */
export const MOST_LOCKS = 4;
/** A command waits at most this long for a lock. */
export const LOCKED_WITHIN_MS = 2_000;

/**
 * Locks streams among all processes of a shop, whichever event store it has; a killed process loses its locks. A command that
 * does not get the lock in time runs without it, because the lock is for fairness alone. `pool` answers or fails within `LOCKED_WITHIN_MS`.
 */
export const streamLockIn = (pool: pg.Pool, log: Log): KeyedMutex => {
  const acquire = async (stream: string): Promise<pg.PoolClient | undefined> => {
    try {
      const client = await pool.connect();
      try {
        await client.query({ name: 'lock', text: 'select pg_advisory_lock(hashtextextended($1, 0))', values: [`commands of ${stream}`] });
        return client;
      } catch (error) {
        // It may still get the lock, which it loses with its connection.
        client.release(true);
        throw error;
      }
    } catch (error) {
      log.warn({ err: error, stream }, 'A contended stream could not be locked');
      return undefined;
    }
  };
  const release = (client: pg.PoolClient): Promise<void> =>
    client.query('select pg_advisory_unlock_all()').then(
      () => client.release(),
      () => client.release(true),
    );

  return async (stream, work) => {
    const client = await acquire(stream);
    try {
      return await work();
    } finally {
      if (client) void release(client);
    }
  };
};
