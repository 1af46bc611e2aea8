import type { PassThrough } from 'node:stream';

import { order, orderStream } from '#domain/order/order.ts';
import { viewOrder } from '#domain/order/view.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import type { OrderId, ShopperId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { MyOrders } from '#projections/orders/my-orders-queries.ts';
import type { Progress } from '#projections/reading/progress.ts';

import { type EventStream, formatEvent, openEventStream } from '../http/event-stream.ts';
import { HttpError, unavailable } from '../http/http-error.ts';
import type { Shop } from '../shop.ts';
import { shownPayment } from './order-payment.ts';

export type OrderWatcher = {
  readonly id: OrderId;
  readonly shopper: ShopperId;
  readonly address: string;
  /** Returns whether the session may still see the order. It is asked before each message. */
  readonly mayStill: (order: ExistingOrder) => Promise<boolean>;
};

export type LiveOrders = {
  /** Sends `order` with the order's JSON as server-sent events: when the page opens, and when the order or its payment has changed. */
  watch(watcher: OrderWatcher): PassThrough;
  close(): void;
};

type Parts = Pick<Shop, 'load' | 'now'> & {
  readonly progress: Pick<Progress, 'onAdvance'>;
  readonly myOrders: Pick<MyOrders, 'marksOf'>;
  readonly onTrouble: (error: unknown) => void;
};

/** Changes within this many ms are looked for together. */
const LOOKS_AFTER_MS = 200;

/** Nobody has so many pages in view. The limits are for each process. */
export const MOST_PAGES = { shopper: 8, address: 64, all: 1_000 } as const;

const RETRY_AFTER_S = 10;
const tooManyPages = (): HttpError =>
  new HttpError({
    status: 429,
    code: 'too_many_requests',
    message: 'Too many pages are open. This one will ask again.',
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });

type Page = OrderWatcher & { readonly stream: EventStream };
/** `mark` is that of the state last sent. */
type Watched = { mark: string | undefined; readonly pages: Set<Page> };

/** Follows the read model of orders for all open pages together. Costs nothing while no page is open. */
export const openLiveOrders = ({ load, now, progress, myOrders: { marksOf }, onTrouble }: Parts): LiveOrders => {
  const watched = new Map<OrderId, Watched>();
  let soon: NodeJS.Timeout | undefined;
  let work = Promise.resolve();

  const listPages = (): Page[] => [...watched.values()].flatMap(({ pages }) => [...pages]);

  const expectRoom = ({ shopper, address }: OrderWatcher): void => {
    const pages = listPages();
    if (pages.filter((page) => page.shopper === shopper).length >= MOST_PAGES.shopper) throw tooManyPages();
    if (pages.filter((page) => page.address === address).length >= MOST_PAGES.address) throw tooManyPages();
    if (pages.length >= MOST_PAGES.all) throw unavailable('Too many pages are open. This one will ask again.', RETRY_AFTER_S);
  };

  const send = async (id: OrderId, pages: ReadonlySet<Page>): Promise<void> => {
    const { state } = await load(order, orderStream(id));
    if (state.status === 'none') return;
    const event = formatEvent('order', JSON.stringify(viewOrder(id, state, await shownPayment({ load, now }, id, state))));
    for (const { mayStill, stream } of pages) {
      const isAllowed = await mayStill(state).catch(onTrouble);
      // A page whose stream ends asks again.
      if (isAllowed) stream.send(event);
      else stream.end();
    }
  };

  const look = async (): Promise<void> => {
    const marks = await marksOf([...watched.keys()]);
    for (const [id, each] of watched) {
      const mark = marks.get(id);
      if (mark === undefined || mark === each.mark) continue;
      try {
        await send(id, each.pages);
        each.mark = mark;
      } catch (error) {
        onTrouble(error);
      }
    }
  };

  /** One look after the other, so that a page does not get an older state after a newer one. */
  const lookSoon = (): void => {
    if (watched.size === 0) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      work = work.then(look).catch(onTrouble);
    }, LOOKS_AFTER_MS);
  };
  const stop = progress.onAdvance(myOrders.name, lookSoon);

  const leave = (page: Page): void => {
    const pages = watched.get(page.id)?.pages;
    pages?.delete(page);
    if (pages?.size === 0) watched.delete(page.id);
  };

  return {
    watch: (watcher) => {
      expectRoom(watcher);
      const page: Page = { ...watcher, stream: openEventStream(() => leave(page)) };
      const pages = watched.get(page.id)?.pages ?? new Set();
      // Without a mark the state is sent again, also to the order's other pages.
      watched.set(page.id, { mark: undefined, pages: pages.add(page) });
      lookSoon();
      return page.stream.body;
    },
    close: () => {
      stop();
      clearTimeout(soon);
      for (const { stream } of listPages()) stream.end();
    },
  };
};
