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
import { EventStoreUnavailable } from '#domain/event-store.ts';
import { backOff, within } from '../retry.ts';

/** Answers of a server that is well: asking again would change nothing. */
const REFUSALS = [
  WrongExpectedVersionError,
  StreamNotFoundError,
  StreamDeletedError,
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
];
/** gRPC: invalid argument, permission denied, unauthenticated. */
const REFUSAL_CODES: readonly unknown[] = [3, 7, 16];

/** Whether the server said no, as opposed to nothing. With the server away, the client throws raw gRPC errors too. */
export const isRefusal = (error: unknown): boolean =>
  REFUSALS.some((refusal) => error instanceof refusal) || (error instanceof Error && 'code' in error && REFUSAL_CODES.includes(error.code));

/**
 * Whether this may say that no record begins at the position that was asked for. Its words differ from version to version, so they are not
 * looked at: 23.10 has an unknown error (gRPC code 2) for reads and subscriptions, 24.10 an invalid argument (3) for subscriptions.
 */
export const mayBeNoPlace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 2 || error.code === 3);

/** In a cluster a follower may not have yet what the leader has confirmed, whichever node the connection string prefers. */
export const AT_LEADER = { requiresLeader: true } as const;

/** What a connection string leaves open. A silent node is noticed in seconds, and is asked about the cluster (`gossip`, s) for one alone. */
const DEFAULTS = { keepAliveInterval: 10_000, keepAliveTimeout: 3_000, gossipTimeout: 1 };

const withDefaults = (connectionString: string): string => {
  const named = new Set([...connectionString.matchAll(/[?&]([^=&?]+)=/g)].map(([, name = '']) => name.toLowerCase().replace(/[_-]/g, '')));
  const missing = Object.entries(DEFAULTS).filter(([name]) => !named.has(name.toLowerCase()));
  const bare = connectionString.trim().replace(/\/+$/, '');
  return missing.reduce((text, [name, value]) => `${text}${text.includes('?') ? '&' : '?'}${name}=${value}`, bare);
};

/**
 * The user that appends name in each call, since the client makes a call of its own for those alone. It would send all others through one
 * stream, which has no deadline and keeps its waiting calls in one table for all clients of a process: an error on the stream of a client
 * that was given up rejects the appends of its successor, and their late answers then throw where nobody can catch. Over an insecure
 * connection a user is not sent.
 */
const userIn = (connectionString: string): Credentials => {
  const [, username = '', password = ''] = /^[^:]+:\/\/([^:@/?]+):([^@/?]+)@/.exec(connectionString.trim()) ?? [];
  if (username === '' && !/[?&]tls=false\b/i.test(connectionString)) throw new Error('Over TLS the connection string names a user');
  return { username: decodeURIComponent(username) || 'nobody', password: decodeURIComponent(password) };
};

type Question<Answer> = (client: EventStoreDBClient) => Promise<Answer>;

export type EventStoreDbConnection = {
  /** For appends. */
  readonly credentials: Credentials;
  /** How long one attempt at a question may take, in ms; a subscription may be silent for so long. */
  readonly attemptWithin: number;
  /** The client of the moment. */
  current(): EventStoreDBClient;
  /** Gives up a client that does not answer: what it still waits for may hang for ever. */
  replace(unanswering: EventStoreDBClient): void;
  /**
   * Asks until there is an answer or a refusal. Throws `EventStoreUnavailable` in the end. Only for what may be asked twice. A question whose
   * answer arrives in parts may keep its `own` time: it throws `EventStoreUnavailable` itself when it has waited too long.
   */
  ask<Answer>(question: Question<Answer>, time?: 'own'): Promise<Answer>;
  /** The same for a question that begins at a position of the log; `undefined` when no record begins there. */
  askAt<Answer>(question: Question<Answer>, time?: 'own'): Promise<Answer | undefined>;
  close(): Promise<void>;
};

/** A cluster has a new leader five seconds after the old one fell silent, and the attempt under way then must not last much longer. */
const LONGEST_ATTEMPT = 2_000;

/** `answerWithin` is for a question in all, in ms. */
export const openConnection = (connectionString: string, answerWithin: number): EventStoreDbConnection => {
  const credentials = userIn(connectionString);
  const connect = () => EventStoreDBClient.connectionString(withDefaults(connectionString));
  const attemptWithin = Math.min(answerWithin / 2, LONGEST_ATTEMPT);
  let client = connect();
  let isClosed = false;
  const disposed = new WeakSet<EventStoreDBClient>();

  /** Cancels everything that is asked of a client. Not awaited anywhere: on a stalled server it hangs. */
  const dispose = (old: EventStoreDBClient): void => {
    disposed.add(old);
    old.dispose().catch(() => {});
  };
  const replace = (unanswering: EventStoreDBClient): void => {
    if (unanswering !== client || isClosed) return;
    client = connect();
    // It may still answer others: by then each of them has its answer, or is late too.
    setTimeout(dispose, attemptWithin, unanswering).unref();
  };

  const attempt = async <Answer>(question: Question<Answer>, time?: 'own'): Promise<Answer> => {
    if (isClosed) throw new Error('The event store is closed');
    const asked = client;
    const late = () => new EventStoreUnavailable(`EventStoreDB did not answer in ${attemptWithin} ms`);
    try {
      const answer = await (time === 'own' ? question(asked) : within(attemptWithin, late, question(asked)));
      // The library ends a read that is cancelled as if what had arrived were all there is.
      if (disposed.has(asked)) throw new EventStoreUnavailable('An answer of EventStoreDB was cut short');
      return answer;
    } catch (error) {
      if (error instanceof EventStoreUnavailable) replace(asked);
      throw error;
    }
  };

  const askUntil = async <Answer>(isAnswer: (error: unknown) => boolean, question: Question<Answer>, time?: 'own'): Promise<Answer> => {
    const deadline = performance.now() + answerWithin;
    for (let tried = 1; ; tried++) {
      try {
        return await attempt(question, time);
      } catch (cause) {
        if (isAnswer(cause) || isClosed) throw cause;
        if (performance.now() >= deadline) throw new EventStoreUnavailable('EventStoreDB does not answer', { cause });
        await backOff(tried);
      }
    }
  };
  const ask = <Answer>(question: Question<Answer>, time?: 'own') => askUntil(isRefusal, question, time);

  return {
    credentials,
    attemptWithin,
    current: () => client,
    replace,
    ask,
    askAt: async (question, time) => {
      // An error that may pass is one of the position when it comes twice and the server answers another question in between.
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
    close: async () => {
      isClosed = true;
      dispose(client);
    },
  };
};

export const lastOf = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> => {
  let last: Item | undefined;
  for await (const item of items) last = item;
  return last;
};

/** The last record of the log, of whichever stream; undefined when there is none. */
export const newest = (client: EventStoreDBClient): Promise<AllStreamResolvedEvent | undefined> =>
  lastOf(client.readAll({ ...AT_LEADER, direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
