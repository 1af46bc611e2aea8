import type { Recorded, StreamName } from '#domain/event-store.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { orderStream } from '#domain/order/order.ts';
import { paymentStream } from '#domain/payment/payment.ts';

import type { StoredEvent, StoredLog } from '../../event-store/stored-event.ts';
import { pagesOfStream } from '../log/log-source.ts';
import { paymentAt, replayOrder } from './order-history.ts';
import { viewEvent } from '../audit-json.ts';

export type OrderPartDeps = { readonly store: StoredLog; readonly open: (stored: readonly StoredEvent[]) => Promise<readonly Recorded[]> };

/** The part has at most `limit` events after a revision. */
export type OrderHistoryPart = { readonly after: number; readonly limit: number };

export type OrderPart = {
  readonly events: readonly Recorded[];
  readonly states: readonly (OrderView | null)[];
  /** Counts the events of the whole stream. */
  readonly count: number;
  /** The next part has this `after`; it is null at the end. */
  readonly next: number | null;
  /** The cart is that of the order's creator, even if another shopper has claimed the order. */
  readonly cart: string | null;
};

/** The page is small, because states take more memory than events. */
const PAGE = 500;

const getCartId = (first: Recorded | undefined): string | null => {
  const data = first && viewEvent(first).data;
  return data && 'shopper' in data && typeof data.shopper === 'string' ? `cart-${data.shopper}` : null;
};

/** A payment has only a few events. */
const readEvents = async ({ store, open }: OrderPartDeps, stream: StreamName): Promise<readonly Recorded[]> => {
  const events: Recorded[] = [];
  for await (const page of pagesOfStream(store, stream, PAGE)) events.push(...(await open(page)));
  return events;
};

/** Folds earlier events and counts later ones page by page, so that memory holds one page and the part. */
export const orderPart = async ({ store, open }: OrderPartDeps, id: OrderId, { after, limit }: OrderHistoryPart): Promise<OrderPart> => {
  const money = paymentAt(await readEvents({ store, open }, paymentStream(id)));
  const events: Recorded[] = [];
  const states: (OrderView | null)[] = [];
  let first: Recorded | undefined;
  let state: ReturnType<typeof replayOrder>['state'] | undefined;
  let count = 0;
  let end = -1;
  for await (const page of pagesOfStream(store, orderStream(id), PAGE)) {
    count += page.length;
    end = page.at(-1)?.revision ?? end;
    if (events.length === limit) continue;
    const read = await open(page);
    first ??= read[0];
    const before = read.filter(({ revision }) => revision <= after);
    const wanted = read.slice(before.length, before.length + limit - events.length);
    state = replayOrder(id, before, state).state;
    const now = replayOrder(id, wanted, state, money);
    state = now.state;
    events.push(...wanted);
    states.push(...now.states);
  }
  const last = events.at(-1)?.revision ?? end;
  return { events, states, count, next: last < end ? last : null, cart: getCartId(first) };
};
