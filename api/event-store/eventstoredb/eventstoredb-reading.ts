import { FORWARDS, StreamDeletedError, StreamNotFoundError, type AllStreamResolvedEvent } from '@eventstore/db-client';
import {
  EventStoreUnavailable,
  logPosition,
  NO_STREAM,
  START,
  type Category,
  type LogPosition,
  type Revision,
  type StreamName,
  StreamIncomplete,
} from '#domain/event-store.ts';
import { AT_LEADER, lastOf, newest, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import { newestFiltered } from './eventstoredb-filtered.ts';
import { positionOf, type Naming } from './eventstoredb-names.ts';
import { subscribe, type SubscriptionParts } from './eventstoredb-subscription.ts';
import { withTimeout } from '../retry.ts';
import { allCategories, type StoredEvent } from '../stored-event.ts';

export type EventStoreDbReading = {
  /** Throws `StreamIncomplete` for a truncated or deleted stream. */
  stream(stream: StreamName, after: Revision, limit?: number): Promise<readonly StoredEvent[]>;
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;
  at(position: LogPosition): Promise<StoredEvent | undefined>;
  cutStreams(): Promise<readonly StreamIncomplete[]>;
  head(categories: readonly Category[]): Promise<LogPosition>;
  /** What a follower found between two positions: `head` need not search there again. */
  noteSearched(from: bigint, to: bigint, events: readonly StoredEvent[]): void;
};

/** Events per read: each page has its own timeout. */
const STREAM_PAGE = 500;
/** In ms: the server skips everything that others have written since the newest event. */
const FIRST_SEARCH = 60_000;

type Part<Item> = Pick<SubscriptionParts<Item>, 'after' | 'filter' | 'select'> & { readonly limit?: number };

export const eventStoreDbReading = (connection: EventStoreDbConnection, names: Naming): EventStoreDbReading => {
  /**
   * At most `limit` items after a position, up to the end of the log; undefined when no record begins there. The client filters
   * subscriptions only, so a page is the beginning of one. One that ends too early is requested again, since followers would skip what is
   * missing.
   */
  const walk = <Item>({ limit = Infinity, ...part }: Part<Item>): Promise<{ items: readonly Item[]; searched: bigint } | undefined> =>
    connection.askAt(async (client) => {
      const items: Item[] = [];
      for await (const arrived of subscribe({ client, mostSilence: connection.attemptWithin, ...part })) {
        items.push(...arrived.items);
        if (arrived.isCaughtUp || items.length >= limit) return { items: items.slice(0, limit), searched: arrived.searched };
      }
      throw new EventStoreUnavailable('EventStoreDB ended a page before it was complete');
    }, 'own');

  /** The newest event of each category, in the log up to `searched`. */
  let heads = new Map<Category, LogPosition>();
  let searched = 0n;

  const note = (events: readonly StoredEvent[], to: bigint): void => {
    if (to > searched) searched = to;
    for (const { stream, position } of events) {
      const category = allCategories.find((each) => stream.startsWith(`${each}-`));
      if (category && position > (heads.get(category) ?? START)) heads.set(category, position);
    }
  };

  const searchToEnd = async (): Promise<void> => {
    const last = await connection.ask(newest);
    const end = last ? positionOf(last) : 0n;
    if (end === searched) return;
    const filter = { streams: names.prefixesOf(allCategories) };
    const isFurther = searched > 0n && end > searched;
    const news = isFurther ? await walk({ after: logPosition(searched), filter, select: names.storedOf }) : undefined;
    if (news) return note(news.items, news.searched > end ? news.searched : end);
    // The first search, or the log was replaced by an older one: it ends earlier, or no record begins there.
    [heads, searched] = [new Map(), end];
  };

  const findHead = async (categories: readonly Category[]): Promise<LogPosition> => {
    await searchToEnd();
    for (const category of categories.filter((each) => !heads.has(each))) {
      const [prefix = ''] = names.prefixesOf([category]);
      const late = () => new EventStoreUnavailable(`The newest event of ${prefix} is not found in ${FIRST_SEARCH} ms`);
      const found = await connection.ask((client) => withTimeout(FIRST_SEARCH, late, newestFiltered(client, prefix)), 'own');
      if (found >= (heads.get(category) ?? START)) heads.set(category, logPosition(found));
    }
    return categories.map((category) => heads.get(category) ?? START).reduce((one, other) => (one > other ? one : other), START);
  };
  let finding: Promise<unknown> = Promise.resolve();

  /** Without gaps. */
  const streamPage = async (stream: StreamName, after: Revision, maxCount: number): Promise<readonly StoredEvent[]> => {
    try {
      const found = await connection.ask(async (client) => {
        const options = { ...AT_LEADER, direction: FORWARDS, fromRevision: BigInt(after + 1), maxCount } as const;
        const events: StoredEvent[] = [];
        for await (const resolved of client.readStream(names.nameOf(stream), options)) {
          const event = names.storedOf(resolved);
          if (event) events.push(event);
        }
        return events;
      });
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
      const filter = { streams: names.prefixesOf(categories) };
      const page = await walk({ after, limit, filter, select: names.storedOf });
      if (page) return page.items;
      // Not the position of an event: only reading from the start shows where the next event begins.
      const select = (resolved: AllStreamResolvedEvent) => (positionOf(resolved) > after ? names.storedOf(resolved) : undefined);
      return (await walk({ after: START, limit, filter, select }))?.items ?? [];
    },

    at: async (position) => {
      if (position === START) return undefined;
      const fromPosition = { commit: position, prepare: position };
      const resolved = await connection.askAt((client) => lastOf(client.readAll({ ...AT_LEADER, fromPosition, maxCount: 1 })));
      return resolved && positionOf(resolved) === position ? names.storedOf(resolved) : undefined;
    },

    cutStreams: async () => {
      // Streams are truncated or deleted through metadata, and deleted for good by a tombstone.
      const select = ({ event }: AllStreamResolvedEvent) => event && names.streamIn(event.streamId.replace(/^\$\$/, ''));
      const found = await walk({ after: START, filter: { types: ['$metadata', '$streamDeleted'] }, select });
      const cut: StreamIncomplete[] = [];
      for (const stream of new Set(found?.items)) {
        try {
          await streamPage(stream, NO_STREAM.revision, 1);
        } catch (error) {
          if (!(error instanceof StreamIncomplete)) throw error;
          cut.push(error);
        }
      }
      return cut;
    },

    head: (categories) => {
      // Each search starts where the last one ended.
      const find = () => findHead(categories);
      const found = finding.then(find, find);
      finding = found;
      return found;
    },

    noteSearched: (from, to, events) => {
      if (from <= searched) note(events, to);
    },
  };
};
