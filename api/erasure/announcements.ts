import type pg from 'pg';

import { pause } from '../event-store/patience.ts';
import { aborted } from '../infrastructure/stop-signal.ts';

const CHANNEL = 'erasures';
const AGAIN_AFTER = 500;

export type Announcements = {
  /** Tells all processes; this one has heard of it when it comes back, others a moment later. */
  announce(): Promise<void>;
  close(): Promise<void>;
};

/** Listens until the connection breaks or `until` is aborted. */
const listenOnce = async (pool: pg.Pool, onErasure: () => void, until: AbortSignal): Promise<void> => {
  const client = await pool.connect();
  const broken = new Promise<void>((resolve) => client.once('end', resolve).once('error', () => resolve()));
  try {
    client.on('notification', onErasure);
    await client.query(`listen ${CHANNEL}`);
    // What was announced while nobody listened is not told again.
    onErasure();
    await Promise.race([broken, aborted(until)]);
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
