import {
  AccessDeniedError,
  EventStoreDBClient,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { EventStoreUnavailable } from '#domain/event-store.ts';
import { backOff, within } from './patience.ts';

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

/**
 * Whether the server was asked to begin at a position where no record does, as after an older backup was restored. It says so of a read as
 * of an unknown error (2), of a subscription as of an invalid argument (3), and in words alone: other faults have those codes too.
 */
export const isNoPlace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 2 || error.code === 3) && /invalid ?position/i.test(error.message);

/** Whether the server said no, as opposed to nothing. With the server away, the client throws raw gRPC errors too. */
export const isRefusal = (error: unknown): boolean =>
  REFUSALS.some((refusal) => error instanceof refusal) ||
  isNoPlace(error) ||
  (error instanceof Error && 'code' in error && REFUSAL_CODES.includes(error.code));

/**
 * A client that appends by a call of its own for each append. By default it would send all appends of a process through one
 * stream, which has no deadline and keeps its waiting calls in one table for all clients: an error on the stream of a client
 * that was given up rejects the appends of its successor, and their late answers then throw where nobody can catch.
 */
const connect = (connectionString: string): EventStoreDBClient => {
  const client = EventStoreDBClient.connectionString(connectionString);
  return Object.assign(client, { supports: async () => false });
};

export type EventStoreDbConnection = {
  /** The client of the moment. */
  current(): EventStoreDBClient;
  /** Gives up a client that does not answer: what it still waits for may hang for ever. */
  replace(unanswering: EventStoreDBClient): void;
  /**
   * Asks until there is an answer or a refusal. Throws `EventStoreUnavailable` in the end. Only for what may be asked twice. A question whose
   * answer comes bit by bit may keep its own time: it says itself when it has waited too long.
   */
  ask<Answer>(question: (client: EventStoreDBClient) => Promise<Answer>, time?: 'own'): Promise<Answer>;
  isClosed(): boolean;
  close(): Promise<void>;
};

/** `answerWithin` is for a question in all, in ms; a single attempt at it may take half of that. */
export const openConnection = (connectionString: string, answerWithin: number): EventStoreDbConnection => {
  let client = connect(connectionString);
  let isClosed = false;

  /** Given up by somebody, and perhaps still answering others. */
  const retired = new Set<EventStoreDBClient>();
  const ended = new WeakSet<EventStoreDBClient>();

  /** Cancels all that is asked of a client. Not awaited anywhere: on a stalled server it hangs. */
  const end = (old: EventStoreDBClient): void => {
    retired.delete(old);
    ended.add(old);
    old.dispose().catch(() => {});
  };
  const replace = (unanswering: EventStoreDBClient): void => {
    if (unanswering !== client || isClosed) return;
    client = connect(connectionString);
    retired.add(unanswering);
    // By then whatever was asked of it has been answered or is late, too.
    setTimeout(() => end(unanswering), answerWithin).unref();
  };

  const attempt = async <Answer>(question: (client: EventStoreDBClient) => Promise<Answer>, time?: 'own'): Promise<Answer> => {
    if (isClosed) throw new EventStoreUnavailable('The event store is closed');
    const asked = client;
    const late = () => {
      replace(asked);
      return new EventStoreUnavailable(`EventStoreDB did not answer in ${answerWithin / 2} ms`);
    };
    const answer = await (time === 'own' ? question(asked) : within(answerWithin / 2, late, question(asked)));
    // The library ends a read that is cancelled as if what had arrived were all there is.
    if (ended.has(asked)) throw new EventStoreUnavailable('An answer of EventStoreDB was cut short');
    return answer;
  };

  return {
    current: () => client,
    replace,
    ask: async (question, time) => {
      const deadline = performance.now() + answerWithin;
      for (let tried = 1; ; tried++) {
        try {
          return await attempt(question, time);
        } catch (cause) {
          if (isRefusal(cause) || isClosed) throw cause;
          if (performance.now() >= deadline) throw new EventStoreUnavailable('EventStoreDB does not answer', { cause });
          await backOff(tried);
        }
      }
    },
    isClosed: () => isClosed,
    close: async () => {
      isClosed = true;
      for (const each of [client, ...retired]) end(each);
    },
  };
};
