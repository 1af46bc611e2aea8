import type { Stats } from './admin-types.ts';
import { newsFor } from './invalidation.ts';
import { officeApi, tags } from './admin-api.ts';
import type { Office } from './admin-store.ts';

/** As much of an `EventSource` as is used here. */
export type Live = {
  readonly readyState: number;
  addEventListener(event: string, hear: (message: MessageEvent<string>) => void): void;
  close(): void;
};

/** While nothing comes by itself, how often everything is asked for again, in milliseconds. */
const ASK_EVERY = 15_000;
const CLOSED = 2;

const openLive = (): Live => new EventSource('/api/admin/live');

const selectStats = officeApi.endpoints.stats.select();

/**
 * Keeps the open page as new as the log: figures come as server-sent events, and of what else changed it is told, and asks for it again.
 * A line that ends is opened again by the browser, which says how far it has heard, so that the server tells what it missed. While the line
 * is down everything is asked for now and then; and once more when another line had to be opened. Returns how to stop.
 */
export const followShop = (office: Office, open: () => Live = openLive): (() => void) => {
  const askAgain = newsFor(office);
  const { dispatch, getState } = office;
  let connected = false;

  /** Of messages and subscribers only the figures tell. */
  const take = (figures: Stats): void => {
    const before = selectStats(getState()).data;
    void dispatch(officeApi.util.upsertQueryData('stats', undefined, figures));
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
  }, ASK_EVERY);
  return () => {
    clearInterval(watch);
    live.close();
  };
};
