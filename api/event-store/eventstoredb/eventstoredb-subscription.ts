import {
  eventTypeFilter,
  START as FROM_START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { EventStoreUnavailable, START, type Cancellation, type LogPosition } from '#domain/event-store.ts';
import { AT_LEADER } from './eventstoredb-connection.ts';
import { getPosition } from './eventstoredb-names.ts';
import { withTimeout } from '../../platform/retry.ts';

/** The server reports its search position after this many filtered-out events. */
const SEARCH_WINDOW = 2_000;
/** The server is paused when this many items wait. */
const MOST_WAITING = 2_000;

export type SubscriptionParts<Item> = {
  readonly client: EventStoreDBClient;
  readonly after: LogPosition;
  /** The filter has name prefixes: the server sends only events of these streams or types. */
  readonly filter: { readonly streams: string[] } | { readonly types: string[] };
  /** Returns undefined to skip the event. */
  readonly select: (resolved: AllStreamResolvedEvent) => Item | undefined;
  /** After this many ms of silence, `EventStoreUnavailable` is thrown. By default there is no limit. */
  readonly mostSilence?: number;
  readonly onEnd?: () => void;
};

export type ReceivedItems<Item> = {
  readonly items: readonly Item[];
  /** The log was searched up to this position, and all matches were yielded. */
  readonly searched: bigint;
  /** The value is true if everything in the log at the start of the subscription was yielded. */
  readonly isCaughtUp: boolean;
};

/**
 * Subscribes to the whole log with a filter. Yields when items arrive, when the server has searched further, and once when caught up.
 * Returns when the server ends it or `until` is aborted; throws when it breaks. The client never resumes it.
 */
export async function* subscribe<Item>(
  { client, after, filter, select, mostSilence, onEnd }: SubscriptionParts<Item>,
  until?: Cancellation,
): AsyncGenerator<ReceivedItems<Item>, void, undefined> {
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
    onEnd?.();
    wake();
  };
  subscription.on('data', (resolved: AllStreamResolvedEvent) => {
    received = getPosition(resolved);
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
      // The client emits both events while up to sixteen earlier ones are still in its buffer.
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
          : withTimeout(mostSilence, () => new EventStoreUnavailable('EventStoreDB is silent'), changed));
      }
    }
  } finally {
    until?.removeEventListener('abort', stop);
    // The client reports an error here when the call was never made.
    subscription.unsubscribe().catch(() => {});
  }
}
