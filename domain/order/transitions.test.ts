import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { visitor } from '../testing/carts.ts';
import { laterEvent } from '../testing/later-release.ts';
import * as the from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import { order, impossibleBecause, evolve } from './order.ts';
import { orderStatuses } from './rules.ts';

const after = (...events: readonly OrderEvent[]) => events.reduce(evolve, order.initial);

describe('an event that a decision can lead to is possible:', () => {
  test.each(orderStatuses)('every event in the history of an order that is %s', (status) => {
    the.historyOf[status].forEach((event, index, history) =>
      expect(impossibleBecause(after(...history.slice(0, index)), event)).toBeUndefined(),
    );
  });
  test('a checkout of the same cart after the first was cancelled', () =>
    expect(impossibleBecause(after(the.created(), the.cancelled()), the.created())).toBeUndefined());
  test.each(orderStatuses.filter((status) => status !== 'created'))('a corrected e-mail address of an order that is %s', (status) =>
    expect(impossibleBecause(after(...the.historyOf[status]), the.emailCorrected())).toBeUndefined(),
  );
  test('a corrected shipment, and a mark that is set and taken back', () => {
    expect(impossibleBecause(after(...the.historyOf.shipped), the.shipmentCorrected())).toBeUndefined();
    for (const event of [the.packed(), the.unpacked()]) expect(impossibleBecause(after(...the.historyOf.confirmed), event)).toBeUndefined();
  });
  test("a revision, and a claim of a visitor's order", () => {
    expect(impossibleBecause(after(the.created()), the.revised())).toBeUndefined();
    expect(impossibleBecause(after(the.created({ shopper: visitor })), the.claimed())).toBeUndefined();
  });
});

describe('an event that no decision can lead to is found:', () => {
  test.each<[string, readonly OrderEvent[], OrderEvent]>([
    ['OrderPlaced of an order that was never created', [], the.placed()],
    ['an order that is pending became pending', the.historyOf.pending, the.placed()],
    ['an order that is pending became delivered', the.historyOf.pending, the.delivered()],
    ['an order that is cancelled became confirmed', the.historyOf.cancelled, the.confirmed()],
    ['an order that is shipped became returned', the.historyOf.shipped, the.returned()],
    ['an order that is shipped became cancelled', the.historyOf.shipped, the.cancelled()],
    ['an order that is cancelled was created again', the.historyOf.cancelled, the.created()],
    ['an order that is created was created again', the.historyOf.created, the.created()],
    ['an order that is confirmed was created again', the.historyOf.confirmed, the.created()],
    ['an order that is pending was revised', the.historyOf.pending, the.revised()],
    ['an order was claimed from somebody else', the.historyOf.pending, the.claimed()],
    ['the e-mail address of a draft was corrected', the.historyOf.created, the.emailCorrected()],
    ['the placing of an order that is pending was given up', the.historyOf.pending, { type: 'PlacingAbandoned', data: {} } as never],
    ['the shipment of an order that is delivered was corrected', the.historyOf.delivered, the.shipmentCorrected()],
    ['the mark of an order that is shipped was changed', the.historyOf.shipped, the.packed()],
    ['a move of an order that is shipped was given up', the.historyOf.shipped, { type: 'MoveAbandoned', data: {} } as never],
    ['OrderEngraved does not happen to orders', the.historyOf.pending, laterEvent('OrderEngraved')],
  ])('named: %s', (why, history, event) => expect(impossibleBecause(after(...history), event)).toBe(why));

  test('not the end of a placing that was given up', () =>
    expect(impossibleBecause(after(the.created()), { type: 'PlacingAbandoned', data: {} } as never)).toBeUndefined());
});

test('an event before the creation of its order changes nothing', () => expect(after(the.confirmed())).toEqual(order.initial));

test('no decision on any command leads to an illegal event', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          the.create(),
          the.place(),
          the.cancel(),
          the.giveBack(),
          the.decideReturn(),
          the.receiveReturn(),
          ...orderStatuses.map((status) => the.moveTo(status)),
        ),
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
