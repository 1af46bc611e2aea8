import { once } from 'node:events';
import type pg from 'pg';

import { sleep } from '#projections/engine/clock.ts';

const CHANNEL = 'erasures';
const AGAIN_AFTER = 500;

export type Announcements = {
  /** Tells all processes; `onErasure` was called in this one when it resolves, in others a moment later. */
  announce(): Promise<void>;
  close(): Promise<void>;
};

/** Listens until the connection ends. Rejects when it breaks, or `until` is aborted. */
const listenOnce = async (pool: pg.Pool, onErasure: () => void, until: AbortSignal): Promise<void> => {
  const client = await pool.connect();
  const listen = async (): Promise<void> => {
    await client.query(`listen ${CHANNEL}`);
    // Announcements made while this process did not listen are lost, so it assumes one.
    onErasure();
  };
  try {
    client.on('notification', onErasure).on('error', () => {}); // Errors after the first one: the promises are settled already.
    await Promise.all([once(client, 'end', { signal: until }), listen()]);
  } finally {
    // Closed instead of returned to the pool, where it would go on listening.
    client.release(true);
  }
};

/** Announces erasures between processes. `onErasure` is also called when an announcement may have been missed. */
export const openAnnouncements = (pool: pg.Pool, onErasure: () => void): Announcements => {
  const ending = new AbortController();
  const keepListening = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await listenOnce(pool, onErasure, ending.signal).catch(() => {}); // After an outage it listens again; meanwhile no erasure is done either.
      await sleep(AGAIN_AFTER, ending.signal);
    }
  };
  const running = keepListening();
  return {
    announce: async () => {
      onErasure();
      await pool.query(`notify ${CHANNEL}`);
    },
    close: () => {
      ending.abort();
      return running;
    },
  };
};
