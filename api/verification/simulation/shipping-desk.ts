import type { StreamHead } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { orderId, shopperId, uuidFrom } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { confirmed, created, delivered, home, placed, returned, shipped, soldLines } from '#domain/testing/orders.ts';
import { orderStream } from '#domain/order/order.ts';

import { Life } from './scheduler.ts';
import type { World } from './world.ts';

/** Two steps of an order are at most this many ms apart. */
const LONGEST_PAUSE = 800;
/** The share of orders that are returned, and the share of shoppers that are erased, in percent. */
const COMES_BACK = 70;
const IS_ERASED = 10;

/** This is half an hour before the financial year ends in India. */
const YEARS_END = instant('2026-03-31T18:00:00.000Z');

/** Creates orders that are shipped, perhaps at the end of the last financial year. Some are returned, and some shoppers are erased. */
export const shipUntil = async ({ scheduler, store, keys, tables, newId }: World, until: { readonly aborted: boolean }): Promise<void> => {
  const { random, now } = scheduler;
  const desk = new Life('the desk');
  // The reaction begins at the end of the log, so orders must come after it has started.
  const isFollowed = (): boolean => tables.reactions.placeOf('issue-papers') !== undefined;
  await scheduler.until(desk, 'opens', isFollowed, Infinity);
  while (!until.aborted) {
    const newUuid = () => uuidFrom(newId().padStart(32, '0'));
    const [id, shopper] = [orderId(newUuid()), shopperId(newUuid())];
    let head: StreamHead | undefined;
    const happen = async (...events: readonly OrderEvent[]): Promise<void> => {
      await scheduler.turn(desk, `moves ${id}`, random.upTo(LONGEST_PAUSE));
      const metadata = { commandId: newId(), correlationId: id, causationId: id, actor: { kind: 'system', id: 'the desk' } } as const;
      const stream = orderStream(id);
      ({ head } = await store.append(stream, head ?? (await store.read(stream)).head, events, metadata));
    };
    const lines = soldLines.map((line) => ({ ...line, quantity: 1 + random.upTo(3) }));
    const shippingAddress = { ...home, state: random.oneOf(['Kerala', 'Uttar Pradesh']) };
    const order = created({ shopper, lines, shippingAddress, giftWrap: random.happens(50) });
    await happen(order, placed(), confirmed(), shipped('', random.oneOf([now(), now(), YEARS_END])));
    if (random.happens(IS_ERASED)) await keys.erase(shopper);
    else if (random.happens(COMES_BACK)) await happen(delivered(now()), returned('', now()));
  }
};
