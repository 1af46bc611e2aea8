import { once } from 'node:events';
import type pg from 'pg';

import { sleep } from './clock.ts';

/** After a connection broke or failed to open, the listener waits this many ms. */
const AGAIN_AFTER = 500;

export type Listener = {
  readonly pool: Pick<pg.Pool, 'connect'>;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** The function is called on each new connection: earlier notifications may have been missed. */
  readonly onListening: () => void;
};

const listenOnce = async ({ pool, channel, onPayload, onListening }: Listener, signal: AbortSignal): Promise<void> => {
  const client = await pool.connect();
  try {
    // Later errors are ignored, because the promises are settled already.
    client.on('notification', ({ payload = '' }) => onPayload(payload)).on('error', () => {});
    await Promise.all([once(client, 'end', { signal }), client.query(`listen ${channel}`).then(onListening)]);
  } finally {
    // The connection is closed, because it would keep listening in the pool.
    client.release(true);
  }
};

/** Listens on one connection of the pool, and on a new one whenever that breaks. */
export const listen = async (listener: Listener, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await listenOnce(listener, signal).catch(() => {}); // An outage: who listens also looks by itself, or can do nothing meanwhile.
    await sleep(AGAIN_AFTER, signal);
  }
};
