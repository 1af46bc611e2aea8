import { BACKWARDS, END, FORWARDS, StreamNotFoundError, UnknownError, type AllStreamResolvedEvent } from '@eventstore/db-client';
import {
  EventStoreUnavailable,
  logPosition,
  START,
  type Category,
  type LogPosition,
  type Revision,
  type StreamName,
} from '#domain/event-store.ts';
import { isRefusal, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import { positionOf, type Naming } from './eventstoredb-names.ts';
import { subscribe } from './eventstoredb-subscription.ts';
import { within } from './patience.ts';
import type { StoredEvent } from './stored-event.ts';

export type EventStoreDbReading = {
  stream(stream: StreamName, after: Revision, limit?: number): Promise<readonly StoredEvent[]>;
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;
  at(position: LogPosition): Promise<StoredEvent | undefined>;
  head(categories: readonly Category[]): Promise<LogPosition>;
};

const STRETCH = 500;
/** What a client library that takes 64 bits of count would call all. */
const ALL = Number.MAX_SAFE_INTEGER;

const collected = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
};

/** A position that is not the beginning of a record, as after a backup was restored, is an unknown error to the server. */
const noneIfNoPlace = (error: unknown): [] => {
  if (error instanceof UnknownError || isRefusal(error)) return [];
  throw error;
};

export const eventStoreDbReading = (connection: EventStoreDbConnection, names: Naming, answerWithin: number): EventStoreDbReading => {
  /** Newest event of some categories, and the end of the log when that was looked up. */
  const heads = new Map<string, { head: LogPosition; end: bigint }>();

  const backwardsFrom = (position: bigint | undefined): Promise<readonly AllStreamResolvedEvent[]> =>
    connection.ask(async (client) => {
      const fromPosition = position === undefined ? END : { commit: position, prepare: position };
      return collected(client.readAll({ direction: BACKWARDS, fromPosition, maxCount: STRETCH }));
    });

  /** Backwards from the end of the log to the first event of these categories, or to where an earlier search began. */
  const search = async (categories: readonly Category[], known: { head: LogPosition; end: bigint }) => {
    let end: bigint | undefined;
    for (let from: bigint | undefined; ;) {
      const stretch = await backwardsFrom(from);
      for (const resolved of stretch) {
        const position = positionOf(resolved);
        end ??= position;
        if (position <= known.end) return { head: known.head, end };
        if (names.storedOf(resolved, categories)) return { head: logPosition(position), end };
        from = position;
      }
      if (stretch.length < STRETCH) return { head: known.head, end: end ?? known.end };
    }
  };

  /** The library filters subscriptions only, so a page is the beginning of one; each sign of life gives it more time. */
  const page = async (after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]> => {
    const client = connection.current();
    const toStored = (resolved: AllStreamResolvedEvent) => names.storedOf(resolved, categories);
    const subscription = subscribe({ client, after, prefixes: names.prefixesOf(categories), toStored });
    const events: StoredEvent[] = [];
    const late = () => {
      connection.replace(client);
      return new EventStoreUnavailable('A page of the log does not arrive');
    };
    try {
      while (events.length < limit) {
        events.push(...subscription.take());
        const { isCaughtUp, isOver, error } = subscription.state();
        if (isOver && events.length === 0) throw error ?? new EventStoreUnavailable('A page of the log ended before it began');
        if (isCaughtUp || isOver) break;
        if (events.length < limit) await within(answerWithin / 2, late, subscription.changed());
      }
      events.push(...subscription.take());
      return events.slice(0, limit);
    } finally {
      subscription.cancel();
    }
  };

  return {
    stream: async (stream, after, limit = ALL) =>
      connection.ask(async (client) => {
        const options = { direction: FORWARDS, fromRevision: BigInt(after + 1), maxCount: limit } as const;
        try {
          const resolved = await collected(client.readStream(names.nameOf(stream), options));
          return resolved.flatMap((each) => names.storedOf(each) ?? []);
        } catch (error) {
          if (error instanceof StreamNotFoundError) return [];
          throw error;
        }
      }),

    page: (after, limit, categories) => connection.ask(() => page(after, limit, categories)),

    at: async (position) => {
      if (position === START) return undefined;
      const fromPosition = { commit: position, prepare: position };
      const [resolved] = await connection.ask((client) => collected(client.readAll({ fromPosition, maxCount: 1 })).catch(noneIfNoPlace));
      return resolved && positionOf(resolved) === position ? names.storedOf(resolved) : undefined;
    },

    head: async (categories) => {
      const key = [...categories].sort().join();
      const found = await search(categories, heads.get(key) ?? { head: START, end: 0n });
      heads.set(key, found);
      return found.head;
    },
  };
};
