import fc from 'fast-check';

import type { StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order, type OrderCommand, orderStream } from '#domain/order/order.ts';
import { type ExistingOrder, type Order, nextForStaff } from '#domain/order/rules.ts';
import { orderId, type OrderId, type ShopperId } from '#domain/shared/ids.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { gulabLine, meera, oudLine, visitor } from '#domain/testing/carts.ts';
import { cancel, claim, create, decideReturn, giveBack, home, moveTo, place, receiveReturn } from '#domain/testing/orders.ts';

export const nthOrder = (n: number): OrderId => orderId(`00000000-0000-8000-8000-${String(n).padStart(12, '0')}`);

const FIRST = Date.parse('2026-08-01T00:00:00.000Z');
/** Returns the time this many minutes after 1 August. */
export const minute = (minutes: number): Instant => instant(new Date(FIRST + minutes * 60_000).toISOString());
/** All histories end before this minute. */
export const LAST_MINUTE = 120 * 24 * 60;

type Step = { readonly minutes: number; readonly to: (state: Order, owner: ShopperId) => OrderCommand };
/** A history has the events of some orders in the order of the log, and each order's state from the domain. */
export type History = {
  readonly happenings: readonly (readonly [StreamName, ...OrderEvent[]])[];
  readonly orders: ReadonlyMap<OrderId, ExistingOrder>;
};

const checkOut = fc
  .record({ oud: fc.integer({ min: 1, max: 99 }), giftWrap: fc.boolean(), name: fc.constantFrom('Meera Nair', 'Zoë', 'erased') })
  .map(({ oud, giftWrap, name }) => (_: Order, by: ShopperId): OrderCommand => {
    const lines = [oudLine(oud), gulabLine(1)];
    return create({
      by,
      lines,
      giftWrap,
      giftMessage: giftWrap ? 'For you' : '',
      note: giftWrap ? 'Ring twice' : '',
      shipping: { ...home, name },
    });
  });
const moveOn = (state: Order): OrderCommand => moveTo((state.status === 'none' ? undefined : nextForStaff(state.status)[0]) ?? 'confirmed');

const step: fc.Arbitrary<Step> = fc.record({
  minutes: fc.integer({ min: 0, max: 400 }),
  to: fc.oneof(
    { weight: 2, arbitrary: checkOut },
    { weight: 4, arbitrary: fc.constant((_: Order, by: ShopperId) => place({ by })) },
    { weight: 4, arbitrary: fc.constant(moveOn) },
    { weight: 1, arbitrary: fc.constant((_: Order, by: ShopperId) => cancel({ by })) },
    { weight: 1, arbitrary: fc.constant((_: Order, by: ShopperId) => giveBack({ by })) },
    { weight: 1, arbitrary: fc.constantFrom(...[decideReturn(), receiveReturn()].map((command) => () => command)) },
    { weight: 1, arbitrary: fc.constant(() => claim()) },
  ),
});

const life = fc.record({
  begins: fc.integer({ min: 0, max: LAST_MINUTE }),
  by: fc.constantFrom(meera, visitor),
  steps: fc.tuple(checkOut, fc.array(step, { maxLength: 9 })).map(([first, others]) => [{ minutes: 0, to: first }, ...others]),
});
type Life = { begins: number; by: ShopperId; steps: readonly Step[] };

const live = ({ begins, by, steps }: Life) => {
  let [state, minutes]: [Order, number] = [order.initial, begins];
  const events = steps.map(({ minutes: later, to }) => {
    const owner = state.status === 'none' ? by : state.shopper;
    const decision = order.decide(state, { ...to(state, owner), now: minute((minutes += later)) });
    const happened = decision.ok ? decision.events : [];
    state = happened.reduce(order.evolve, state);
    return happened;
  });
  return { state, events };
};

const createHistory = (lives: readonly Life[]): History => {
  const lived = lives.map(live);
  const longest = Math.max(0, ...lived.map(({ events }) => events.length));
  // The events are taken step by step, so that those of different orders are interleaved.
  const happenings = Array.from({ length: longest }, (_, index) =>
    lived.map(({ events }, n) => [orderStream(nthOrder(n)), ...(events[index] ?? [])] as const),
  );
  return {
    happenings: happenings.flat(),
    orders: new Map(lived.flatMap(({ state }, n) => (state.status === 'none' ? [] : [[nthOrder(n), state] as const]))),
  };
};

/** Generates any history that the domain allows, of at most a few dozen orders. */
export const histories: fc.Arbitrary<History> = fc.array(life, { minLength: 1, maxLength: 40, size: 'max' }).map(createHistory);
