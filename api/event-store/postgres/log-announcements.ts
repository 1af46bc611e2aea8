import pg from 'pg';
import { backOff } from '../retry.ts';

const CHANNEL = 'log_appended';
/** In ms: under load one notification stands for many appends. */
const APART = 10;

type Parts = {
  readonly connectionString: string;
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
export const openAnnouncements = ({ connectionString, ask, onAppended }: Parts): Announcements => {
  const myself = crypto.randomUUID();
  const listener = listen(connectionString, (sender) => sender !== myself && onAppended(), onAppended);

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
      await listener.close();
    },
  };
};

/** Listens on a dedicated connection, and on a new one when that breaks; calls `onListening` each time. */
const listen = (connectionString: string, onPayload: (payload: string) => void, onListening: () => void) => {
  const leave = new AbortController();
  let client: pg.Client | undefined;

  const session = async (): Promise<void> => {
    client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5_000, application_name: 'event-store-listener' });
    const ended = new Promise<void>((resolve) => {
      // A cut connection emits up to two errors; one without a listener would end the process.
      client?.on('end', resolve).on('error', () => resolve());
    });
    client.on('notification', ({ payload = '' }) => onPayload(payload));
    // `connect` never settles if the client is ended meanwhile.
    const isConnected = await Promise.race([client.connect().then(() => true), ended.then(() => false)]);
    if (!isConnected) return;
    await client.query(`listen ${CHANNEL}`);
    onListening();
    await ended;
  };
  const running = (async () => {
    for (let attempt = 1; !leave.signal.aborted; attempt++) {
      const began = performance.now();
      await session().catch(() => {}); // The error does not matter: it retries, and followers poll meanwhile.
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
