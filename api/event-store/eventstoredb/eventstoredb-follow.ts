import type { EventStoreDBClient } from '@eventstore/db-client';
import { START, type Cancellation, type LogPosition, type StreamHead } from '#domain/event-store.ts';
import { sleep } from '#projections/follower/clock.ts';
import { isRefusal, mayBeNoPlace, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import type { Naming } from './eventstoredb-names.ts';
import type { EventStoreDbReading } from './eventstoredb-reading.ts';
import { subscribe } from './eventstoredb-subscription.ts';
import { backOff } from '../../platform/retry.ts';
import { LogReplaced, retryUntilAvailable } from '../log-reader.ts';
import { streamCategories, type StoredEvent } from '../stored-event.ts';

export type FollowOptions = {
  readonly connection: EventStoreDbConnection;
  readonly names: Naming;
  readonly reading: Pick<EventStoreDbReading, 'head' | 'at' | 'followFrom' | 'noteSearched'>;
  readonly heads: Pick<ReturnType<typeof knownHeads>, 'opened'>;
  /** A subscription is checked after this many ms, and replaced if it was silent twice. */
  readonly watchEvery: number;
};

type Subscription = { readonly client: EventStoreDBClient; isOver: boolean };

/**
 * Remembers heads that were read or written during a subscription that is still open. Since then the log was not replaced by an older one:
 * for that the server is stopped, which ends all subscriptions.
 */
export const knownHeads = (current: () => EventStoreDBClient) => {
  const known = new WeakMap<StreamHead, Subscription>();
  let open: Subscription | undefined;
  const subscription = (): Subscription | undefined => (open?.client === current() && !open.isOver ? open : undefined);
  return {
    opened: (opened: Subscription): void => void (open = opened),
    subscription,
    has: (head: StreamHead): boolean => subscription() !== undefined && known.get(head) === subscription(),
    /** `during` is the subscription before the call that returned the head. */
    keep: (head: StreamHead, during: Subscription | undefined): void => {
      if (during && during === subscription()) known.set(head, during);
    },
  };
};

/**
 * Yields the shop's stored events after a position (`START` or that of an event of the shop), then new ones. Subscribes again whenever a
 * subscription ends. Throws refusals of the server, and `LogReplaced` when the last event yielded (at first: the one at `after`) no longer
 * exists.
 */
export async function* followStored(
  following: FollowOptions,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const { connection, reading } = following;
  let position = after;
  let eventId: string | undefined;
  for (let attempt = 1; ; attempt++) {
    // Beyond the end of its log the server would silently skip everything that was rewritten up to the position.
    const looked = await retryUntilAvailable(until, async () => [await reading.at(position), await reading.followFrom(position)] as const);
    if (!looked) return;
    const [last, from] = looked;
    if (position !== START && (!last || last.eventId !== (eventId ?? last.eventId))) throw new LogReplaced(position);
    eventId = last?.eventId;
    try {
      for await (const page of subscribed(following, connection.current(), { position, from }, until)) {
        ({ position, eventId } = page.at(-1) ?? { position, eventId });
        attempt = 0;
        yield page;
      }
    } catch (error) {
      // The next subscription first checks whether the position still exists.
      if (isRefusal(error) && !mayBeNoPlace(error)) throw error;
    }
    await backOff(attempt + 1, until);
  }
}

async function* subscribed(
  { connection, names, reading, heads, watchEvery }: FollowOptions,
  client: EventStoreDBClient,
  { position, from }: { readonly position: LogPosition; readonly from: LogPosition },
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const life = new AbortController();
  const end = (): void => life.abort();
  until.addEventListener('abort', end);
  let searched: bigint = from;

  /**
   * Detects a subscription that is silent on an open connection: it has not advanced since the last check, although the log has. A
   * subscription is silent too when the log is replaced by a shorter one.
   */
  const watch = async (): Promise<void> => {
    let before: { head: bigint; searched: bigint } | undefined;
    for (;;) {
      await sleep(watchEvery, life.signal);
      if (life.signal.aborted) return;
      if (before && searched === before.searched && (before.head > searched || before.head < position)) break;
      const seen = searched;
      const head = await reading.head(streamCategories).catch(() => undefined);
      before = head === undefined ? undefined : { head, searched: seen };
    }
    connection.replace(client);
    end();
  };
  void watch();
  const subscription = { client, isOver: false };
  // The function is called as soon as the subscription ends, even if some of its events have not been read yet.
  const onEnd = (): void => void (subscription.isOver = true);
  try {
    const filter = { streams: names.prefixesOf(streamCategories) };
    for await (const arrived of subscribe({ client, after: from, filter, select: names.storedOf, onEnd }, life.signal)) {
      heads.opened(subscription);
      reading.noteSearched(arrived.items, searched, arrived.searched);
      searched = arrived.searched;
      if (arrived.items.length > 0) yield arrived.items;
    }
  } finally {
    until.removeEventListener('abort', end);
    onEnd();
    end();
  }
}
