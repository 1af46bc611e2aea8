import { logPosition, NO_STREAM, START, type Category, type EventStore, type LogPosition, type Recorded } from '#domain/event-store.ts';
import { afterConflict } from '../append-conflict.ts';
import { computeHead } from '../chain.ts';
import type { EventCodec } from '../codec/codec.ts';
import { openAnnouncements } from './log-announcements.ts';
import { LogReplaced, logReader, type TailSource } from '../log-reader.ts';
import { groupCommit } from './postgres-append.ts';
import { askWithin, openPool } from './postgres-connections.ts';
import { storedRows } from './postgres-rows.ts';
import { streamCategories, isWholeLog, type StoredEvent, type StoredLog } from '../stored-event.ts';
import { polledTail } from '../polled-tail.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';

export type PostgresEventStoreOptions = {
  readonly connectionString: string;
  readonly codec: EventCodec;
  /** A call throws `EventStoreUnavailable` after this many ms. */
  readonly answerWithin?: number;
  /** More appends than this are refused while they would wait in the queue. */
  readonly capacity?: number;
  /** The function is called after each commit with the number of its appends, including refused ones. */
  readonly onCommit?: (appends: number) => void;
};

/** The log lacks events: its positions have no gaps. */
export class LogIncomplete extends Error {
  override readonly name = 'LogIncomplete';
  constructor(readonly missing: LogPosition) {
    super(`The log has no event at position ${missing}`);
  }
}

/** One of the readers listens. */
const READERS = 5;
const WRITERS = 1;
export const LOG_CONNECTIONS = READERS + WRITERS;
/** The tail is read this often in ms without a wake signal, and two reads under low load are this far apart. */
const TAIL = { pollEvery: 1_000, apart: 10 };

/**
 * Opens the event store in the schema `log`. Appends that arrive together share a commit. A lost connection is replaced and its requests
 * are resent, which is safe: an append recognises its own events by their hash.
 */
export const openPostgresEventStore = async (options: PostgresEventStoreOptions): Promise<EventStore & StoredLog> => {
  const { connectionString, codec, answerWithin = 10_000, capacity = 10_000, onCommit = () => {} } = options;
  const readers = openPool(connectionString, READERS, answerWithin, false);
  const writers = openPool(connectionString, WRITERS, answerWithin);
  const rows = storedRows(readers, answerWithin);
  const appended = new WakeSignal();
  const announcements = openAnnouncements({
    pool: readers,
    ask: (query) => askWithin(readers, answerWithin, query),
    onAppended: () => appended.notify(),
  });

  const commits = groupCommit({
    pool: writers,
    answerWithin,
    capacity,
    onCommit: (outcomes) => {
      onCommit(outcomes.length);
      if (!outcomes.some(({ written }) => written)) return;
      appended.notify();
      announcements.announce();
    },
  });

  const readPage = async (after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly Recorded[]> => {
    const stored = await rows.page(after, limit, categories);
    if (isWholeLog(categories)) expectNoGap(after, stored);
    return codec.open(stored);
  };

  /** Reads each page with the event before it: after a failover, the standby may lack the last events that were read. */
  const tailPages = () => {
    let lastId: string | undefined;
    return async (after: LogPosition, limit: number): Promise<readonly Recorded[]> => {
      if (after === START) return readPage(START, limit, streamCategories);
      const [last, ...stored] = await rows.page(logPosition(after - 1n), limit + 1, streamCategories);
      if (last?.position !== after || last.eventId !== (lastId ?? last.eventId)) throw new LogReplaced(after);
      expectNoGap(after, stored);
      const page = await codec.open(stored);
      lastId = (stored.at(-1) ?? last).eventId;
      return page;
    };
  };

  const tail: TailSource['tail'] = (after, until) => polledTail({ page: tailPages(), appended, ...TAIL }, after, until);
  const reader = logReader({ page: readPage, end: rows.end, tail });

  const close = async (): Promise<void> => {
    await commits.drained();
    await announcements.close();
    await Promise.all([readers.end(), writers.end()]);
  };

  // If the store cannot be read, opening fails and leaves no connections.
  await rows.head([]).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    read: async (stream, after = NO_STREAM) => {
      const stored = await rows.whole(stream, after.revision);
      // The events were appended to this stream, which the caller types as `Event`.
      return { events: (await codec.open(stored)) as never, head: computeHead(stored, after) };
    },
    append: async (stream, expected, events, metadata) => {
      const sealed = await codec.seal(stream, expected, events, metadata);
      const outcome = await commits.append({ stream, expected, events: sealed.events });
      if (outcome.written) return { position: outcome.position, head: sealed.head, repeated: false };
      return afterConflict({ stream, expected, sealed, command: metadata }, outcome.actual, rows.stream);
    },
    page: readPage,
    follow: reader.follow,
    at: async (position) => {
      const stored = await rows.at(position);
      return stored && (await codec.open([stored])).at(0);
    },
    head: rows.head,
    storedStream: (stream, after = NO_STREAM.revision, limit = 1_000) => rows.stream(stream, after, limit),
    storedPage: rows.page,
    storedStreams: rows.byStream,
    seals: rows.seals,
    sealedHead: rows.sealedHead,
    close,
  };
};

const expectNoGap = (after: LogPosition, page: readonly StoredEvent[]): void => {
  const expected = logPosition(after + BigInt(page.length));
  if (page.length === 0 || page.at(-1)?.position === expected) return;
  const index = page.findIndex((event, place) => event.position !== after + BigInt(place + 1));
  throw new LogIncomplete(logPosition(after + BigInt(index + 1)));
};
