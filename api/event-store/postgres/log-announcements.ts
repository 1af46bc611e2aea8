import type pg from 'pg';
import { listen } from '#projections/storage/listen.ts';

const CHANNEL = 'log_appended';
/** In ms: under load one notification stands for many appends. */
const APART = 10;

type Parts = {
  readonly pool: pg.Pool;
  readonly ask: (query: pg.QueryConfig) => Promise<unknown>;
  /** Another process has appended, or may have while this one was not listening. */
  readonly onAppended: () => void;
};

export type Announcements = {
  /** They poll too, so a notification may get lost. */
  announce(): void;
  close(): Promise<void>;
};

/**
 * Wakes followers in other processes. The NOTIFY is sent separately after the commit: inside, commits would queue for a server-wide lock.
 */
export const openAnnouncements = ({ pool, ask, onAppended }: Parts): Announcements => {
  const myself = crypto.randomUUID();
  const leaving = new AbortController();
  const onPayload = (sender: string): void => {
    if (sender !== myself) onAppended();
  };
  const listening = listen({ pool, channel: CHANNEL, onPayload, onListening: onAppended }, leaving.signal);

  let resting: NodeJS.Timeout | undefined;
  let isWanted = false;
  const announce = (): void => {
    if (resting) {
      isWanted = true;
      return;
    }
    isWanted = false;
    ask({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, myself] }).catch(() => {
      // Ignored: the other processes poll.
    });
    resting = setTimeout(() => {
      resting = undefined;
      if (isWanted) announce();
    }, APART);
  };
  return {
    announce,
    close: async () => {
      clearTimeout(resting);
      leaving.abort();
      await listening;
    },
  };
};
