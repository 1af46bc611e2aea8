import {
  jsonEvent,
  NO_STREAM as EXPECT_NO_STREAM,
  StreamDeletedError,
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
  type StreamHead,
  type StreamName,
} from '#domain/event-store.ts';
import { headOf } from './chain.ts';
import type { EventCodec, Sealed } from './codec.ts';
import { AT_LEADER, openConnection } from './eventstoredb-connection.ts';
import { followStored } from './eventstoredb-follow.ts';
import { naming } from './eventstoredb-names.ts';
import { eventStoreDbReading } from './eventstoredb-reading.ts';
import { logReader, type Stretch } from './log-reader.ts';
import { outlasting } from './patience.ts';
import { earlierAnswer, MOST_OF_A_COMMAND } from './retried-append.ts';
import { categories, StreamIncomplete, type SealedEvent, type StoredLog } from './stored-event.ts';

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

/** JSON, whatever it is: what the codec wrote. */
const parsed = (text: string): JSONType => JSON.parse(text);

const toEventData = ({ eventId: id, type, data, metadata }: SealedEvent) =>
  jsonEvent({ id, type, data: parsed(data), metadata: parsed(metadata) });

/** The event store on EventStoreDB 23.10 or 24.10, through `$all` filtered by stream names: no system projection is needed. */
export const openEventStoreDb = (options: EventStoreDbOptions): EventStore & StoredLog => {
  const { connectionString, codec, streamPrefix = '', answerWithin = 10_000, watchEvery = 5_000 } = options;
  const connection = openConnection(connectionString, answerWithin);
  const names = naming(streamPrefix);
  const reading = eventStoreDbReading(connection, names);

  /** With an expected revision, the ids of this call at the same place are an idempotent success, with the same answer: it may be asked again. */
  const send = (stream: StreamName, expected: StreamHead, events: readonly SealedEvent[]) =>
    connection.ask((client) =>
      client.appendToStream(names.nameOf(stream), events.map(toEventData), {
        ...AT_LEADER,
        credentials: connection.credentials,
        expectedRevision: expected.revision < 0 ? EXPECT_NO_STREAM : BigInt(expected.revision),
        // Longer than is waited for it: who does not answer in time is found out by `ask`, and given up.
        deadline: answerWithin,
      }),
    );

  const conflict = async (
    stream: StreamName,
    expected: StreamHead,
    sealed: Sealed,
    command: CommandMetadata,
    actual: number,
  ): Promise<Appended> => {
    const there = actual > expected.revision ? await reading.stream(stream, expected.revision, MOST_OF_A_COMMAND) : [];
    return earlierAnswer({ stream, expected, sealed, command, there, actual });
  };

  const append = async (stream: StreamName, expected: StreamHead, sealed: Sealed, command: CommandMetadata): Promise<Appended> => {
    try {
      const { nextExpectedRevision, position } = await send(stream, expected, sealed.events);
      const revision = Number(nextExpectedRevision);
      // A deleted stream is none to the server when none is expected, and yet goes on where it was.
      if (revision !== sealed.head.revision) throw new StreamIncomplete(stream, 'deleted', 0, revision - sealed.events.length);
      if (position) return { position: logPosition(position.commit), head: sealed.head, repeated: false };
      return await conflict(stream, expected, sealed, command, revision);
    } catch (error) {
      if (error instanceof StreamDeletedError) throw new StreamIncomplete(stream, 'deleted for ever', 0);
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const { actualVersion } = error;
      return conflict(stream, expected, sealed, command, typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM.revision);
    }
  };

  const page: EventStore['page'] = async (after, limit, categories) => codec.open(await reading.page(after, limit, categories));

  async function* tail(after: LogPosition, until: Cancellation): AsyncGenerator<Stretch, void, undefined> {
    for await (const stored of followStored({ connection, names, reading, watchEvery }, after, until)) {
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
      const stored = await reading.stream(stream, after.revision);
      // The codec gives back what was appended to this stream, which is what its reader names as `Event`.
      return { events: (await codec.open(stored)) as never, head: headOf(stored, after) };
    },
    append: async (stream, expected, events, metadata) => {
      const sealed = await codec.seal(stream, expected, events, metadata);
      return append(stream, expected, sealed, metadata);
    },
    page,
    follow: reader.follow,
    at: async (position) => {
      const stored = await reading.at(position);
      return stored && (await codec.open([stored])).at(0);
    },
    head: reading.head,
    storedStream: (stream, after = NO_STREAM.revision, limit = 1_000) => reading.stream(stream, after, limit),
    storedPage: reading.page,
    cutStreams: reading.cutStreams,
    close: connection.close,
  };
};
