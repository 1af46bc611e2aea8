import type { Cancellation, Category, LogPosition } from '#domain/event-store.ts';
import { isRefusal, type EventStoreDbConnection } from './eventstoredb-connection.ts';
import type { Naming } from './eventstoredb-names.ts';
import { subscribe, type Subscription } from './eventstoredb-subscription.ts';
import { backOff } from './patience.ts';
import type { StoredEvent } from './stored-event.ts';

export type Following = {
  readonly connection: EventStoreDbConnection;
  readonly names: Naming;
  readonly head: (categories: readonly Category[]) => Promise<LogPosition>;
  /** How often a subscription is compared with the head of the log, in ms; one found silent twice is given up. */
  readonly watchEvery: number;
};

/** The stored events of these categories after a position, in pages, then the new ones; subscribes again whenever that ends. */
export async function* followStored(
  following: Following,
  after: LogPosition,
  categories: readonly Category[],
  until: Cancellation,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const { connection, names } = following;
  let position = after;
  for (let attempt = 1; !until.aborted && !connection.isClosed(); attempt++) {
    const client = connection.current();
    const subscription = subscribe({
      client,
      after: position,
      prefixes: names.prefixesOf(categories),
      toStored: (resolved) => names.storedOf(resolved, categories),
    });
    const unwatch = watch(subscription, following, categories, () => connection.replace(client));
    until.addEventListener('abort', subscription.nudge);
    try {
      for await (const page of pagesOf(subscription, until)) {
        position = page.at(-1)?.position ?? position;
        attempt = 0;
        yield page;
      }
    } finally {
      until.removeEventListener('abort', subscription.nudge);
      unwatch();
      subscription.cancel();
    }
    const { error } = subscription.state();
    if (error && isRefusal(error)) throw error;
    await backOff(attempt + 1, until);
  }
}

async function* pagesOf(subscription: Subscription, until: Cancellation): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  while (!until.aborted) {
    const page = subscription.take();
    if (page.length > 0) yield page;
    else if (subscription.state().isOver) return;
    else await subscription.changed();
  }
}

/**
 * A subscription can fall silent with its connection open, and the head of the log tells: twice in a row it is ahead of what
 * arrived, and nothing moved in between, or the server says that it has looked further and yet brought nothing.
 */
const watch = (
  subscription: Subscription,
  { head, watchEvery }: Following,
  categories: readonly Category[],
  giveUpClient: () => void,
): (() => void) => {
  let before: { head: bigint; searched: bigint; received: bigint } | undefined;
  const look = async (): Promise<void> => {
    const { received, searched, isOver, isHeldUp } = subscription.state();
    if (isOver) return;
    const isBehind = before !== undefined && !isHeldUp && received === before.received && before.head > received;
    const isSilent = isBehind && before !== undefined && (searched === before.searched || searched >= before.head);
    if (isSilent) {
      giveUpClient();
      return subscription.cancel();
    }
    // A head that cannot be had is no news of the subscription: `head` replaces a client that does not answer.
    const newest = await head(categories).catch(() => undefined);
    before = newest === undefined ? before : { head: newest, searched, received };
    schedule();
  };
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    timer = setTimeout(() => void look(), watchEvery);
  };
  schedule();
  return () => clearTimeout(timer);
};
