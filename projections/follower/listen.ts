import { once } from 'node:events';
import type pg from 'pg';

import { sleep } from './clock.ts';

/** In ms, after a connection broke or could not be made. */
const AGAIN_AFTER = 500;

export type Listener = {
  readonly pool: Pick<pg.Pool, 'connect'>;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** On each new connection: earlier notifications may have been missed. */
  readonly onListening: () => void;
};

const listenOnce = async ({ pool, channel, onPayload, onListening }: Listener, until: AbortSignal): Promise<void> => {
  const client = await pool.connect();
  try {
    // Later errors: the promises are settled already.
    client.on('notification', ({ payload = '' }) => onPayload(payload)).on('error', () => {});
    await Promise.all([once(client, 'end', { signal: until }), client.query(`listen ${channel}`).then(onListening)]);
  } finally {
    // Closed: in the pool it would keep listening.
    client.release(true);
  }
};

/** Listens on one connection of the pool, and on a new one whenever that breaks. */
export const listen = async (listener: Listener, until: AbortSignal): Promise<void> => {
  while (!until.aborted) {
    await listenOnce(listener, until).catch(() => {}); // An outage: who listens also looks by itself, or can do nothing meanwhile.
    await sleep(AGAIN_AFTER, until);
  }
};
