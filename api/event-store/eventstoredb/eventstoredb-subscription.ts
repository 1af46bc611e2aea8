import {
  eventTypeFilter,
  START as FROM_START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { EventStoreUnavailable, START, type Cancellation, type LogPosition } from '#domain/event-store.ts';
import { AT_LEADER } from './eventstoredb-connection.ts';
import { positionOf } from './eventstoredb-names.ts';
import { within } from '../retry.ts';

/** After so many events that the filter keeps out, the server says how far it has searched. */
const SEARCH_WINDOW = 2_000;
/** So many items may wait for the consumer before the server is made to wait too. */
const MOST_WAITING = 2_000;

export type SubscriptionParts<Item> = {
  readonly client: EventStoreDBClient;
  readonly after: LogPosition;
  /** Prefixes of names: the server sends only the events of these streams, or of these types. */
  readonly filter: { readonly streams: string[] } | { readonly types: string[] };
  /** What to make of an event; undefined leaves it out. */
  readonly select: (resolved: AllStreamResolvedEvent) => Item | undefined;
  /** How long the server may say nothing at all before `EventStoreUnavailable` is thrown, in ms. Default: for ever. */
  readonly mostSilence?: number;
};

export type Arrived<Item> = {
  /** What arrived since the last time. */
  readonly items: readonly Item[];
  /** The log has been searched up to here, and everything found in it has been handed out. */
  readonly searched: bigint;
  /** Everything that the log held when the subscription began has been handed out. */
  readonly isCaughtUp: boolean;
};

/**
 * A filtered subscription to the whole log: yields whenever something arrived, when the server has searched further, and once when it has
 * caught up. Returns when the server ends it or `until` is aborted, and throws when it breaks. The client never resumes it by itself.
 */
export async function* subscribe<Item>(
  { client, after, filter, select, mostSilence }: SubscriptionParts<Item>,
  until?: Cancellation,
): AsyncGenerator<Arrived<Item>, void, undefined> {
  let items: Item[] = [];
  let [received, announced, searched]: [bigint, bigint, bigint] = [after, after, after];
  let [isCaughtUp, hasToldSo, isOver] = [false, false, false];
  let error: Error | undefined;
  let wake = (): void => {};

  const search = {
    maxSearchWindow: SEARCH_WINDOW,
    checkpointReached: (_: unknown, { commit }: { commit: bigint }) => {
      announced = commit;
      wake();
    },
  };
  const subscription = client.subscribeToAll({
    ...AT_LEADER,
    fromPosition: after === START ? FROM_START : { commit: after, prepare: after },
    filter:
      'types' in filter
        ? eventTypeFilter({ prefixes: filter.types, ...search })
        : streamNameFilter({ prefixes: filter.streams, ...search }),
  });
  const end = (cause?: Error): void => {
    isOver = true;
    error ??= cause;
    wake();
  };
  subscription.on('data', (resolved: AllStreamResolvedEvent) => {
    received = positionOf(resolved);
    const item = select(resolved);
    if (item !== undefined) items.push(item);
    if (items.length >= MOST_WAITING) subscription.pause();
    wake();
  });
  subscription.on('caughtUp', () => {
    isCaughtUp = true;
    wake();
  });
  subscription.on('error', end);
  subscription.on('end', () => end());
  subscription.on('close', () => end());

  const stop = (): void => end();
  until?.addEventListener('abort', stop);
  try {
    while (!until?.aborted) {
      // The client announces both of these while up to sixteen earlier events are still in its buffer.
      const isDrained = subscription.readableLength === 0;
      const reached = isDrained && announced > received ? announced : received;
      if (items.length > 0 || reached > searched || (isCaughtUp && isDrained && !hasToldSo)) {
        [searched, hasToldSo] = [reached, isCaughtUp && isDrained];
        const arrived = { items, searched, isCaughtUp: hasToldSo };
        items = [];
        subscription.resume();
        yield arrived;
      } else if (isOver) {
        if (error) throw error;
        return;
      } else {
        const changed = new Promise<void>((resolve) => (wake = resolve));
        await (mostSilence === undefined
          ? changed
          : within(mostSilence, () => new EventStoreUnavailable('EventStoreDB is silent'), changed));
      }
    }
  } finally {
    until?.removeEventListener('abort', stop);
    // A call that was never made cannot be cancelled, which the client reports as an error.
    subscription.unsubscribe().catch(() => {});
  }
}
