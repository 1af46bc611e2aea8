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
  newestOf,
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
import { hashIn } from '../chain.ts';
import { AT_LEADER, lastOf, newest, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import { newestFiltered } from './eventstoredb-filtered.ts';
import { positionOf, type Naming, type Place } from './eventstoredb-names.ts';
import { subscribe, type ReceivedItems, type SubscriptionParts } from './eventstoredb-subscription.ts';
import { batcher } from '../../platform/batcher.ts';
import { withTimeout } from '../../platform/retry.ts';
import { streamCategories, type StoredEvent } from '../stored-event.ts';

export type EventStoreDbReading = ReturnType<typeof eventStoreDbReading>;

/** Events per read: each page has its own timeout. */
const STREAM_PAGE = 500;
/** In ms: the server skips everything that others have written since the newest event. */
const FIRST_SEARCH = 60_000;

type Part<Item> = Pick<SubscriptionParts<Item>, 'after' | 'filter' | 'select'>;

export const eventStoreDbReading = (connection: EventStoreDbConnection, names: Naming) => {
  /**
   * The log up to its end, or until `isDone`; undefined when no record begins at the position. The client filters subscriptions only, so it
   * is the beginning of one. One that ends too early is requested again, with another `part`.
   */
  const walk = <Item>(part: () => Part<Item>, isDone: (arrived: ReceivedItems<Item>) => boolean): Promise<'end' | 'done' | undefined> =>
    connection.askAt(async (client) => {
      for await (const arrived of subscribe({ client, mostSilence: connection.attemptWithin, ...part() })) {
        if (isDone(arrived)) return 'done';
        if (arrived.isCaughtUp) return 'end';
      }
      throw new EventStoreUnavailable('EventStoreDB ended a page before it was complete');
    }, 'own');

  /** At most `limit` items, without gaps: one that ended too early begins anew. */
  const collect = async <Item>(part: Part<Item>, limit = Infinity): Promise<readonly Item[] | undefined> => {
    let items: Item[] = [];
    const begin = () => {
      items = [];
      return part;
    };
    const isDone = (arrived: ReceivedItems<Item>): boolean => items.push(...arrived.items) >= limit;
    return (await walk(begin, isDone)) && items.slice(0, limit);
  };

  /** The newest event of each category in the log up to `searched`; a category that is missing has not been looked for yet. */
  let heads = new Map<Category, LogPosition>();
  let searched = 0n;

  const newestIn = (categories: readonly Category[]): LogPosition => newestOf(categories.map((each) => heads.get(each))) ?? START;

  /** `events`: all of the shop's between two positions, of which those from `searched` on are new. */
  const note = (events: readonly Place[], from: bigint, to: bigint): void => {
    if (from > searched || to <= searched) return;
    searched = to;
    for (const { stream, position } of events) {
      const category = streamCategories.find((each) => each === stream || stream.startsWith(`${each}-`));
      if (category && position > newestIn([category])) heads.set(category, position);
    }
  };

  const searchToEnd = async (): Promise<void> => {
    const known = searched;
    const last = await connection.ask(newest);
    const end = last ? positionOf(last) : 0n;
    const filter = { streams: names.prefixesOf(streamCategories) };
    // From wherever an earlier search or the follower is by now.
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
    // Perhaps a follower has come further than the answer meanwhile.
    if (found && searched >= end) return;
    // The first search, or the log was replaced by an older one: it ends earlier, or no record begins there.
    [heads, searched] = [new Map(), end];
  };

  /** Calls that come together share a search; each search starts where the last one ended. */
  const findHeads = batcher(async (asked: readonly (readonly Category[])[]): Promise<readonly LogPosition[]> => {
    await searchToEnd();
    for (const category of new Set(asked.flat())) {
      if (heads.has(category)) continue;
      const [prefix = ''] = names.prefixesOf([category]);
      const late = () => new EventStoreUnavailable(`The newest event of ${prefix} is not found in ${FIRST_SEARCH} ms`);
      const found = await connection.ask((client) => withTimeout(FIRST_SEARCH, late, newestFiltered(client, prefix)), 'own');
      if (found >= newestIn([category])) heads.set(category, logPosition(found));
    }
    return asked.map(newestIn);
  });

  const eventsIn = async (client: EventStoreDBClient, stream: StreamName, after: Revision, maxCount: number): Promise<StoredEvent[]> => {
    const options = { ...AT_LEADER, direction: FORWARDS, fromRevision: BigInt(after + 1), maxCount } as const;
    const events: StoredEvent[] = [];
    for await (const resolved of client.readStream(names.nameOf(stream), options)) {
      const event = names.storedOf(resolved);
      if (event) events.push(event);
    }
    return events;
  };

  /** Without gaps. */
  const streamPage = async (stream: StreamName, after: Revision, maxCount: number): Promise<readonly StoredEvent[]> => {
    try {
      const found = await connection.ask((client) => eventsIn(client, stream, after, maxCount));
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
      const [event] = await eventsIn(client, stream, revision - 1, 1);
      if (event?.revision === revision && hashIn(event.metadata) !== hash) throw new WrongHead(stream, revision);
    },

    page: async (after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]> => {
      // Without searching what others have written since.
      if ((await findHeads(categories)) <= after) return [];
      const filter = { streams: names.prefixesOf(categories) };
      const page = await collect({ after, filter, select: names.storedOf }, limit);
      if (page) return page;
      // Not the position of an event: only reading from the start shows where the next event begins.
      const select = (resolved: AllStreamResolvedEvent) => (positionOf(resolved) > after ? names.storedOf(resolved) : undefined);
      return (await collect({ after: START, filter, select }, limit)) ?? [];
    },

    at: async (position: LogPosition): Promise<StoredEvent | undefined> => {
      if (position === START) return undefined;
      const fromPosition = { commit: position, prepare: position };
      const resolved = await connection.askAt((client) => lastOf(client.readAll({ ...AT_LEADER, fromPosition, maxCount: 1 })));
      return resolved && positionOf(resolved) === position ? names.storedOf(resolved) : undefined;
    },

    cutStreams: async (): Promise<readonly StreamIncomplete[]> => {
      // Streams are truncated or deleted through metadata, and deleted for good by a tombstone.
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

    /** Where to follow from after this position, that of the shop's newest event or earlier: not through what others have written since. */
    followFrom: async (after: LogPosition): Promise<LogPosition> => {
      await findHeads(streamCategories);
      // Both as they are now: an event noted since the search was answered moves them together, and must not be skipped.
      return newestIn(streamCategories) <= after ? logPosition(searched) : after;
    },

    /** What a follower found between two positions: `head` need not search there again. */
    noteSearched: note,
  };
};
