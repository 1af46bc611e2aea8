import type { Stats } from './answers.ts';
import { officeApi } from './office-api.ts';
import type { Office } from './office-store.ts';

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

const { invalidateTags, upsertQueryData } = officeApi.util;
const selectStats = officeApi.endpoints.stats.select();

/** The figures as the server pushes them. Where they tell of new messages or subscribers, the lists of these are asked for again. */
const take = ({ dispatch, getState }: Office, figures: Stats): void => {
  const before = selectStats(getState()).data;
  void dispatch(upsertQueryData('stats', undefined, figures));
  if (before && before.contactMessages !== figures.contactMessages) dispatch(invalidateTags(['Messages']));
  if (before && before.totalSubscribers !== figures.totalSubscribers) dispatch(invalidateTags(['Subscribers']));
};

/**
 * Keeps the open page as new as the log: figures come as server-sent events, and what else changed is asked for again. While the line is
 * down it asks for everything now and then, and once more when the line is back. Returns how to stop.
 */
export const followShop = (office: Office, open: () => Live = openLive): (() => void) => {
  let connected = false;
  let everConnected = false;
  const askAgain = () => office.dispatch(invalidateTags(['Figures', 'Orders', 'Products', 'Subscribers', 'Messages', 'Health']));

  const listen = (): Live => {
    const live = open();
    live.addEventListener('open', () => {
      if (everConnected && !connected) askAgain();
      connected = true;
      everConnected = true;
    });
    live.addEventListener('error', () => {
      connected = false;
    });
    live.addEventListener('figures', ({ data }) => take(office, JSON.parse(data)));
    live.addEventListener('orders', () => void office.dispatch(invalidateTags(['Orders'])));
    live.addEventListener('products', () => void office.dispatch(invalidateTags(['Products'])));
    return live;
  };

  let live = listen();
  const watch = setInterval(() => {
    if (connected) return;
    askAgain();
    // A browser comes back by itself after a line that broke, but not after an answer that was a refusal.
    if (live.readyState === CLOSED) live = listen();
  }, ASK_EVERY);
  return () => {
    clearInterval(watch);
    live.close();
  };
};
