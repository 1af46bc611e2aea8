import { EventStoreUnavailable, type Cancellation, type LogPosition } from '#domain/event-store.ts';
import { isRefusal, mayBeNoPlace, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import type { Naming } from './eventstoredb-names.ts';
import type { EventStoreDbReading } from './eventstoredb-reading.ts';
import { subscribe, type Subscription } from './eventstoredb-subscription.ts';
import { backOff, outlasting } from './patience.ts';
import { categories, type StoredEvent } from './stored-event.ts';

export type Following = {
  readonly connection: EventStoreDbConnection;
  readonly names: Naming;
  readonly reading: Pick<EventStoreDbReading, 'head' | 'at' | 'looked'>;
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
 * The stored events of the shop after a position, in pages, then the new ones; subscribes again whenever that ends. Throws `LogReplaced`
 * when the last event that it gave (at first: the one at `after`) is gone by then, and what the server refuses.
 */
export async function* followStored(
  following: Following,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const { connection, reading } = following;
  let given = await outlasting(until, () => reading.at(after));
  for (let attempt = 1; !until.aborted && !connection.isClosed(); attempt++) {
    // The server would pass by in silence what is written anew up to a position that its log does not reach any more.
    const isThere = given === undefined || (await isInLog(reading, given));
    if (given && isThere === false) throw new LogReplaced(given.position);
    if (isThere) {
      for await (const page of subscribed(following, given?.position ?? after, until)) {
        given = page.at(-1);
        attempt = 0;
        yield page;
      }
    }
    await backOff(attempt + 1, until);
  }
}

/** Undefined when the server does not say. */
const isInLog = async (reading: Following['reading'], { position, eventId }: StoredEvent): Promise<boolean | undefined> => {
  try {
    return (await reading.at(position))?.eventId === eventId;
  } catch (error) {
    if (error instanceof EventStoreUnavailable) return undefined;
    throw error;
  }
};

/** One subscription, as long as it lasts. */
async function* subscribed(
  following: Following,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const { connection, names, reading } = following;
  const client = connection.current();
  const subscription = subscribe({ client, after, prefixes: names.prefixesOf(categories), toStored: names.storedOf });
  const unwatch = watch(subscription, following, () => connection.replace(client));
  until.addEventListener('abort', subscription.nudge);
  try {
    while (!until.aborted) {
      const page = subscription.take();
      const { isOver, searched } = subscription.state();
      reading.looked(after, searched, page);
      if (page.length > 0) yield page;
      else if (isOver) break;
      else await subscription.changed();
    }
  } finally {
    until.removeEventListener('abort', subscription.nudge);
    unwatch();
    subscription.cancel();
  }
  const { error } = subscription.state();
  // Whether its beginning is gone is looked up before the next one.
  if (error && isRefusal(error) && !mayBeNoPlace(error)) throw error;
}

/**
 * A subscription can fall silent with its connection open, and the head of the log tells: twice in a row it is ahead of what arrived, and
 * nothing moved in between.
 */
const watch = (subscription: Subscription, { reading, watchEvery }: Following, giveUpClient: () => void): (() => void) => {
  let before: { head: bigint; searched: bigint } | undefined;
  const look = async (): Promise<void> => {
    const { searched, isOver, isHeldUp } = subscription.state();
    if (isOver) return;
    if (before && !isHeldUp && searched === before.searched && searched < before.head) {
      giveUpClient();
      return subscription.cancel();
    }
    // A head that cannot be had is no news of the subscription: `head` replaces a client that does not answer.
    const head = await reading.head(categories).catch(() => undefined);
    if (head !== undefined) before = { head, searched };
    schedule();
  };
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    timer = setTimeout(() => void look(), watchEvery);
  };
  schedule();
  return () => clearTimeout(timer);
};
