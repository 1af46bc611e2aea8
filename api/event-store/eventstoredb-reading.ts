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
  NO_STREAM,
  START,
  type Category,
  type LogPosition,
  type Revision,
  type StreamName,
} from '#domain/event-store.ts';
import { AT_LEADER, lastOf, newest, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import { newestFiltered } from './eventstoredb-filtered.ts';
import { positionOf, type Naming } from './eventstoredb-names.ts';
import { subscribe, type SubscriptionParts } from './eventstoredb-subscription.ts';
import { within } from './patience.ts';
import { categories as allCategories, StreamIncomplete, type StoredEvent } from './stored-event.ts';

export type EventStoreDbReading = {
  /** Throws `StreamIncomplete` for what is left of a stream that somebody truncated or deleted. */
  stream(stream: StreamName, after: Revision, limit?: number): Promise<readonly StoredEvent[]>;
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;
  at(position: LogPosition): Promise<StoredEvent | undefined>;
  cutStreams(): Promise<readonly StreamIncomplete[]>;
  head(categories: readonly Category[]): Promise<LogPosition>;
  /** Somebody who has seen all of the log up to `from` has now seen it up to `to`, and this is the newest event in between. */
  looked(from: bigint, to: bigint, events: readonly StoredEvent[]): void;
};

/** Of a long stream so much is read at once: each part has time of its own to arrive. */
const STREAM_PAGE = 500;
/** How long the first look for a newest event may take, in ms: the server passes by whatever others have written behind it. */
const FIRST_LOOK = 60_000;

type Part = { readonly after: LogPosition; readonly limit: number; readonly categories: readonly Category[]; readonly from?: LogPosition };
type Wanted = Pick<SubscriptionParts, 'types' | 'toStored'>;
type Walked = { readonly events: readonly StoredEvent[]; readonly searched: bigint };

const unavailable = (): EventStoreUnavailable => new EventStoreUnavailable('A page of the log does not arrive');

export const eventStoreDbReading = (connection: EventStoreDbConnection, names: Naming): EventStoreDbReading => {
  /** The library filters subscriptions only, so a part of the log is the beginning of one; each sign of life gives it more time. */
  const walk = async (client: EventStoreDBClient, { categories, limit, ...begin }: Part, of?: Wanted): Promise<Walked> => {
    const ours = {
      prefixes: names.prefixesOf(categories),
      toStored: (resolved: AllStreamResolvedEvent) => names.storedOf(resolved, categories),
    };
    const subscription = subscribe({ client, ...begin, ...(of ?? ours) });
    const events: StoredEvent[] = [];
    const late = () => {
      connection.replace(client);
      return unavailable();
    };
    try {
      for (;;) {
        const { isCaughtUp, isOver, error, searched } = subscription.state();
        events.push(...subscription.take());
        if (isOver && events.length === 0) throw error ?? unavailable();
        if (isCaughtUp || isOver || events.length >= limit) return { events: events.slice(0, limit), searched };
        await within(connection.attemptWithin, late, subscription.changed());
      }
    } finally {
      subscription.cancel();
    }
  };

  /** Newest events as far as the log was looked through, which is as far as `end`. A category that nobody asked for yet is not among them. */
  let [end, heads] = [0n, new Map<Category, LogPosition>()];

  const note = (events: readonly StoredEvent[], searched: bigint): void => {
    if (searched > end) end = searched;
    for (const { stream, position } of events) {
      const category = allCategories.find((each) => stream.startsWith(`${each}-`));
      if (category && position > (heads.get(category) ?? START)) heads.set(category, position);
    }
  };

  const lookOn = async (last: bigint): Promise<void> => {
    const part = { after: logPosition(end), limit: Infinity, categories: allCategories };
    const walked = last > end && end > 0n ? await connection.askAt((client) => walk(client, part), 'own') : undefined;
    if (walked) return note(walked.events, walked.searched > last ? walked.searched : last);
    // At the beginning, or when another log is in the place of the one that was known: it ends earlier, or has no record there.
    if (last !== end || last === 0n) [end, heads] = [last, new Map()];
  };

  const look = async (categories: readonly Category[]): Promise<LogPosition> => {
    const last = await connection.ask(newest);
    await lookOn(last === undefined ? 0n : positionOf(last));
    for (const category of categories.filter((each) => !heads.has(each))) {
      const [prefix = ''] = names.prefixesOf([category]);
      const late = () => new EventStoreUnavailable(`The newest event of ${prefix} is not found in ${FIRST_LOOK} ms`);
      const found = await connection.ask((client) => within(FIRST_LOOK, late, newestFiltered(client, prefix)), 'own');
      if (found >= (heads.get(category) ?? START)) heads.set(category, logPosition(found));
    }
    return categories.map((category) => heads.get(category) ?? START).reduce((one, other) => (one > other ? one : other), START);
  };

  const wholeStream = async (stream: StreamName, after: Revision, maxCount: number): Promise<readonly StoredEvent[]> => {
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
    // Of one that was deleted the server tells as of one that never was, but for where it would go on.
    const { metadata } = await connection.ask((client) => client.getStreamMetadata(names.nameOf(stream), AT_LEADER));
    if (metadata?.truncateBefore !== undefined) throw new StreamIncomplete(stream, 'deleted', 0);
    return [];
  };

  /** Streams with metadata of their own, by which the server cuts them, and those that it was told to end for ever. */
  const mayBeCut = async (client: EventStoreDBClient): Promise<ReadonlySet<StreamName>> => {
    const found = new Set<StreamName>();
    const toStored = ({ event }: AllStreamResolvedEvent) => {
      const stream = event && names.streamIn(event.streamId.replace(/^\$\$/, ''));
      if (stream) found.add(stream);
      return undefined;
    };
    await walk(client, { after: START, limit: Infinity, categories: allCategories }, { types: ['$metadata', '$streamDeleted'], toStored });
    return found;
  };

  let looking: Promise<unknown> = Promise.resolve();

  return {
    stream: async (stream, after, limit = Infinity) => {
      const events: StoredEvent[] = [];
      for (let from = after; ;) {
        const size = Math.min(STREAM_PAGE, limit - events.length);
        const page = await wholeStream(stream, from, size);
        events.push(...page);
        const last = page.at(-1);
        if (!last || page.length < size || events.length >= limit) return events;
        from = last.revision;
      }
    },

    page: async (after, limit, categories) => {
      const part = { after, limit, categories };
      const found =
        (await connection.askAt((client) => walk(client, part), 'own')) ??
        // A position that nobody was given: where the next event begins, only the log from its start can tell.
        (await connection.ask((client) => walk(client, { ...part, from: START }), 'own'));
      return found.events;
    },

    at: async (position) => {
      if (position === START) return undefined;
      const fromPosition = { commit: position, prepare: position };
      const resolved = await connection.askAt((client) => lastOf(client.readAll({ ...AT_LEADER, fromPosition, maxCount: 1 })));
      return resolved && positionOf(resolved) === position ? names.storedOf(resolved) : undefined;
    },

    cutStreams: async () => {
      const cut: StreamIncomplete[] = [];
      for (const stream of await connection.ask(mayBeCut, 'own')) {
        const error = await wholeStream(stream, NO_STREAM.revision, 1).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error instanceof StreamIncomplete) cut.push(error);
        else if (error !== undefined) throw error;
      }
      return cut;
    },

    head: async (categories) => {
      // One after the other: whoever waits finds what the one before has looked through.
      const found = looking.then(
        () => look(categories),
        () => look(categories),
      );
      looking = found;
      return found;
    },

    looked: (from, to, events) => {
      if (from <= end) note(events, to);
    },
  };
};
