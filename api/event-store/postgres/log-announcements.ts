import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { listen } from '#projections/follower/listen.ts';
import { inBackground } from '#projections/follower/repeat-every.ts';
import { batcher } from '../../platform/batcher.ts';

const CHANNEL = 'log_appended';
/** In ms: under load one notification stands for many appends. */
const APART = 10;

type Parts = {
  readonly pool: pg.Pool;
  readonly ask: (query: pg.QueryConfig) => Promise<unknown>;
  /** Another process has appended, or may have while this one was not listening. */
  readonly onAppended: () => void;
};

/**
 * Wakes followers in other processes. The NOTIFY is sent separately after the commit: inside, commits would queue for a server-wide lock.
 * They poll too, so a notification may get lost.
 */
export const openAnnouncements = ({ pool, ask, onAppended }: Parts) => {
  const myself = crypto.randomUUID();
  const onPayload = (sender: string): void => {
    if (sender !== myself) onAppended();
  };
  const listening = inBackground((signal) => listen({ pool, channel: CHANNEL, onPayload, onListening: onAppended }, signal));
  const notify = batcher(async (appends: readonly string[]) => {
    ask({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, myself] }).catch(() => {});
    await pause(APART, undefined, { ref: false });
    return appends;
  }, Infinity);
  return { announce: (): void => void notify(myself), close: listening.close };
};
