import {
  FORWARDS,
  StreamDeletedError,
  StreamNotFoundError,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import {
  EventStoreUnavailable,
  logPosition,
  maxPosition,
  NO_STREAM,
  START,
  type Category,
  type LogPosition,
  type Revision,
  type StreamHead,
  type StreamName,
  StreamIncomplete,
  WrongHead,
} from '#domain/event-store.ts';
import { parseHash } from '../chain.ts';
import { AT_LEADER, readLast, newest, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import { newestFiltered } from './eventstoredb-filtered.ts';
import { getPosition, type Naming, type Place } from './eventstoredb-names.ts';
import { subscribe, type ReceivedItems, type SubscriptionParts } from './eventstoredb-subscription.ts';
import { batcher } from '../../platform/batcher.ts';
import { withTimeout } from '../../platform/retry.ts';
import { streamCategories, type StoredEvent } from '../stored-event.ts';

export type EventStoreDbReading = ReturnType<typeof eventStoreDbReading>;

/** A read returns this many events, because each page has its own timeout. */
const STREAM_PAGE = 500;
/** The first search may take this many ms, because the server skips everything that others have written since the newest event. */
const FIRST_SEARCH = 60_000;

type Part<Item> = Pick<SubscriptionParts<Item>, 'after' | 'filter' | 'select'>;

export const eventStoreDbReading = (connection: EventStoreDbConnection, names: Naming) => {
  /**
   * Reads the log up to its end, or until `isDone`. Returns undefined when no record begins at the position. The client filters only
   * subscriptions, so this is the beginning of one. A subscription that ends too early is requested again, with another `part`.
   */
  const walk = <Item>(part: () => Part<Item>, isDone: (arrived: ReceivedItems<Item>) => boolean): Promise<'end' | 'done' | undefined> =>
    connection.askAt(async (client) => {
      for await (const arrived of subscribe({ client, mostSilence: connection.attemptWithin, ...part() })) {
        if (isDone(arrived)) return 'done';
        if (arrived.isCaughtUp) return 'end';
      }
      throw new EventStoreUnavailable('EventStoreDB ended a page before it was complete');
    }, 'own');

  /** Collects at most `limit` items without gaps. A subscription that ended too early begins anew. */
  const collect = async <Item>(part: Part<Item>, limit = Infinity): Promise<readonly Item[] | undefined> => {
    let items: Item[] = [];
    const begin = () => {
      items = [];
      return part;
    };
    const isDone = (arrived: ReceivedItems<Item>): boolean => items.push(...arrived.items) >= limit;
    return (await walk(begin, isDone)) && items.slice(0, limit);
  };

  /** The map has the newest event of each category in the log up to `searched`. A missing category has not been searched yet. */
  let heads = new Map<Category, LogPosition>();
  let searched = 0n;

  const findNewest = (categories: readonly Category[]): LogPosition => maxPosition(categories.map((each) => heads.get(each))) ?? START;

  /** Notes all of the shop's events between two positions; those from `searched` on are new. */
  const note = (events: readonly Place[], from: bigint, to: bigint): void => {
    if (from > searched || to <= searched) return;
    searched = to;
    for (const { stream, position } of events) {
      const category = streamCategories.find((each) => each === stream || stream.startsWith(`${each}-`));
      if (category && position > findNewest([category])) heads.set(category, position);
    }
  };

  const searchToEnd = async (): Promise<void> => {
    const known = searched;
    const last = await connection.ask(newest);
    const end = last ? getPosition(last) : 0n;
    const filter = { streams: names.prefixesOf(streamCategories) };
    // Continues where an earlier search or the follower is by now.
    const rest = () => ({ after: logPosition(searched), filter, select: names.placeOf });
    const isOvertaken = ({ items, searched: to }: ReceivedItems<Place>): boolean => {
      note(items, searched, to);
      return searched > to;
    };
    let found = end >= known;
    while (found && known > 0n && searched < end) {
      const walked = await walk(rest, isOvertaken);
      if (walked === 'end') return note([], searched, end);
      found = walked === 'done';
    }
    // A follower may have come further than the answer meanwhile.
    if (found && searched >= end) return;
    // This is the first search, or the log was replaced by an older one: it ends earlier, or no record begins there.
    [heads, searched] = [new Map(), end];
  };

  /** Concurrent calls share a search, which starts where the last one ended. */
  const findHeads = batcher(async (asked: readonly (readonly Category[])[]): Promise<readonly LogPosition[]> => {
    await searchToEnd();
    for (const category of new Set(asked.flat())) {
      if (heads.has(category)) continue;
      const [prefix = ''] = names.prefixesOf([category]);
      const late = () => new EventStoreUnavailable(`The newest event of ${prefix} is not found in ${FIRST_SEARCH} ms`);
      const found = await connection.ask((client) => withTimeout(FIRST_SEARCH, late, newestFiltered(client, prefix)), 'own');
      if (found >= findNewest([category])) heads.set(category, logPosition(found));
    }
    return asked.map(findNewest);
  });

  const readEvents = async (client: EventStoreDBClient, stream: StreamName, after: Revision, maxCount: number): Promise<StoredEvent[]> => {
    const options = { ...AT_LEADER, direction: FORWARDS, fromRevision: BigInt(after + 1), maxCount } as const;
    const events: StoredEvent[] = [];
    for await (const resolved of client.readStream(names.nameOf(stream), options)) {
      const event = names.storedOf(resolved);
      if (event) events.push(event);
    }
    return events;
  };

  /** Reads a page without gaps. */
  const streamPage = async (stream: StreamName, after: Revision, maxCount: number): Promise<readonly StoredEvent[]> => {
    try {
      const found = await connection.ask((client) => readEvents(client, stream, after, maxCount));
      const at = found.findIndex(({ revision }, index) => revision !== after + 1 + index);
      const next = found[at];
      if (next) throw new StreamIncomplete(stream, 'truncated', after + 1 + at, next.revision - 1);
      return found;
    } catch (error) {
      if (error instanceof StreamDeletedError) throw new StreamIncomplete(stream, 'deleted for ever', 0);
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    // A deleted stream gets the same response as an unknown one; only the metadata differ.
    const { metadata } = await connection.ask((client) => client.getStreamMetadata(names.nameOf(stream), AT_LEADER));
    if (metadata?.truncateBefore !== undefined) throw new StreamIncomplete(stream, 'deleted', 0);
    return [];
  };

  return {
    /** Throws `StreamIncomplete` for a truncated or deleted stream. */
    stream: async (stream: StreamName, after: Revision, limit = Infinity): Promise<readonly StoredEvent[]> => {
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

    /** Throws `WrongHead` when the stream has another event at this revision. */
    expectHead: async (client: EventStoreDBClient, stream: StreamName, { revision, hash }: StreamHead): Promise<void> => {
      const [event] = await readEvents(client, stream, revision - 1, 1);
      if (event?.revision === revision && parseHash(event.metadata) !== hash) throw new WrongHead(stream, revision);
    },

    page: async (after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]> => {
      // This avoids a search through everything that others have written since.
      if ((await findHeads(categories)) <= after) return [];
      const filter = { streams: names.prefixesOf(categories) };
      const page = await collect({ after, filter, select: names.storedOf }, limit);
      if (page) return page;
      // The position is not that of an event: only reading from the start shows where the next event begins.
      const select = (resolved: AllStreamResolvedEvent) => (getPosition(resolved) > after ? names.storedOf(resolved) : undefined);
      return (await collect({ after: START, filter, select }, limit)) ?? [];
    },

    at: async (position: LogPosition): Promise<StoredEvent | undefined> => {
      if (position === START) return undefined;
      const fromPosition = { commit: position, prepare: position };
      const resolved = await connection.askAt((client) => readLast(client.readAll({ ...AT_LEADER, fromPosition, maxCount: 1 })));
      return resolved && getPosition(resolved) === position ? names.storedOf(resolved) : undefined;
    },

    cutStreams: async (): Promise<readonly StreamIncomplete[]> => {
      // Streams are truncated or deleted through metadata, and deleted for ever by a tombstone.
      const select = ({ event }: AllStreamResolvedEvent) => event && names.streamIn(event.streamId.replace(/^\$\$/, ''));
      const found = await collect({ after: START, filter: { types: ['$metadata', '$streamDeleted'] }, select });
      const cut: StreamIncomplete[] = [];
      for (const stream of new Set(found)) {
        try {
          await streamPage(stream, NO_STREAM.revision, 1);
        } catch (error) {
          if (!(error instanceof StreamIncomplete)) throw error;
          cut.push(error);
        }
      }
      return cut;
    },

    head: findHeads,

    /**
     * Returns where to follow from after this position (that of the shop's newest event or earlier), to skip what others have written
     * since.
     */
    followFrom: async (after: LogPosition): Promise<LogPosition> => {
      await findHeads(streamCategories);
      // Both values are current: an event noted since the search was answered moves them together, and must not be skipped.
      return findNewest(streamCategories) <= after ? logPosition(searched) : after;
    },

    /** Notes what a follower found between two positions, so that `head` need not search there again. */
    noteSearched: note,
  };
};
