import pg from 'pg';
import type { Category } from '#domain/event-store.ts';
import { backOff } from './patience.ts';
import { categories } from './stored-event.ts';

const CHANNEL = 'log_appended';
/** Notifications of one process are at least this far apart: in a hurry one says what many would. */
const INTERVAL_MS = 25;

type Parts = {
  readonly connectionString: string;
  readonly ask: (query: pg.QueryConfig) => Promise<unknown>;
  /** Something was appended by another process, or may have been while nobody listened. */
  readonly onAppended: (rung: readonly Category[]) => void;
};

export type Announcements = {
  /** Tells the other processes. A notification lost is made good by their polling. */
  announce(appended: Iterable<Category>): void;
  close(): Promise<void>;
};

/**
 * Wakes followers in other processes. The NOTIFY goes out after the commit and apart from it: inside, it would make commits
 * queue for a lock of the whole server.
 */
export const openAnnouncements = ({ connectionString, ask, onAppended }: Parts): Announcements => {
  const myself = crypto.randomUUID();
  const listener = listen(
    connectionString,
    (payload) => {
      const [sender, ...rung] = payload.split(' ');
      if (sender !== myself) onAppended(categories.filter((category) => rung.includes(category)));
    },
    () => onAppended(categories),
  );

  const pending = new Set<Category>();
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  const send = (): void => {
    timer = undefined;
    sent = performance.now();
    const payload = [myself, ...pending].join(' ');
    pending.clear();
    ask({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, payload] }).catch(() => {
      // Whoever would have heard it polls.
    });
  };

  return {
    announce: (appended) => {
      for (const category of appended) pending.add(category);
      timer ??= setTimeout(send, Math.max(0, INTERVAL_MS - (performance.now() - sent)));
    },
    close: async () => {
      clearTimeout(timer);
      await listener.close();
    },
  };
};

/** Listens on a connection of its own, and again on a new one when that breaks; `onListening` is told each time. */
const listen = (connectionString: string, onPayload: (payload: string) => void, onListening: () => void) => {
  const leave = new AbortController();
  let client: pg.Client | undefined;

  const session = async (): Promise<void> => {
    client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5_000, application_name: 'event-store-listener' });
    const ended = new Promise<void>((resolve) => {
      // A cut connection has up to two errors to tell; an 'error' that nobody listens to would end the process.
      client?.on('end', resolve).on('error', () => resolve());
    });
    client.on('notification', ({ payload = '' }) => onPayload(payload));
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    onListening();
    await ended;
  };
  const running = (async () => {
    for (let attempt = 1; !leave.signal.aborted; attempt++) {
      const began = performance.now();
      await session().catch(() => {}); // What went wrong does not matter: it is tried again, and followers poll meanwhile.
      if (performance.now() - began > 10_000) attempt = 1;
      await backOff(attempt, leave.signal);
    }
  })();

  return {
    close: async () => {
      leave.abort();
      await client?.end().catch(() => {});
      await running;
    },
  };
};
