import { BACKWARDS, END, FORWARDS, StreamNotFoundError, type AllStreamResolvedEvent, type EventStoreDBClient } from '@eventstore/db-client';
import {
  EventStoreUnavailable,
  logPosition,
  START,
  type Category,
  type LogPosition,
  type Revision,
  type StreamName,
} from '#domain/event-store.ts';
import { isNoPlace, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import { newestFiltered } from './eventstoredb-filtered.ts';
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

/** Events that a search looks through at once: few at first, since what is looked for is nearly always among the last ones. */
const STRETCH = { first: 20, most: 500 };
/** Of a long stream so much is read at once: each part has time of its own to arrive. */
const STREAM_PAGE = 500;

/** Newest event of some categories, and the end of the log when that was looked up. */
type Known = { readonly head: LogPosition; readonly end: bigint };
type Part = { readonly after: LogPosition; readonly limit: number; readonly categories: readonly Category[] };

const collected = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const noneIfNoPlace = (error: unknown): [] => {
  if (isNoPlace(error)) return [];
  throw error;
};

/** In a cluster a follower may not have yet what the leader has confirmed, whichever node the connection string prefers. */
export const AT_LEADER = { requiresLeader: true } as const;

export const eventStoreDbReading = (connection: EventStoreDbConnection, names: Naming, answerWithin: number): EventStoreDbReading => {
  const heads = new Map<string, Known>();

  const backwardsFrom = (position: bigint | undefined, maxCount: number): Promise<readonly AllStreamResolvedEvent[]> =>
    connection.ask(async (client) => {
      const fromPosition = position === undefined ? END : { commit: position, prepare: position };
      return collected(client.readAll({ ...AT_LEADER, direction: BACKWARDS, fromPosition, maxCount }));
    });

  /** Where the newest event of these categories stands, as the server finds it; however far back that is, one event is sent. */
  const newestOf = (categories: readonly Category[]): Promise<LogPosition> =>
    connection.ask(async (client) => {
      const newest = await newestFiltered(client, names.prefixesOf(categories));
      return newest === undefined ? START : logPosition(newest);
    });

  /** Backwards from the end of the log to the first event of these categories, or to where an earlier search began. */
  const search = async (categories: readonly Category[], known: Known): Promise<Known> => {
    let end: bigint | undefined;
    let from: bigint | undefined;
    for (let size = STRETCH.first; ; size = Math.min(5 * size, STRETCH.most)) {
      const stretch = await backwardsFrom(from, size);
      for (const resolved of stretch) {
        const position = positionOf(resolved);
        end ??= position;
        if (position === known.end) return { head: known.head, end };
        // What was the end of the log is no longer in it: an older log was restored, and nothing that was known of it counts.
        if (position < known.end) return search(categories, await begin(categories));
        if (names.storedOf(resolved, categories)) return { head: logPosition(position), end };
        from = position;
      }
      if (stretch.length < size) return known.end > 0n ? search(categories, await begin(categories)) : { head: START, end: end ?? 0n };
    }
  };

  const streamPage = (stream: StreamName, after: Revision, maxCount: number): Promise<readonly StoredEvent[]> =>
    connection.ask(async (client) => {
      const options = { ...AT_LEADER, direction: FORWARDS, fromRevision: BigInt(after + 1), maxCount } as const;
      try {
        const resolved = await collected(client.readStream(names.nameOf(stream), options));
        return resolved.flatMap((each) => names.storedOf(each) ?? []);
      } catch (error) {
        if (error instanceof StreamNotFoundError) return [];
        throw error;
      }
    });

  /** What a search begins with: nothing known, where the server does not find it by itself in time. */
  const begin = async (categories: readonly Category[]): Promise<Known> => {
    const [last] = await backwardsFrom(undefined, 1);
    const end = last === undefined ? 0n : positionOf(last);
    return newestOf(categories).then(
      (head) => ({ head, end }),
      () => ({ head: START, end: 0n }),
    );
  };

  /** The library filters subscriptions only, so a page is the beginning of one; each sign of life gives it more time. */
  const page = async (client: EventStoreDBClient, part: Part, from = part.after): Promise<readonly StoredEvent[]> => {
    const { after, limit, categories } = part;
    const toStored = (resolved: AllStreamResolvedEvent) => names.storedOf(resolved, categories);
    const subscription = subscribe({ client, after, from, prefixes: names.prefixesOf(categories), toStored });
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
    stream: async (stream, after, limit = Infinity) => {
      const events: StoredEvent[] = [];
      for (let from = after; ;) {
        const size = Math.min(STREAM_PAGE, limit - events.length);
        const page = await streamPage(stream, from, size);
        events.push(...page);
        const last = page.at(-1);
        if (!last || page.length < size || events.length >= limit) return events;
        from = last.revision;
      }
    },

    page: async (after, limit, categories) => {
      const part = { after, limit, categories };
      try {
        return await connection.ask((client) => page(client, part), 'own');
      } catch (error) {
        if (!isNoPlace(error)) throw error;
        // A position that nobody was given: where the next event begins, only the log from its start can tell.
        return connection.ask((client) => page(client, part, START), 'own');
      }
    },

    at: async (position) => {
      if (position === START) return undefined;
      const fromPosition = { commit: position, prepare: position };
      const [resolved] = await connection.ask((client) =>
        collected(client.readAll({ ...AT_LEADER, fromPosition, maxCount: 1 })).catch(noneIfNoPlace),
      );
      return resolved && positionOf(resolved) === position ? names.storedOf(resolved) : undefined;
    },

    head: async (categories) => {
      const key = [...categories].sort().join();
      const found = await search(categories, heads.get(key) ?? (await begin(categories)));
      heads.set(key, found);
      return found.head;
    },
  };
};
