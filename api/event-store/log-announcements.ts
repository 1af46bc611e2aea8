import pg from 'pg';
import type { Category } from '#domain/event-store.ts';
import { paced } from './paced.ts';
import { backOff } from './patience.ts';
import { categories } from './stored-event.ts';

const CHANNEL = 'log_appended';
/** Instead of categories: somebody waits for what follows from what was appended. */
const HURRY = 'hurry';

type Parts = {
  readonly connectionString: string;
  readonly ask: (query: pg.QueryConfig) => Promise<unknown>;
  /** Something was appended by another process, or may have been while nobody listened. */
  readonly onAppended: (rung: readonly Category[]) => void;
  /** Somebody in another process waits for what follows from it. */
  readonly onHurry: () => void;
};

export type Announcements = {
  /** Tells the other processes of so many appends. A notification lost is made good by their polling. */
  announce(appended: Iterable<Category>, times: number): void;
  /** Tells them that somebody waits for what they do about what was appended, and about what was announced. */
  hurry(): void;
  close(): Promise<void>;
};

/**
 * Wakes followers in other processes. The NOTIFY goes out after the commit and apart from it: inside, it would make commits
 * queue for a lock of the whole server.
 */
export const openAnnouncements = ({ connectionString, ask, onAppended, onHurry }: Parts): Announcements => {
  const myself = crypto.randomUUID();
  const listener = listen(
    connectionString,
    (payload) => {
      const [sender, ...rung] = payload.split(' ');
      if (sender === myself) return;
      const appended = categories.filter((category) => rung.includes(category));
      if (appended.length > 0) onAppended(appended);
      if (rung.includes(HURRY)) onHurry();
    },
    () => onAppended(categories),
  );

  const pending = new Set<Category | typeof HURRY>();
  const telling = paced(() => {
    const payload = [myself, ...pending].join(' ');
    pending.clear();
    ask({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, payload] }).catch(() => {
      // Whoever would have heard it polls.
    });
  });

  return {
    announce: (appended, times) => {
      for (const category of appended) pending.add(category);
      if (pending.size > 0) telling.ring(times);
    },
    hurry: () => {
      pending.add(HURRY);
      telling.ringAgain();
      telling.hurry();
    },
    close: async () => {
      telling.stop();
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
