import { adminApi, type Tag, tags } from './admin-api.ts';
import type { AdminStore } from './admin-store.ts';
import type { Stats } from './admin-types.ts';
import type { invoicesApi } from './invoices/invoices-api.ts';

/** Each kind of change makes these endpoints outdated. */
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
 * Returns a function that refetches the endpoints of tags. A running request may have begun before the change, so the refetch waits for it;
 * changes that arrive meanwhile share one refetch.
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

export type LiveConnection = {
  readonly readyState: number;
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void): void;
  close(): void;
};

/** Used while there is no connection for server-sent events. */
const POLL_INTERVAL_MS = 15_000;
const CLOSED = 2;

const openLive = (): LiveConnection => new EventSource('/api/admin/live');

const selectStats = adminApi.endpoints.stats.select();

/**
 * Keeps the open page current over server-sent events: figures arrive as data, other changes as tags to refetch. The browser reopens a
 * broken connection with `Last-Event-ID`, so that the server sends the missed events. While the connection is down everything is polled,
 * and after a completely new connection everything is refetched once. Returns a function that stops the updates.
 */
export const subscribeToUpdates = (store: AdminStore, open: () => LiveConnection = openLive): (() => void) => {
  const askAgain = invalidate(store);
  const { dispatch, getState } = store;
  let connected = false;

  /** Messages and subscribers have no events of their own, so a changed figure means that they changed. */
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
    // Erasing an order changes the buyer of its invoice.
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
