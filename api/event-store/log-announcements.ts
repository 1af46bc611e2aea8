import pg from 'pg';
import { backOff } from './patience.ts';

const CHANNEL = 'log_appended';
/** The least time between two notifications, in ms: in a rush one tells of many appends. */
const APART = 10;

type Parts = {
  readonly connectionString: string;
  readonly ask: (query: pg.QueryConfig) => Promise<unknown>;
  /** Something was appended by another process, or may have been while nobody listened. */
  readonly onAppended: () => void;
};

export type Announcements = {
  /** Tells the other processes that something was appended. A notification lost is made good by their polling. */
  announce(): void;
  close(): Promise<void>;
};

/**
 * Wakes followers in other processes. The NOTIFY goes out after the commit and apart from it: inside, it would make commits
 * queue for a lock of the whole server.
 */
export const openAnnouncements = ({ connectionString, ask, onAppended }: Parts): Announcements => {
  const myself = crypto.randomUUID();
  const listener = listen(connectionString, (sender) => sender !== myself && onAppended(), onAppended);

  const telling = throttled(APART, () => {
    ask({ name: 'announce', text: 'select pg_notify($1, $2)', values: [CHANNEL, myself] }).catch(() => {
      // Whoever would have heard it polls.
    });
  });
  return {
    announce: telling.call,
    close: async () => {
      telling.stop();
      await listener.close();
    },
  };
};

/** Calls at once, and then at most every `apart` ms: the last call of a rush is not lost. */
const throttled = (apart: number, work: () => void) => {
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const now = (): void => {
    timer = undefined;
    last = performance.now();
    work();
  };
  return {
    call: (): void => {
      if (timer) return;
      const wait = last + apart - performance.now();
      if (wait <= 0) now();
      else timer = setTimeout(now, wait);
    },
    stop: () => clearTimeout(timer),
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
    // A client that is ended while it connects never comes back from that.
    const isConnected = await Promise.race([client.connect().then(() => true), ended.then(() => false)]);
    if (!isConnected) return;
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
