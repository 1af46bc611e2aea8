import { logPosition, NO_STREAM, START, type Category, type EventStore, type LogPosition, type StreamName } from '#domain/event-store.ts';
import { afterConflict } from '../append-conflict.ts';
import { computeHead } from '../chain.ts';
import type { EventCodec } from '../codec/codec.ts';
import { logReader } from '../log-reader.ts';
import { streamCategories, parseCategory, type SealedEvent, type StoredEvent, type StoredLog } from '../stored-event.ts';
import { polledTail } from '../polled-tail.ts';
import { WakeSignal } from '#projections/follower/wake-signal.ts';
import { shopCodec } from './test-codec.ts';

const POLL_MS = 1_000;

/** Keeps events in memory, through the same codec as the other stores, for tests. */
export const memoryEventStore = ({ codec = shopCodec() }: { codec?: EventCodec } = {}): EventStore & StoredLog => {
  const log: StoredEvent[] = [];
  const streams = new Map<StreamName, StoredEvent[]>();
  const appended = new WakeSignal();

  const listEvents = (stream: StreamName): StoredEvent[] => {
    const events = streams.get(stream) ?? [];
    streams.set(stream, events);
    return events;
  };

  const keep = (events: readonly SealedEvent[]): void => {
    for (const event of events) {
      const stored = { ...event, position: logPosition(BigInt(log.length + 1)) };
      log.push(stored);
      listEvents(event.stream).push(stored);
    }
  };

  /** Positions are indexes plus one. */
  const readPage = (after: LogPosition, limit: number, categories: readonly Category[]): StoredEvent[] => {
    const page: StoredEvent[] = [];
    for (let index = Number(after); index < log.length && page.length < limit; index++) {
      const event = log[index];
      if (event && categories.includes(parseCategory(event.stream))) page.push(event);
    }
    return page;
  };

  const page: EventStore['page'] = async (after, limit, categories) => codec.open(readPage(after, limit, categories));
  const reader = logReader({
    page,
    end: async () => log.at(-1)?.position ?? START,
    tail: (after, until) =>
      polledTail({ page: (from, limit) => page(from, limit, streamCategories), appended, pollEvery: POLL_MS, apart: 0 }, after, until),
  });

  const storedStream: StoredLog['storedStream'] = async (stream, after = NO_STREAM.revision, limit = 1_000) =>
    listEvents(stream).slice(Math.max(0, after + 1), after + 1 + limit);

  return {
    read: async (stream, after = NO_STREAM) => {
      const stored = listEvents(stream).slice(after.revision + 1);
      // The events were appended to this stream, which the caller types as `Event`.
      return { events: (await codec.open(stored)) as never, head: computeHead(stored, after) };
    },

    append: async (stream, expected, events, metadata) => {
      const sealed = await codec.seal(stream, expected, events, metadata);
      const head = computeHead(listEvents(stream));
      if (head.revision !== expected.revision || head.hash !== expected.hash)
        return afterConflict({ stream, expected, sealed, command: metadata }, head.revision, storedStream);
      keep(sealed.events);
      appended.notify();
      return { position: logPosition(BigInt(log.length)), head: sealed.head, repeated: false };
    },

    page,
    follow: reader.follow,
    at: async (position) => (await codec.open(log.slice(Number(position) - 1, Number(position)))).at(0),
    head: async (categories) => log.findLast((event) => categories.includes(parseCategory(event.stream)))?.position ?? START,
    storedStream,
    storedPage: async (after, limit, categories) => readPage(after, limit, categories),
    close: async () => {},
  };
};
