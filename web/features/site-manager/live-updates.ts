import { CLOSED, type LiveConnection, openLive } from '../../lib/live.ts';
import { adminApi, type Tag, tags } from './admin-api.ts';
import type { AdminStore } from './admin-store.ts';
import type { Stats } from './admin-types.ts';

/** Returns whether the answers of an endpoint provide the tag. Only `enhanceEndpoints` hands out a definition, which stays as it is here. */
const isProvidedBy = (endpoint: string | undefined, tag: Tag): boolean => {
  let isProvided = false;
  const look = ({ providesTags }: { readonly providesTags?: unknown }): void => {
    // The tags that a function will return are not known before the answer.
    isProvided = typeof providesTags === 'function' || (Array.isArray(providesTags) && providesTags.includes(tag));
  };
  if (endpoint !== undefined) adminApi.enhanceEndpoints({ endpoints: { [endpoint]: look } });
  return isProvided;
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
      isProvidedBy(queries[queryCacheKey]?.endpointName, tag),
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

/** Used while there is no connection for server-sent events. */
const POLL_INTERVAL_MS = 15_000;

const selectStats = adminApi.endpoints.stats.select();

/**
 * Keeps the open page current over server-sent events: figures arrive as data, other changes as tags to refetch. The browser reopens a
 * broken connection with `Last-Event-ID`, so that the server sends the missed events. While the connection is down everything is polled,
 * and after a completely new connection everything is refetched once, at first without the figures. Returns a function that stops the updates.
 */
export const subscribeToUpdates = (store: AdminStore, open = () => openLive('/admin/live')): (() => void) => {
  const askAgain = invalidate(store);
  const { dispatch, getState } = store;
  let connected = false;

  /** New messages and subscribers have no events of their own, so a changed figure means that they changed. */
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
    // The list of payments is read from two read models. Erasing an order changes the buyer of its invoice.
    live.addEventListener('orders', () => askAgain('Orders', 'Payments', 'Invoices'));
    live.addEventListener('payments', () => askAgain('Payments'));
    live.addEventListener('invoices', () => askAgain('Invoices'));
    live.addEventListener('products', () => askAgain('Products', 'Reviews'));
    live.addEventListener('messages', () => askAgain('Messages'));
    live.addEventListener('sales', () => askAgain('Sales'));
    return live;
  };

  // A change between the request for a list and the connection was announced to no page of ours. The figures come with the connection.
  let live = listen(() => askAgain(...tags.filter((tag) => tag !== 'Figures')));
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
