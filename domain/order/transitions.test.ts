import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { visitor } from '../testing/carts.ts';
import * as the from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import { order, impossibleBecause, evolve } from './order.ts';
import { orderStatuses } from './rules.ts';

const after = (...events: readonly OrderEvent[]) => events.reduce(evolve, order.initial);

describe('events that a decision can lead to are', () => {
  test.each(orderStatuses)('all those in the history of an order that is %s', (status) => {
    the.historyOf[status].forEach((event, index, history) =>
      expect(impossibleBecause(after(...history.slice(0, index)), event)).toBeUndefined(),
    );
  });
  test('a checkout of the same cart after the first was cancelled', () =>
    expect(impossibleBecause(after(the.created(), the.cancelled()), the.created())).toBeUndefined());
  test("a revision, and a claim of a visitor's order", () => {
    expect(impossibleBecause(after(the.created()), the.revised())).toBeUndefined();
    expect(impossibleBecause(after(the.created({ shopper: visitor })), the.claimed())).toBeUndefined();
  });
});

describe('events that no decision can lead to are', () => {
  test.each<[string, readonly OrderEvent[], OrderEvent]>([
    ['anything before the order was created', [], the.placed()],
    ['a second placing', the.historyOf.pending, the.placed()],
    ['a delivery of what was never shipped', the.historyOf.pending, the.delivered()],
    ['a confirmation of what was cancelled', the.historyOf.cancelled, the.confirmed()],
    ['a return of what was never delivered', the.historyOf.shipped, the.returned()],
    ['a cancellation of what is under way', the.historyOf.shipped, the.cancelled()],
    ['a second creation of what was placed', the.historyOf.cancelled, the.created()],
    ['a revision of what was placed', the.historyOf.pending, the.revised()],
    ['a claim from somebody else', the.historyOf.pending, the.claimed()],
  ])('is %s', (_, history, event) => expect(impossibleBecause(after(...history), event)).toEqual(expect.any(String)));
});

test('no decision on any command leads to an illegal event', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(the.create(), the.place(), the.cancel(), the.giveBack(), ...orderStatuses.map((status) => the.moveTo(status))),
        { maxLength: 12 },
      ),
      (asked) => {
        let state = order.initial;
        for (const command of asked) {
          const decision = order.decide(state, command);
          if (!decision.ok) continue;
          for (const event of decision.events) {
            expect(impossibleBecause(state, event)).toBeUndefined();
            state = evolve(state, event);
          }
        }
      },
    ),
  ));
