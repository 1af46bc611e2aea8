import { adminApi, type Tag, tags } from './admin-api.ts';
import type { AdminStore } from './admin-store.ts';
import type { Stats } from './admin-types.ts';
import type { invoicesApi } from './invoices/invoices-api.ts';

/** The endpoints that each kind of change makes outdated. */
const endpointsOf: Readonly<Record<Tag, readonly (keyof typeof invoicesApi.endpoints)[]>> = {
  Figures: ['stats'],
  Sales: ['sales'],
  Orders: ['orders'],
  Products: ['products', 'prices', 'stock', 'countedProducts'],
  Subscribers: ['subscribers'],
  Messages: ['contacts'],
  Health: ['health'],
  Payments: ['payments'],
  Invoices: ['invoices', 'taxSummary'],
};

/**
 * Refetches the endpoints of these tags. A request under way may be older than the change, so it is awaited first; changes that arrive
 * meanwhile are handled together, in one refetch.
 */
export const invalidate = ({ dispatch, getState }: AdminStore): ((...tags: readonly Tag[]) => void) => {
  const waiting = new Set<Tag>();

  const underWay = (tag: Tag) => {
    const { queries } = getState()[adminApi.reducerPath];
    return dispatch(adminApi.util.getRunningQueriesThunk()).filter(({ queryCacheKey }) =>
      endpointsOf[tag].some((endpoint) => endpoint === queries[queryCacheKey]?.endpointName),
    );
  };
  const ask = async (tag: Tag): Promise<void> => {
    if (waiting.has(tag)) return;
    waiting.add(tag);
    await Promise.allSettled(underWay(tag));
    waiting.delete(tag);
    dispatch(adminApi.util.invalidateTags([tag]));
  };
  return (...tags) => {
    for (const tag of tags) void ask(tag);
  };
};

/** The part of `EventSource` that is used here. */
export type LiveConnection = {
  readonly readyState: number;
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void): void;
  close(): void;
};

/** In ms. Used while there is no connection for server-sent events. */
const POLL_INTERVAL_MS = 15_000;
const CLOSED = 2;

const openLive = (): LiveConnection => new EventSource('/api/admin/live');

const selectStats = adminApi.endpoints.stats.select();

/**
 * Keeps the open page current over server-sent events: figures come as data, other changes as tags to refetch. A connection that ends is
 * reopened by the browser with `Last-Event-ID`, so that the server sends what was missed. While it is down everything is polled; and
 * refetched once when a new connection had to be made. Returns a function that stops it.
 */
export const subscribeToUpdates = (store: AdminStore, open: () => LiveConnection = openLive): (() => void) => {
  const askAgain = invalidate(store);
  const { dispatch, getState } = store;
  let connected = false;

  /** Messages and subscribers have no events of their own: a changed figure shows that they changed. */
  const take = (figures: Stats): void => {
    const before = selectStats(getState()).data;
    void dispatch(adminApi.util.upsertQueryData('stats', undefined, figures));
    if (before && before.contactMessages !== figures.contactMessages) askAgain('Messages');
    if (before && before.totalSubscribers !== figures.totalSubscribers) askAgain('Subscribers');
  };

  const listen = (onFirstOpen: () => void): LiveConnection => {
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
    // An order that is erased changes its invoice's buyer.
    live.addEventListener('orders', () => askAgain('Orders', 'Payments', 'Invoices'));
    live.addEventListener('invoices', () => askAgain('Invoices'));
    live.addEventListener('products', () => askAgain('Products'));
    live.addEventListener('sales', () => askAgain('Sales'));
    return live;
  };

  let live = listen(() => {});
  const watch = setInterval(() => {
    if (connected) return;
    askAgain(...tags);
    // The browser reconnects after a broken connection, but not after an error response.
    if (live.readyState === CLOSED) live = listen(() => askAgain(...tags));
  }, POLL_INTERVAL_MS);
  return () => {
    clearInterval(watch);
    live.close();
  };
};
