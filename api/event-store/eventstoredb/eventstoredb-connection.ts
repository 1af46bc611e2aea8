import {
  AccessDeniedError,
  BACKWARDS,
  END,
  EventStoreDBClient,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type AllStreamResolvedEvent,
  type Credentials,
} from '@eventstore/db-client';
import { EventStoreUnavailable, WrongHead } from '#domain/event-store.ts';
import { findLeader, createNodes } from './eventstoredb-nodes.ts';
import { backOff, withTimeout } from '../../platform/retry.ts';

/** A healthy server throws these errors, so that retrying would not help. */
const REFUSALS = [
  WrongExpectedVersionError,
  WrongHead,
  StreamNotFoundError,
  StreamDeletedError,
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
];
/** These gRPC codes mean invalid argument, permission denied, and unauthenticated. */
const REFUSAL_CODES: readonly unknown[] = [3, 7, 16];

/**
 * Returns whether the server refused a call, as opposed to not responding. If the server is unreachable, the client throws raw gRPC errors
 * too.
 */
export const isRefusal = (error: unknown): boolean =>
  REFUSALS.some((refusal) => error instanceof refusal) || (error instanceof Error && 'code' in error && REFUSAL_CODES.includes(error.code));

/**
 * Returns whether the error may mean that no record begins at the requested position. Only the code counts, since texts differ between
 * versions: 23.10 reports an unknown error (gRPC code 2) for reads and subscriptions, 24.10 an invalid argument (3) for subscriptions.
 */
export const mayBeNoPlace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 2 || error.code === 3);

/** A follower may lag behind what the leader has confirmed, whichever node the connection string prefers. */
export const AT_LEADER = { requiresLeader: true } as const;

/** A silent node is noticed within seconds, and gossip about a name for discovery times out after one second (its unit is s). */
const DEFAULTS = { keepAliveInterval: 10_000, keepAliveTimeout: 3_000, gossipTimeout: 1 };

const withDefaults = (connectionString: string): string => {
  const named = new Set([...connectionString.matchAll(/[?&]([^=&?]+)=/g)].map(([, name = '']) => name.toLowerCase().replace(/[_-]/g, '')));
  const missing = Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase()));
  const bare = connectionString.trim().replace(/\/+$/, '');
  return missing.reduce((text, [name, value]) => `${text}${text.includes('?') ? '&' : '?'}${name}=${value}`, bare);
};

/**
 * Reads the credentials for each append: with credentials the client makes a separate call. Without them all appends share one stream
 * without a deadline, whose pending calls are shared by all clients of a process: an error on a discarded client's stream rejects its
 * successor's appends, and late responses then throw errors that cannot be caught. Insecure connections do not send credentials.
 */
const parseUser = (connectionString: string): Credentials => {
  const [, username = '', password = ''] = /^[^:]+:\/\/([^:@/?]+):([^@/?]+)@/.exec(connectionString.trim()) ?? [];
  if (username === '' && !/[?&]tls=false\b/i.test(connectionString)) throw new Error('A connection string with TLS must name a user');
  return { username: decodeURIComponent(username) || 'nobody', password: decodeURIComponent(password) };
};

type Question<Answer> = (client: EventStoreDBClient) => Promise<Answer>;

export type EventStoreDbConnection = ReturnType<typeof openConnection>;

/** Calls succeed within five seconds after a cluster has a new leader, so that the current attempt must not last much longer. */
const LONGEST_ATTEMPT = 2_000;

/** `answerWithin` is the time in ms for a call with its retries. */
export const openConnection = (connectionString: string, answerWithin: number) => {
  const credentials = parseUser(connectionString);
  const nodes = createNodes(withDefaults(connectionString));
  const clients = new Map<string, EventStoreDBClient>();
  const createClient = (node: string): EventStoreDBClient => {
    const known = clients.get(node) ?? EventStoreDBClient.connectionString(nodes.connectionStringOf(node));
    clients.set(node, known);
    return known;
  };
  const attemptWithin = Math.min(answerWithin / 2, LONGEST_ATTEMPT);
  let node = nodes.first;
  let client = createClient(node);
  let isClosed = false;
  const disposed = new WeakSet<EventStoreDBClient>();

  /** The result is never awaited, because it hangs on a stalled server. */
  const dispose = (old: EventStoreDBClient): void => {
    disposed.add(old);
    old.dispose().catch(() => {});
  };
  const moveOn = (from: EventStoreDBClient, error: unknown): void => {
    if (from !== client || isClosed) return;
    const leader = findLeader(error);
    if (leader !== undefined || error instanceof EventStoreUnavailable) {
      // Its pending calls may hang for ever, and the library itself connects it to the leader.
      clients.delete(node);
      // Its other calls have finished or timed out by then.
      setTimeout(dispose, attemptWithin, from).unref();
    }
    node = nodes.after(node, leader);
    client = createClient(node);
  };

  const attempt = async <Answer>(asked: EventStoreDBClient, question: Question<Answer>, time?: 'own'): Promise<Answer> => {
    const late = () => new EventStoreUnavailable(`EventStoreDB did not answer in ${attemptWithin} ms`);
    const answer = await (time === 'own' ? question(asked) : withTimeout(attemptWithin, late, question(asked)));
    // The library ends a cancelled read as if it were complete.
    if (disposed.has(asked)) throw new EventStoreUnavailable('A response of EventStoreDB was cut short');
    if (asked === client) nodes.answered(node);
    return answer;
  };

  const askUntil = async <Answer>(isAnswer: (error: unknown) => boolean, question: Question<Answer>, time?: 'own'): Promise<Answer> => {
    const deadline = performance.now() + answerWithin;
    for (let tried = 1; ; tried++) {
      if (isClosed) throw new Error('The event store is closed');
      const asked = client;
      try {
        return await attempt(asked, question, time);
      } catch (cause) {
        if (isAnswer(cause) || isClosed) throw cause;
        moveOn(asked, cause);
        if (performance.now() >= deadline) throw new EventStoreUnavailable('EventStoreDB does not answer', { cause });
        // The pause comes after all nodes were tried, because the next one may answer immediately.
        if (tried % nodes.count === 0) await backOff(tried / nodes.count);
      }
    }
  };
  /**
   * Retries until there is a result or a refusal, and finally throws `EventStoreUnavailable`. The call must be idempotent. If `time` is
   * `own`, a call whose result arrives in parts has its own timeout and throws `EventStoreUnavailable` itself.
   */
  const ask = <Answer>(question: Question<Answer>, time?: 'own') => askUntil(isRefusal, question, time);

  return {
    credentials,
    /** An attempt may take this many ms, and a subscription may be silent for as long. */
    attemptWithin,
    current: (): EventStoreDBClient => client,
    /** Discards a client that does not respond. */
    replace: (unanswering: EventStoreDBClient): void => moveOn(unanswering, new EventStoreUnavailable('EventStoreDB is silent')),
    ask,
    /** Makes a call that starts at a position. Returns `undefined` when no record begins there. */
    askAt: async <Answer>(question: Question<Answer>, time?: 'own'): Promise<Answer | undefined> => {
      // The error is about the position if it occurs twice and the server answers another call in between.
      for (let isSure = false; ; isSure = true) {
        try {
          return await askUntil((error) => isRefusal(error) || mayBeNoPlace(error), question, time);
        } catch (error) {
          if (!mayBeNoPlace(error) || isClosed) throw error;
          if (isSure) return undefined;
          await ask(newest);
        }
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      for (const each of clients.values()) dispose(each);
    },
  };
};

export const readLast = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> => {
  let last: Item | undefined;
  for await (const item of items) last = item;
  return last;
};

/** Returns the log's last record, of any stream. */
export const newest = (client: EventStoreDBClient): Promise<AllStreamResolvedEvent | undefined> =>
  readLast(client.readAll({ ...AT_LEADER, direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
