import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { orderId, type OrderId } from '../shared/ids.ts';
import { noon } from '../testing/carts.ts';
import { explainStock, impossibleStockEvent } from './stock-audit.ts';
import type { StockEvent } from './events.ts';
import { computeAvailable, NO_STOCK, openReservations, stock, type StockCommand } from './stock.ts';

const orders = ['00', '00', '7f'].map((start, index) => orderId(`${start}8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f${index}`));
const order = fc.constantFrom<OrderId[]>(...orders);
const quantity = fc.integer({ min: 0, max: 12 });
const revision = fc.nat(4);

const command: fc.Arbitrary<StockCommand> = fc
  .oneof(
    { weight: 2, arbitrary: quantity.map((q) => ({ type: 'CountStock' as const, quantity: q })) },
    { weight: 1, arbitrary: fc.constant({ type: 'EndCounting' as const }) },
    { weight: 3, arbitrary: quantity.map((q) => ({ type: 'ReceiveStock' as const, quantity: q })) },
    { weight: 3, arbitrary: quantity.map((q) => ({ type: 'RemoveStock' as const, quantity: q, reason: 'Broken' })) },
    { weight: 12, arbitrary: fc.record({ type: fc.constant('ReserveStock' as const), order, quantity, orderRevision: revision }) },
    { weight: 4, arbitrary: fc.record({ type: fc.constant('ReleaseStock' as const), order, before: revision }) },
    { weight: 4, arbitrary: order.map((id) => ({ type: 'ShipStock' as const, order: id })) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('RestockStock' as const), order, quantity, return: fc.constant(1) }) },
  )
  .map((given) => ({ ...given, now: noon }));

test('reservations never exceed the bottles on hand, and `reserved` is the sum of open reservations', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = NO_STOCK;
      for (const each of commands) {
        const decision = stock.decide(state, each);
        if (!decision.ok) continue;
        state = decision.events.reduce(stock.evolve, state);
        expect(computeAvailable(state)).toBeGreaterThanOrEqual(0);
        expect(state.reserved).toBe(openReservations(state).reduce((total, { quantity: held }) => total + held, 0));
        // These commands add or remove bottles each time; all others change nothing when repeated.
        if (each.type === 'ReceiveStock' || each.type === 'RemoveStock' || each.type === 'RestockStock') continue;
        const again = stock.decide(state, each);
        expect(again).toEqual({ ok: true, events: [] });
      }
    }),
    { numRuns: 300 },
  );
});

test('every history can be explained to the bottle, and none is found impossible', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let state = NO_STOCK;
      const events: (StockEvent & { revision: number })[] = [];
      for (const each of commands) {
        const decision = stock.decide(state, each);
        for (const event of decision.ok ? decision.events : []) {
          expect(impossibleStockEvent(state, event)).toBeUndefined();
          state = stock.evolve(state, event);
          events.push({ ...event, revision: events.length });
        }
      }
      const { onHand, reserved } = state;
      expect(explainStock(events).map(({ name, amount }) => [name, amount])).toEqual([
        ['onHand', onHand],
        ['reserved', reserved],
        ['available', computeAvailable(state)],
      ]);
    }),
    { numRuns: 300 },
  );
});
