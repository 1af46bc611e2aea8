import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { EventStoreUnavailable, type Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { orderId, type OrderId } from '#domain/shared/ids.ts';
import type { ReadableLog } from '#projections/follower/log-rewind.ts';
import { anOrder, anotherOrder } from '#domain/testing/carts.ts';
import { create, moveTo, place } from '#domain/testing/orders.ts';

import { parkedStreams } from './postgres-reaction-storage.ts';
import { reactionTo, type Reaction } from './reaction.ts';
import { RUNNER_TIMES, type RunnerTimes } from './runner.ts';
import { eventually, openFollowedShop, type FollowedShop } from './testing/following.ts';

let shop: FollowedShop;
beforeEach(async () => {
  shop = await openFollowedShop();
});
afterEach(() => shop.close());

const HURRY: RunnerTimes = { ...RUNNER_TIMES, first: 10, longest: 50 };
const mail = { to: 'meera@example.com', subject: 'News', text: 'News', html: '<p>News</p>' };

type Seen = { readonly reaction: Reaction; readonly seen: string[] };
const nameOf = ({ stream, type }: Recorded): string => `${stream.slice(6, 10)} ${type}`;

/** Makes a reaction that records the events that it handles and returns a mail for each; `fails` may throw instead. */
const noting = (fails: (event: Recorded) => void = () => {}, { from }: Pick<Reaction, 'from'> = { from: 'beginning' }): Seen => {
  const seen: string[] = [];
  const react = async (event: Recorded<OrderEvent>) => {
    fails(event);
    seen.push(nameOf(event));
    return [{ cause: `${event.type}:${event.stream}`, mail }];
  };
  const reaction = reactionTo<OrderEvent>({
    name: 'noting',
    categories: ['order'],
    ...(from && { from }),
    on: { OrderPlaced: react, OrderConfirmed: react, OrderShipped: react },
  });
  return { reaction, seen };
};

/** The reaction as the release before knew it, when it handled no confirmations. */
const notingBefore = (): Seen => {
  const seen: string[] = [];
  const react = async (event: Recorded<OrderEvent>) => {
    seen.push(nameOf(event));
    return [];
  };
  return {
    reaction: reactionTo<OrderEvent>({ name: 'noting', categories: ['order'], from: 'beginning', on: { OrderPlaced: react } }),
    seen,
  };
};

const placeOrder = async (id: OrderId): Promise<void> => {
  await shop.toOrder(create(), id);
  await shop.toOrder(place(), id);
};
const confirm = (id: OrderId) => shop.toOrder(moveTo('confirmed'), id);
const ship = (id: OrderId) => shop.toOrder(moveTo('shipped'), id);
const causes = async () => (await shop.mails()).map(({ cause }) => cause);
const ids = Array.from({ length: 12 }, (_, n) => orderId(`0b8c4f1e-52aa-8d3c-9b1f-${String(n).padStart(12, '0')}`));

/** Runs the reaction until it has handled all events. */
const handleAll = async (reaction: Reaction): Promise<void> => {
  const running = shop.start(reaction);
  await shop.caughtUp(reaction);
  await running.stop();
};

describe('a reaction', () => {
  test('handles all events of its types, old and new, and no others', async () => {
    const { reaction, seen } = noting();
    await placeOrder(anOrder);
    const running = shop.start(reaction);
    await shop.caughtUp(reaction);
    await confirm(anOrder);
    await shop.caughtUp(reaction);
    expect(seen).toEqual(['0b8c OrderPlaced', '0b8c OrderConfirmed']);
    await running.stop();
  });

  test('queues mails in log order, whichever event was handled first', async () => {
    for (const id of ids) await placeOrder(id);
    for (const id of ids) await confirm(id);
    const { reaction } = noting();
    shop.start(reaction);
    await shop.caughtUp(reaction);
    expect(await causes()).toEqual([...ids.map((id) => `OrderPlaced:order-${id}`), ...ids.map((id) => `OrderConfirmed:order-${id}`)]);
  });

  test('handles each event once with two runners, and continues when one of them ends', async () => {
    const { reaction, seen } = noting();
    const running = [shop.start(reaction), shop.start(reaction)];
    for (const id of ids.slice(0, 6)) await placeOrder(id);
    await shop.caughtUp(reaction);
    await running[0]?.stop();
    for (const id of ids.slice(6)) await placeOrder(id);
    await shop.caughtUp(reaction);
    expect(seen).toHaveLength(ids.length);
    expect(await causes()).toEqual(ids.map((id) => `OrderPlaced:order-${id}`));
  });

  test('of the release before skips nothing that only the next one handles, which takes over', async () => {
    const [before, next] = [notingBefore(), noting()];
    shop.start(before.reaction);
    await placeOrder(anOrder);
    await shop.caughtUp(before.reaction);
    shop.start(next.reaction);
    await eventually(async () =>
      expect((await shop.db.selectFrom('reactions').selectAll().executeTakeFirst())?.handles).toContain('OrderConfirmed'),
    );
    await confirm(anOrder);
    await shop.caughtUp(next.reaction);
    expect([before.seen, next.seen]).toEqual([['0b8c OrderPlaced'], ['0b8c OrderConfirmed']]);
  });

  test('goes on after the next release was rolled back, and leaves to it what it lacks', async () => {
    const [before, next] = [notingBefore(), noting()];
    await handleAll(next.reaction);
    const rolledBack = shop.start(before.reaction);
    for (const id of [anOrder, anotherOrder]) await placeOrder(id);
    await confirm(anOrder);
    await shop.caughtUp(before.reaction);
    expect(before.seen.toSorted()).toEqual(['0b8c OrderPlaced', '5d1e OrderPlaced'].toSorted());
    await rolledBack.stop();
    shop.start(next.reaction);
    await eventually(async () => expect(next.seen).toEqual(['0b8c OrderConfirmed']));
  });

  test('starts again if the log was replaced', async () => {
    const { reaction, seen } = noting();
    await placeOrder(anOrder);
    await handleAll(reaction);
    await shop.db.updateTable('reactions').set({ position: '77', event_id: 'of an event that was lost' }).execute();
    await handleAll(reaction);
    expect(seen).toEqual(['0b8c OrderPlaced', '0b8c OrderPlaced']);
    expect(await causes()).toHaveLength(1);
  });

  test('that is new sends no mails about old events', async () => {
    const { reaction, seen } = noting(undefined, {});
    await placeOrder(anOrder);
    shop.start(reaction);
    await shop.caughtUp(reaction);
    await confirm(anOrder);
    await shop.caughtUp(reaction);
    expect(seen).toEqual(['0b8c OrderConfirmed']);
    expect(await causes()).toEqual([`OrderConfirmed:order-${anOrder}`]);
  });

  test('that started in the middle of the log starts there again after the log was rewound', async () => {
    const { reaction, seen } = noting(undefined, {});
    await placeOrder(anOrder);
    const running = shop.start(reaction);
    await shop.caughtUp(reaction);
    await confirm(anOrder);
    await shop.caughtUp(reaction);
    await running.stop();
    await shop.db.updateTable('reactions').set({ position: '77', event_id: 'of an event that was lost' }).execute();
    await handleAll(reaction);
    expect(seen).toEqual(['0b8c OrderConfirmed', '0b8c OrderConfirmed']);
  });

  test('that loses its lease while it handles an event does nothing more with it', async () => {
    const { reaction } = noting();
    const react: Reaction['react'] = async (event) => {
      const held_until = new Date(Date.now() + 4_000);
      await shop.db.updateTable('reactions').set({ holder: 'another', held_until }).execute();
      return reaction.react(event);
    };
    const givesUp = vi.fn();
    await placeOrder(anOrder);
    shop.start({ ...reaction, react }, { log: { info: givesUp, warn: () => {}, error: () => {} } });
    await eventually(async () => expect(givesUp).toHaveBeenCalled());
    expect(await causes()).toEqual([]);
    expect(await shop.db.selectFrom('reactions').select(['position', 'holder']).execute()).toEqual([{ position: '0', holder: 'another' }]);
  });
});

describe('an event whose handler fails', () => {
  const poison = `order-${anOrder}`;
  const failing = () => {
    const state = { isBroken: true };
    const fails = (event: Recorded): void => {
      if (state.isBroken && event.stream === poison && event.type === 'OrderPlaced') throw new Error('This one cannot be\0 done');
    };
    return { ...noting(fails), state };
  };

  test('waits with the later events of its stream, while other streams continue', async () => {
    const { reaction, seen } = failing();
    for (const id of [anOrder, anotherOrder]) await placeOrder(id);
    shop.start(reaction, { times: HURRY });
    await shop.caughtUp(reaction);
    for (const id of [anOrder, anotherOrder]) await confirm(id);
    await shop.caughtUp(reaction);
    expect(seen).toEqual(['5d1e OrderPlaced', '5d1e OrderConfirmed']);
    expect(await shop.db.selectFrom('postponed_reactions').select(['stream', 'error']).orderBy('position').execute()).toEqual([
      { stream: poison, error: 'This one cannot be done' },
      { stream: poison, error: 'An earlier event of its stream is postponed' },
    ]);
  });

  test('is retried, and then its stream continues in order', async () => {
    const { reaction, seen, state } = failing();
    await placeOrder(anOrder);
    await confirm(anOrder);
    shop.start(reaction, { times: HURRY });
    await shop.caughtUp(reaction);
    await ship(anOrder);
    await shop.caughtUp(reaction);
    expect(seen).toEqual([]);
    state.isBroken = false;
    await eventually(async () => expect(seen).toEqual(['0b8c OrderPlaced', '0b8c OrderConfirmed', '0b8c OrderShipped']));
    await eventually(async () =>
      expect(await causes()).toEqual([`OrderPlaced:${poison}`, `OrderConfirmed:${poison}`, `OrderShipped:${poison}`]),
    );
    expect(await shop.db.selectFrom('postponed_reactions').selectAll().execute()).toEqual([]);
  });

  test('is parked after ten failures, reported by readiness, kept over a restart, and still retried', async () => {
    const { reaction, seen, state } = failing();
    await placeOrder(anOrder);
    const running = shop.start(reaction, { times: HURRY });
    await eventually(async () => expect(await parkedStreams(shop.db)).toEqual([{ reaction: 'noting', count: 1 }]));
    await running.stop();
    await confirm(anOrder);
    state.isBroken = false;
    shop.start(reaction, { times: HURRY });
    await eventually(async () => expect(seen).toEqual(['0b8c OrderPlaced', '0b8c OrderConfirmed']));
    await eventually(async () => expect(await parkedStreams(shop.db)).toEqual([]));
  });

  test('that waits for an hour is retried at once by the process that takes the lease', async () => {
    const broken = noting(() => expect.fail('Not in this release'));
    const running = shop.start(broken.reaction);
    await placeOrder(anOrder);
    await shop.caughtUp(broken.reaction);
    await running.stop();
    await shop.db
      .updateTable('postponed_reactions')
      .set({ next_attempt_at: new Date(Date.now() + 3_600_000) })
      .execute();
    const { reaction, seen } = noting();
    shop.start(reaction);
    await eventually(async () => expect(seen).toEqual(['0b8c OrderPlaced']));
  });

  test('does not delay the others when its handler never returns', async () => {
    const { reaction, seen } = noting();
    const react: Reaction['react'] = (event) => (event.stream === poison ? new Promise(() => {}) : reaction.react(event));
    for (const id of [anOrder, anotherOrder]) await placeOrder(id);
    shop.start({ ...reaction, react }, { times: { ...HURRY, within: 100 } });
    await shop.caughtUp(reaction);
    expect(seen).toEqual(['5d1e OrderPlaced']);
    expect(await shop.db.selectFrom('postponed_reactions').select(['stream', 'error']).execute()).toEqual([
      { stream: poison, error: 'The handler did not finish within 100 ms' },
    ]);
  });

  test('delays no new events when many handlers never return, again and again', async () => {
    const { reaction, seen } = noting();
    const hanging = new Set(ids.map((id) => `order-${id}`));
    const react: Reaction['react'] = (event) => (hanging.has(event.stream) ? new Promise(() => {}) : reaction.react(event));
    for (const id of ids) await placeOrder(id);
    shop.start({ ...reaction, react }, { times: { ...HURRY, within: 100 } });
    const attempts = async () => (await shop.db.selectFrom('postponed_reactions').select('attempts').execute()).map((row) => row.attempts);
    await eventually(async () => expect(Math.min(...(await attempts()))).toBeGreaterThan(1));
    await placeOrder(anotherOrder);
    await eventually(async () => expect(seen).toEqual(['5d1e OrderPlaced']));
  });

  test('is awaited instead of postponed if the log is unavailable', async () => {
    let outages = 3;
    const isAway = (): boolean => outages > 0;
    const { reaction, seen } = noting(() => {
      if (isAway()) throw new EventStoreUnavailable('away');
    });
    const { store } = shop;
    const feed: ReadableLog = {
      ...store,
      head: async (categories) => {
        if (isAway() && outages-- > 0) throw new EventStoreUnavailable('away');
        return store.head(categories);
      },
    };
    await placeOrder(anOrder);
    shop.start(reaction, { feed });
    await shop.caughtUp(reaction);
    expect(seen).toEqual(['0b8c OrderPlaced']);
    expect(outages).toBe(0);
    expect(await shop.db.selectFrom('postponed_reactions').selectAll().execute()).toEqual([]);
  });
});
