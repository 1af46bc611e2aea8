import type { EventStoreDBClient } from '@eventstore/db-client';
import { START, type Cancellation, type LogPosition } from '#domain/event-store.ts';
import { sleep } from '#projections/engine/clock.ts';
import { isRefusal, mayBeNoPlace, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import type { Naming } from './eventstoredb-names.ts';
import type { EventStoreDbReading } from './eventstoredb-reading.ts';
import { subscribe } from './eventstoredb-subscription.ts';
import { backOff, outlasting } from '../retry.ts';
import { categories, type StoredEvent } from '../stored-event.ts';

export type Following = {
  readonly connection: EventStoreDbConnection;
  readonly names: Naming;
  readonly reading: Pick<EventStoreDbReading, 'head' | 'at' | 'noteSearched'>;
  /** How often a subscription is compared with the head of the log, in ms; one found silent twice is given up. */
  readonly watchEvery: number;
};

/** An older log was put in the place of the one that was followed: what comes next does not follow what came before. */
export class LogReplaced extends Error {
  override readonly name = 'LogReplaced';
  constructor(position: LogPosition) {
    super(`What was read at ${position} is no longer in EventStoreDB: an older log was restored`);
  }
}

/**
 * The stored events of the shop after a position (`START`, or that of an event of the shop), in pages, then the new ones; subscribes again
 * whenever a subscription ends. Throws `LogReplaced` when the last event that it gave (at first: the one at `after`) is gone by then, and what
 * the server refuses.
 */
export async function* followStored(
  following: Following,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const { connection, reading } = following;
  let position = after;
  let eventId: string | undefined;
  for (let attempt = 1; ; attempt++) {
    // The server would silently skip what is written anew up to a position that its log no longer reaches.
    const last = await outlasting(until, () => reading.at(position));
    if (until.aborted) return;
    if (position !== START && (!last || last.eventId !== (eventId ?? last.eventId))) throw new LogReplaced(position);
    eventId = last?.eventId;
    try {
      for await (const page of subscribed(following, connection.current(), position, until)) {
        ({ position, eventId } = page.at(-1) ?? { position, eventId });
        attempt = 0;
        yield page;
      }
    } catch (error) {
      // Whether the beginning is gone is looked up before the next subscription.
      if (isRefusal(error) && !mayBeNoPlace(error)) throw error;
    }
    await backOff(attempt + 1, until);
  }
}

/** One subscription, for as long as it lasts. */
async function* subscribed(
  { connection, names, reading, watchEvery }: Following,
  client: EventStoreDBClient,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const life = new AbortController();
  const end = (): void => life.abort();
  until.addEventListener('abort', end);
  let searched: bigint = after;

  /**
   * A subscription can fall silent with its connection open: it did not move since the last look, and the head of the log is beyond it. And
   * it says nothing when the log is replaced by one that ends earlier.
   */
  const watch = async (): Promise<void> => {
    let before: { head: bigint; searched: bigint } | undefined;
    for (;;) {
      await sleep(watchEvery, life.signal);
      if (life.signal.aborted) return;
      if (before && searched === before.searched && (before.head > searched || before.head < after)) break;
      const seen = searched;
      const head = await reading.head(categories).catch(() => undefined);
      before = head === undefined ? undefined : { head, searched: seen };
    }
    connection.replace(client);
    end();
  };
  void watch();
  try {
    const filter = { streams: names.prefixesOf(categories) };
    for await (const arrived of subscribe({ client, after, filter, select: names.storedOf }, life.signal)) {
      reading.noteSearched(after, arrived.searched, arrived.items);
      searched = arrived.searched;
      if (arrived.items.length > 0) yield arrived.items;
    }
  } finally {
    until.removeEventListener('abort', end);
    end();
  }
}
