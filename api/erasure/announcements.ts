import { once } from 'node:events';
import type pg from 'pg';

import { pause } from '#projections/pause.ts';

const CHANNEL = 'erasures';
const AGAIN_AFTER = 500;

export type Announcements = {
  /** Tells all processes; this one has heard of it when it comes back, others a moment later. */
  announce(): Promise<void>;
  close(): Promise<void>;
};

/** Listens until the connection ends. Rejects when it breaks, or `until` is aborted. */
const listenOnce = async (pool: pg.Pool, onErasure: () => void, until: AbortSignal): Promise<void> => {
  const client = await pool.connect();
  const listen = async (): Promise<void> => {
    await client.query(`listen ${CHANNEL}`);
    // What was announced while nobody listened is not told again.
    onErasure();
  };
  try {
    client.on('notification', onErasure).on('error', () => {}); // After the first, nobody is waiting for it.
    await Promise.all([once(client, 'end', { signal: until }), listen()]);
  } finally {
    // Not given back: it would go on listening.
    client.release(true);
  }
};

/** Erasures as they are announced between processes. `onErasure` is also called when one may have been missed. */
export const openAnnouncements = (pool: pg.Pool, onErasure: () => void): Announcements => {
  const ending = new AbortController();
  const keepListening = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await listenOnce(pool, onErasure, ending.signal).catch(() => {}); // An outage passes; meanwhile nobody is erased either.
      await pause(AGAIN_AFTER, ending.signal);
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
