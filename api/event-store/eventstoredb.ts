import {
  jsonEvent,
  NO_STREAM as EXPECT_NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
  type JSONType,
} from '@eventstore/db-client';
import {
  NO_STREAM,
  type Appended,
  type Cancellation,
  type CommandMetadata,
  type EventStore,
  type LogPosition,
  type Revision,
  type StreamHead,
  type StreamName,
} from '#domain/event-store.ts';
import type { EventCodec, Sealed } from './codec.ts';
import { openConnection } from './eventstoredb-connection.ts';
import { followStored } from './eventstoredb-follow.ts';
import { naming } from './eventstoredb-names.ts';
import { AT_LEADER, eventStoreDbReading } from './eventstoredb-reading.ts';
import { headOf } from './chain.ts';
import { logReader, type Stretch } from './log-reader.ts';
import { outlasting } from './patience.ts';
import { earlierAnswer, MOST_OF_A_COMMAND } from './retried-append.ts';
import { categories, type SealedEvent, type StoredEvent, type StoredLog } from './stored-event.ts';

export type EventStoreDbOptions = {
  /** `esdb://…`, as EventStoreDB documents it. The user in it must be allowed to read `$all`. */
  readonly connectionString: string;
  readonly codec: EventCodec;
  /** What the names of our streams begin with, so that a server may be shared. */
  readonly streamPrefix?: string;
  /** How long a call may take before it fails with `EventStoreUnavailable`, in ms. */
  readonly answerWithin?: number | undefined;
  /** How often a follower compares what arrived with the head of the log, in ms. A silent subscription is replaced after two looks. */
  readonly watchEvery?: number;
};

/** Somebody truncated or deleted a stream of the shop on the server: what is left of it is not its history, and nothing is decided on that. */
export class StreamIncomplete extends Error {
  override readonly name = 'StreamIncomplete';
  constructor(stream: StreamName, what: string) {
    super(`${stream} ${what} in EventStoreDB`);
  }
}

const truncated = (stream: StreamName, expected: Revision, found: Revision): StreamIncomplete =>
  new StreamIncomplete(stream, `goes on at revision ${found}, not ${expected}: it was truncated or deleted`);

/** Of a stream with a tombstone the server tells nothing, and takes nothing for it, ever again. */
const nameTombstone =
  (stream: StreamName) =>
  (error: unknown): never => {
    throw error instanceof StreamDeletedError ? new StreamIncomplete(stream, 'was deleted for ever') : error;
  };
const noneOfTombstone = (error: unknown): readonly [] => {
  if (error instanceof StreamDeletedError) return [];
  throw error;
};

const expectWhole = (stream: StreamName, { revision: after }: StreamHead, stored: readonly StoredEvent[]): void => {
  const at = stored.findIndex(({ revision }, index) => revision !== after + 1 + index);
  const found = stored[at];
  if (found) throw truncated(stream, after + 1 + at, found.revision);
};

/** JSON, whatever it is: what the codec wrote. */
const parsed = (text: string): JSONType => JSON.parse(text);

const toEventData = ({ eventId: id, type, data, metadata }: SealedEvent) =>
  jsonEvent({ id, type, data: parsed(data), metadata: parsed(metadata) });

/** The event store on EventStoreDB 24.10, through `$all` filtered by stream names: no system projection is needed. */
export const openEventStoreDb = (options: EventStoreDbOptions): EventStore & StoredLog => {
  const { connectionString, codec, streamPrefix = '', answerWithin = 10_000, watchEvery = 5_000 } = options;
  const connection = openConnection(connectionString, answerWithin);
  const names = naming(streamPrefix);
  const reading = eventStoreDbReading(connection, names, answerWithin);

  /** Undefined when the events are in, else where the stream was instead. */
  const send = async (stream: StreamName, expected: StreamHead, events: readonly SealedEvent[]): Promise<number | undefined> => {
    const expectedRevision = expected.revision < 0 ? EXPECT_NO_STREAM : BigInt(expected.revision);
    try {
      // With an expected revision, the same ids at the same place are an idempotent success: it may be asked again.
      await connection.ask((client) =>
        client.appendToStream(names.nameOf(stream), events.map(toEventData), {
          ...AT_LEADER,
          expectedRevision,
          // Longer than is waited for it: who does not answer in time is found out by `ask`, and given up.
          deadline: answerWithin,
        }),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      return typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : NO_STREAM.revision;
    }
  };

  const append = async (stream: StreamName, expected: StreamHead, sealed: Sealed, command: CommandMetadata): Promise<Appended> => {
    const actual = await send(stream, expected, sealed.events);
    const isThere = actual === undefined || actual > expected.revision;
    const there = isThere ? await reading.stream(stream, expected.revision, MOST_OF_A_COMMAND) : [];
    expectWhole(stream, expected, there);
    return earlierAnswer({ stream, expected, sealed, command, there, actual: actual ?? expected.revision + there.length });
  };

  const page: EventStore['page'] = async (after, limit, categories) => codec.open(await reading.page(after, limit, categories));

  async function* tail(after: LogPosition, until: Cancellation): AsyncGenerator<Stretch, void, undefined> {
    const following = { connection, names, reading, watchEvery };
    for await (const stored of followStored(following, after, categories, until)) {
      let readAt = 0;
      const events = await outlasting(until, () => {
        readAt = performance.now();
        return codec.open(stored);
      });
      const position = stored.at(-1)?.position;
      if (events && position !== undefined) yield { events, position, readAt };
    }
  }
  const reader = logReader({ page, tail, end: () => reading.head(categories) });

  return {
    read: async (stream, after = NO_STREAM) => {
      const stored = await reading.stream(stream, after.revision).catch(nameTombstone(stream));
      expectWhole(stream, after, stored);
      // The codec gives back what was appended to this stream, which is what its reader names as `Event`.
      return { events: (await codec.open(stored)) as never, head: headOf(stored, after) };
    },
    append: async (stream, expected, events, metadata) => {
      const sealed = await codec.seal(stream, expected, events, metadata);
      return append(stream, expected, sealed, metadata).catch(nameTombstone(stream));
    },
    page,
    follow: reader.follow,
    at: async (position) => {
      const stored = await reading.at(position);
      return stored && (await codec.open([stored])).at(0);
    },
    head: reading.head,
    storedStream: (stream, after = NO_STREAM.revision, limit = 1_000) => reading.stream(stream, after, limit).catch(noneOfTombstone),
    storedPage: reading.page,
    close: connection.close,
  };
};
