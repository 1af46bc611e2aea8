import type { OrderView } from '#domain/order/view.ts';
import { home } from '#domain/testing/orders.ts';

import type { RecordedAnswers } from '../journeys/recorded-answers.ts';
import type { ApiProcess } from './api-process.ts';
import { Guest } from './guest.ts';
import { Life } from './scheduler.ts';
import type { World } from './world.ts';

const LONGEST_PAUSE_MS = 40;
/** Until a visitor gives up. */
const TRIES = 20;

/** Visitors, one after the other, who want one bottle each, ask for it again and again, and cancel once they have it. */
export const rushUntil = async (
  world: World,
  apis: () => readonly [ApiProcess, ...ApiProcess[]],
  productId: string,
  recorded: RecordedAnswers,
  until: { readonly aborted: boolean },
): Promise<void> => {
  const { scheduler, tables } = world;
  const { random } = scheduler;
  const isOffered = (): boolean => tables.rows('catalogue', 'catalogue').length > 0;
  await scheduler.until(new Life('the crowd'), 'waits for the doors to open', isOffered, Infinity);
  while (!until.aborted) {
    const visitor = new Guest(world, new Life('a visitor'), apis);
    const insist = async (method: string, path: string, body: object): Promise<unknown> => {
      let key = visitor.newId();
      for (let tries = 0; tries < TRIES && !until.aborted; tries++) {
        const told = await visitor.ask({ method, path, body, key });
        if (told !== 'unknown' && told.status < 400) return told.body;
        if (told !== 'unknown') key = visitor.newId();
        await visitor.pause(random.upTo(LONGEST_PAUSE_MS));
      }
      return undefined;
    };
    await insist('POST', '/api/cart/add-to-cart', { _id: productId });
    const created = await insist('POST', '/api/order/create-order', { shipping: home, giftWrap: false, giftMessage: '' });
    if (created === undefined) continue;
    const { order } = created as { readonly order: OrderView };
    const placed = await insist('PUT', `/api/order/place-order/${order._id}`, { method: 'COD' });
    if (placed !== undefined) recorded.placed.set(order._id, { order: placed as OrderView, shopper: 0 });
    await insist('PUT', `/api/order/cancel/${order._id}`, { reason: '' });
  }
};
