import { adminApi, type Tag, tags } from './admin-api.ts';
import type { AdminStore } from './admin-store.ts';
import type { Stats } from './admin-types.ts';

/** Which questions are answered anew when something of this kind has changed. */
const endpointsOf: Readonly<Record<Tag, readonly (keyof typeof adminApi.endpoints)[]>> = {
  Figures: ['stats'],
  Sales: ['sales'],
  Orders: ['orders'],
  Products: ['products', 'prices'],
  Subscribers: ['subscribers'],
  Messages: ['messages'],
  Health: ['health'],
};

/**
 * Has what is shown of these asked for again. RTK Query asks nothing twice at once, but an answer that is on its way may be older than the
 * news: it is awaited first. What else is told meanwhile is then asked for with it, so that a rush of news is one question after another.
 */
export const invalidate = ({ dispatch, getState }: AdminStore): ((...tags: readonly Tag[]) => void) => {
  const told = new Set<Tag>();

  const underWay = (tag: Tag) => {
    const { queries } = getState()[adminApi.reducerPath];
    return dispatch(adminApi.util.getRunningQueriesThunk()).filter(({ queryCacheKey }) =>
      endpointsOf[tag].some((endpoint) => endpoint === queries[queryCacheKey]?.endpointName),
    );
  };
  const ask = async (tag: Tag): Promise<void> => {
    if (told.has(tag)) return;
    told.add(tag);
    await Promise.allSettled(underWay(tag));
    told.delete(tag);
    dispatch(adminApi.util.invalidateTags([tag]));
  };
  return (...tags) => {
    for (const tag of tags) void ask(tag);
  };
};

/** As much of an `EventSource` as is used here. */
export type Live = {
  readonly readyState: number;
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void): void;
  close(): void;
};

/** While nothing comes by itself, how often everything is asked for again, in milliseconds. */
const POLL_INTERVAL_MS = 15_000;
const CLOSED = 2;

const openLive = (): Live => new EventSource('/api/admin/live');

const selectStats = adminApi.endpoints.stats.select();

/**
 * Keeps the open page as new as the log: figures come as server-sent events, and of what else changed it is told, and asks for it again.
 * A line that ends is opened again by the browser, which says how far it has heard, so that the server tells what it missed. While the line
 * is down everything is asked for now and then; and once more when another line had to be opened. Returns how to stop.
 */
export const subscribeToUpdates = (office: AdminStore, open: () => Live = openLive): (() => void) => {
  const askAgain = invalidate(office);
  const { dispatch, getState } = office;
  let connected = false;

  /** Of messages and subscribers only the figures tell. */
  const take = (figures: Stats): void => {
    const before = selectStats(getState()).data;
    void dispatch(adminApi.util.upsertQueryData('stats', undefined, figures));
    if (before && before.contactMessages !== figures.contactMessages) askAgain('Messages');
    if (before && before.totalSubscribers !== figures.totalSubscribers) askAgain('Subscribers');
  };

  const listen = (onFirstOpen: () => void): Live => {
    const live = open();
    let isFirst = true;
    live.addEventListener('open', () => {
      connected = true;
      if (isFirst) onFirstOpen();
      isFirst = false;
    });
    live.addEventListener('error', () => {
      connected = false;
    });
    live.addEventListener('figures', ({ data }) => take(JSON.parse(data)));
    live.addEventListener('orders', () => askAgain('Orders'));
    live.addEventListener('products', () => askAgain('Products'));
    live.addEventListener('sales', () => askAgain('Sales'));
    return live;
  };

  let live = listen(() => {});
  const watch = setInterval(() => {
    if (connected) return;
    askAgain(...tags);
    // A browser comes back by itself after a line that broke, but not after an answer that was a refusal.
    if (live.readyState === CLOSED) live = listen(() => askAgain(...tags));
  }, POLL_INTERVAL_MS);
  return () => {
    clearInterval(watch);
    live.close();
  };
};
