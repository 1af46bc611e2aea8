import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { listen } from '#projections/follower/listen.ts';
import { inBackground } from '#projections/follower/repeat-every.ts';
import { batcher } from '../../platform/batcher.ts';

const CHANNEL = 'log_appended';
/** Notifications are this many ms apart: under load one stands for many appends. */
const ANNOUNCE_INTERVAL_MS = 10;

type Parts = {
  readonly pool: pg.Pool;
  readonly ask: (query: pg.QueryConfig) => Promise<unknown>;
  /** The function is called when another process has appended, or may have while this one was not listening. */
  readonly onAppended: () => void;
};

/**
 * Wakes followers in other processes. The NOTIFY is sent separately after the commit: inside, commits would queue for a server-wide lock.
 * Followers poll too, so that a notification may get lost.
 */
export const openAnnouncements = ({ pool, ask, onAppended }: Parts) => {
  const myself = crypto.randomUUID();
  const onPayload = (sender: string): void => {
    if (sender !== myself) onAppended();
  };
  const listening = inBackground((signal) => listen({ pool, channel: CHANNEL, onPayload, onListening: onAppended }, signal));
  const notify = batcher(async (appends: readonly string[]) => {
    ask({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, myself] }).catch(() => {});
    await pause(ANNOUNCE_INTERVAL_MS, undefined, { ref: false });
    return appends;
  }, Infinity);
  return { announce: (): void => void notify(myself), close: listening.close };
};
