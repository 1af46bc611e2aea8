import {
  jsonEvent,
  NO_STREAM as EXPECT_NO_STREAM,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type JSONType,
} from '@eventstore/db-client';
import {
  logPosition,
  NO_STREAM,
  type Appended,
  type Cancellation,
  type CommandMetadata,
  type EventStore,
  type LogPosition,
  type Revision,
  type StreamHead,
  type StreamName,
  StreamIncomplete,
} from '#domain/event-store.ts';
import { sleep } from '#projections/follower/clock.ts';
import { afterConflict } from '../append-conflict.ts';
import { computeHead } from '../chain.ts';
import type { EventCodec, Sealed } from '../codec/codec.ts';
import { AT_LEADER, openConnection } from './eventstoredb-connection.ts';
import { followStored, knownHeads } from './eventstoredb-follow.ts';
import { naming } from './eventstoredb-names.ts';
import { eventStoreDbReading } from './eventstoredb-reading.ts';
import { logReader, retryUntilAvailable, type LogBatch } from '../log-reader.ts';
import { backOff } from '../../platform/retry.ts';
import { streamCategories, type SealedEvent, type StoredEvent, type StoredLog } from '../stored-event.ts';

export type EventStoreDbOptions = {
  /** The connection string begins with `esdb://`, as documented by EventStoreDB. The user must be allowed to read `$all`. */
  readonly connectionString: string;
  readonly codec: EventCodec;
  /** Separates the shop's streams on a shared server. */
  readonly streamPrefix?: string;
  /** A call throws `EventStoreUnavailable` after this many ms. */
  readonly answerWithin?: number | undefined;
  /** A follower compares its position with the head of the log after this many ms. A subscription that was silent twice is replaced. */
  readonly watchEvery?: number;
};

/**
 * Two pages of the tail are this many ms apart. Events arrive one by one: under load each page has several and wakes the followers once.
 */
const PAGES_APART = 10;

/** No event has a position after this one. */
const AFTER_ALL = logPosition(2n ** 63n - 1n);

/** The codec wrote the text, so it is JSON. */
const parsed = (text: string): JSONType => JSON.parse(text);

const toEventData = ({ eventId: id, type, data, metadata }: SealedEvent) =>
  jsonEvent({ id, type, data: parsed(data), metadata: parsed(metadata) });

/** Opens an event store on EventStoreDB 23.10 or 24.10. It reads `$all` filtered by stream name, so that it needs no system projection. */
export const openEventStoreDb = (options: EventStoreDbOptions): EventStore & StoredLog => {
  const { connectionString, codec, streamPrefix = '', answerWithin = 10_000, watchEvery = 5_000 } = options;
  const connection = openConnection(connectionString, answerWithin);
  const names = naming(streamPrefix);
  const reading = eventStoreDbReading(connection, names);
  const heads = knownHeads(connection.current);

  /** Appends events. It may be repeated: for the same event ids at the expected revision the server returns the first result again. */
  const send = (stream: StreamName, expected: StreamHead, events: readonly SealedEvent[]) =>
    connection.ask(async (client) => {
      const { revision } = expected;
      // The server compares only revisions.
      if (revision >= 0 && !heads.has(expected)) await reading.expectHead(client, stream, expected);
      return client.appendToStream(names.nameOf(stream), events.map(toEventData), {
        ...AT_LEADER,
        credentials: connection.credentials,
        expectedRevision: revision < 0 ? EXPECT_NO_STREAM : BigInt(revision),
        // The deadline is longer than an attempt of `ask`, which decides when to discard the client.
        deadline: answerWithin,
      });
    });

  /**
   * The server may refuse an append because of another that it has accepted but does not show yet. It shows it a moment later, or never if
   * it lost leadership.
   */
  const eventsUpTo =
    (actual: Revision) =>
    async (stream: StreamName, after: Revision, limit: number): Promise<readonly StoredEvent[]> => {
      const deadline = performance.now() + connection.attemptWithin;
      for (let attempt = 1; ; attempt++) {
        const events = await reading.stream(stream, after, limit);
        if (events.length >= Math.min(limit, actual - after) || performance.now() >= deadline) return events;
        await backOff(attempt);
      }
    };

  const append = async (stream: StreamName, expected: StreamHead, sealed: Sealed, command: CommandMetadata): Promise<Appended> => {
    const conflictAt = (actual: Revision) => afterConflict({ stream, expected, sealed, command }, actual, eventsUpTo(actual));
    try {
      const { nextExpectedRevision, position } = await send(stream, expected, sealed.events);
      const revision = Number(nextExpectedRevision);
      // If no stream is expected, the server accepts an append to a deleted stream, but continues at the revision where the stream ended.
      if (revision !== sealed.head.revision) throw new StreamIncomplete(stream, 'deleted', 0, revision - sealed.events.length);
      return position ? { position: logPosition(position.commit), head: sealed.head, repeated: false } : await conflictAt(revision);
    } catch (error) {
      if (error instanceof StreamDeletedError) throw new StreamIncomplete(stream, 'deleted for ever', 0);
      if (error instanceof StreamNotFoundError) return conflictAt(NO_STREAM.revision);
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const { actualVersion } = error;
      return conflictAt(typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM.revision);
    }
  };

  const page: EventStore['page'] = async (after, limit, categories) => codec.open(await reading.page(after, limit, categories));

  async function* tail(after: LogPosition, until: Cancellation): AsyncGenerator<LogBatch, void, undefined> {
    for await (const stored of followStored({ connection, names, reading, heads, watchEvery }, after, until)) {
      let readAt = 0;
      const events = await retryUntilAvailable(until, () => {
        readAt = performance.now();
        return codec.open(stored);
      });
      const position = stored.at(-1)?.position;
      if (events && position !== undefined) yield { events, position, readAt };
      await sleep(PAGES_APART, until);
    }
  }
  const reader = logReader({ page, tail, end: () => reading.head(streamCategories) });

  const closing = new AbortController();
  let following: Promise<void> | undefined;
  /** Follows the log even without followers, so that a search for a head need not read everything that others have written since. */
  const keepFollowing = async (): Promise<void> => {
    for await (const _ of reader.follow(AFTER_ALL, streamCategories, closing.signal)) break;
  };

  return {
    read: async (stream, after = NO_STREAM) => {
      const during = heads.subscription();
      const stored = await reading.stream(stream, after.revision);
      const head = computeHead(stored, after);
      if (stored.length > 0) heads.keep(head, during);
      // The events were appended to this stream, which the caller types as `Event`.
      return { events: (await codec.open(stored)) as never, head };
    },
    append: async (stream, expected, events, metadata) => {
      const sealed = await codec.seal(stream, expected, events, metadata);
      const during = heads.subscription();
      const appended = await append(stream, expected, sealed, metadata);
      heads.keep(appended.head, during);
      return appended;
    },
    page,
    follow: reader.follow,
    at: async (position) => {
      const stored = await reading.at(position);
      return stored && (await codec.open([stored])).at(0);
    },
    head: async (categories) => {
      const head = await reading.head(categories);
      following ??= keepFollowing()
        .catch(() => {}) // Tries again later: an older log was restored, or the server refuses.
        .finally(() => (following = undefined));
      return head;
    },
    storedStream: (stream, after = NO_STREAM.revision, limit = 1_000) => reading.stream(stream, after, limit),
    storedPage: reading.page,
    cutStreams: reading.cutStreams,
    close: async () => {
      closing.abort();
      await connection.close();
      await following;
    },
  };
};
